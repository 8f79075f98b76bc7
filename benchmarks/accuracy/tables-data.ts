import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ArtifactDir, DatasetSpecInput } from "../../packages/gnn-core/src/index.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";
import { resolveTask } from "../../packages/gnn-core/src/spec/resolve-task.ts";
import { taskSection } from "../../packages/gnn-core/src/spec/task-section.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { partitionStep } from "../../packages/gnn-core/src/steps/partition.step.ts";
import { splitLinksStep } from "../../packages/gnn-core/src/steps/split-links.step.ts";
import { filesArtifactIn, runStepIn } from "../../packages/gnn-core/test/support/step-runner.ts";
import type { MadeArtifacts } from "./made-artifacts.ts";
import type { Row, Tables } from "./row.ts";

/** What the step `train` reads: parts, and the split of the links where links are learnt. */
export type TrainInputs = Readonly<Record<string, ArtifactDir>>;

/** An artifact that is made when it is asked for: what is there already needs none of its inputs. */
interface Planned {
  readonly what: unknown;
  readonly made: () => Promise<ArtifactDir>;
}

/** Artifacts of the rows that map tables of their own, by the steps of a job; each is made once. */
export class TablesData {
  readonly #datasets: string;
  readonly #made: MadeArtifacts;

  /**
   * @param datasets folder with a folder for each data set
   * @param made     what there is already, by what it is made of
   */
  constructor(datasets: string, made: MadeArtifacts) {
    this.#datasets = datasets;
    this.#made = made;
  }

  /** @throws Error of a data set that is not there */
  async inputs(tables: Tables, { spec, split }: Row, seed: number): Promise<TrainInputs> {
    const dataset = tables.spec(seed);
    const what = [tables.name, dataset];
    const graph: Planned = {
      what,
      made: () => this.#made.once(what, (into) => this.#ingest(tables, dataset, into), true),
    };
    const onePart = { type: "metis", options: { numParts: 1 } };
    const { component, options } = resolveTask(taskSection.parse(spec.task), await loadRegistry());
    if (component.seeds !== "edges") {
      const partition = {
        partition: onePart,
        ...(split && { split }),
        ...(component.seeds === "graphs" && { graphs: { folds: null } }),
      };
      return { parts: await this.#step(partitionStep, { graph }, partition).made() };
    }
    const links = this.#step(splitLinksStep, { graph }, component.split(options));
    const parts = this.#step(partitionStep, { graph, links }, { partition: onePart, edges: "messages" });
    return { parts: await parts.made(), links: await links.made() };
  }

  #step(step: Parameters<typeof runStepIn>[1], inputs: Readonly<Record<string, Planned>>, options: unknown): Planned {
    const what = [step.name, Object.values(inputs).map((input) => input.what), options];
    const make = async (into: string) => {
      const made = Object.entries(inputs).map(async ([kind, input]) => [kind, await input.made()] as const);
      return runStepIn(into, step, Object.fromEntries(await Promise.all(made)), options);
    };
    return { what, made: () => this.#made.once(what, make) };
  }

  async #ingest({ name, files, make }: Tables, dataset: DatasetSpecInput, into: string): Promise<ArtifactDir> {
    const folder = join(this.#datasets, name);
    const read = files.map(async (file) => [basename(file), await readFile(join(folder, file))] as const);
    const contents = { ...Object.fromEntries(await Promise.all(read)), ...(await make?.(folder)) };
    return runStepIn(
      join(into, "ingest"),
      ingestStep,
      { files: await filesArtifactIn(join(into, "files"), contents) },
      dataset,
    );
  }
}
