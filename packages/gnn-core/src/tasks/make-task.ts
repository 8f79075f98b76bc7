import { GnnError } from "../errors/gnn-error.ts";
import type { TrainingData } from "../graph/training-data.ts";
import type { ResolvedTask } from "../spec/resolve-task.ts";
import type { NodeTask } from "./node-task.ts";
import { taskKit } from "./task-kit.ts";

/** A task on its graph, with the nodes it learns from. */
export interface FittedTask {
  readonly task: NodeTask;
  /** The seeds of the training split, ascending: GlobalIds of labelled nodes */
  readonly trainNodes: Int32Array;
}

/**
 * Builds the task of a spec on some data; weights and scaling come from the training nodes.
 *
 * @throws GnnError SPEC_INVALID when the data have not what the task learns, or labels out of range; TRAIN_NO_LABELS
 */
export async function makeTask({ component, options }: ResolvedTask, data: TrainingData): Promise<FittedTask> {
  if (component.seeds !== "nodes") throw new TypeError(`${component.name} does not learn from labels of nodes.`);
  const task = await component.create(options, data, taskKit);
  const trainNodes = task.seedsOf("train");
  if (trainNodes.length > 0) return { task, trainNodes };
  throw new GnnError(
    "TRAIN_NO_LABELS",
    "No node of the training split has a label; map the label and split columns, or choose a random split.",
  );
}
