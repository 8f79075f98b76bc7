import { linkKit } from "../../packages/gnn-core/src/links/link-kit.ts";
import { loadRegistry } from "../../packages/gnn-core/src/spec/index.ts";
import { resolveTask } from "../../packages/gnn-core/src/spec/resolve-task.ts";
import { taskSection } from "../../packages/gnn-core/src/spec/task-section.ts";
import { coraLinks } from "./cora-links.ts";
import type { Row } from "./row.ts";
import { fitted, type Run, type RunOptions, trainOf } from "./run-row.ts";

/** Trains a row on Cora's links by the library: a label tells links from the pairs that are stored beside them. */
export async function runStoredLinks(row: Row, seed: number, datasets: string, run: RunOptions): Promise<Run> {
  const { split, features } = await coraLinks(datasets);
  const { component, options } = resolveTask(taskSection.parse(row.spec.task), await loadRegistry());
  if (component.seeds !== "edges") throw new Error(`${row.name}: expected a task on links.`);
  const { seen, groups, directed } = split;
  const objective = await component.create(options, { seen, groups, directed, seed }, linkKit);
  const { task: _, ...sections } = row.spec;
  const setup = {
    data: { graph: split.graph, features, split: new Int8Array(split.numNodes) },
    links: { split, ...objective },
    options: { ...sections, train: trainOf(row, seed, run) },
    threads: run.threads,
  };
  return fitted(row, setup, run);
}
