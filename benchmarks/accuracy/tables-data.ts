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
import type { Row, Tables } from "./row.ts";

/** What the step `train` reads: parts, and the split of the links where links are learnt. */
export type TrainInputs = Readonly<Record<string, ArtifactDir>>;

/** Artifacts of the rows that map tables of their own, by the steps of a job; each is made once. */
export class TablesData {
  readonly #datasets: string;
  readonly #scratch: string;
  readonly #made = new Map<string, Promise<ArtifactDir>>();

  /**
   * @param datasets folder with a folder for each data set
   * @param scratch  folder for the artifacts
   */
  constructor(datasets: string, scratch: string) {
    this.#datasets = datasets;
    this.#scratch = scratch;
  }

  /** @throws Error of a data set that is not there */
  async inputs(tables: Tables, { spec, split }: Row, seed: number): Promise<TrainInputs> {
    const dataset = tables.spec(seed);
    const graph = await this.#once([tables.name, dataset], (into) => this.#ingest(tables, dataset, into));
    const onePart = { type: "metis", options: { numParts: 1 } };
    const { component, options } = resolveTask(taskSection.parse(spec.task), await loadRegistry());
    if (component.seeds !== "edges") {
      const partition = {
        partition: onePart,
        ...(split && { split }),
        ...(component.seeds === "graphs" && { graphs: { folds: null } }),
      };
      return { parts: await this.#step(partitionStep, { graph }, partition) };
    }
    const links = await this.#step(splitLinksStep, { graph }, component.split(options));
    const parts = await this.#step(partitionStep, { graph, links }, { partition: onePart, edges: "messages" });
    return { parts, links };
  }

  #step(step: Parameters<typeof runStepIn>[1], inputs: TrainInputs, options: unknown): Promise<ArtifactDir> {
    const digests = Object.values(inputs).map(({ manifest }) => manifest.digest);
    return this.#once([step.name, digests, options], (into) => runStepIn(into, step, { ...inputs }, options));
  }

  #once(what: unknown, make: (into: string) => Promise<ArtifactDir>): Promise<ArtifactDir> {
    const key = JSON.stringify(what);
    const made = this.#made.get(key) ?? make(join(this.#scratch, `tables-${this.#made.size}`));
    this.#made.set(key, made);
    return made;
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
