import type { Activation } from "../nn/activations.ts";
import type { TaskMetrics } from "../spec/task-metrics.ts";
import { type Goal, goalJudging, goalTask } from "../tasks/goal-task.ts";
import type { NodeTask } from "../tasks/node-task.ts";
import type { GraphSet } from "./graph-set.ts";
import { numGraphsOf } from "./graph-set.ts";
import type { MakeReadout } from "./readouts/readout.ts";

/** What is known of each graph, and how far outputs are from it. */
export type GraphGoal = Goal;

/** What there is to learn of the graphs of a set, and how. */
export interface GraphLearning extends GraphObjective {
  /** Its `graph` is the graph of the training data. */
  readonly set: GraphSet;
  /** int8 [numGraphs], one of `splitCode` */
  readonly split: Int8Array;
}

/** What is learnt of whole graphs, and what follows the encoder. */
export interface GraphObjective extends GraphHeadChoice {
  readonly goal: GraphGoal;
}

/** What follows the encoder, whatever is known of the graphs. */
export interface GraphHeadChoice {
  /** Width of the encoder's output: of the rows that are read out */
  readonly dim: number;
  /** One, or several whose rows lie side by side */
  readonly readout: MakeReadout | readonly MakeReadout[];
  /** Behind the encoder's last layer, and between the layers behind the readout. Default: relu */
  readonly activation?: Activation;
  /** Width of the hidden layer behind the readout; 0: none. Default: `dim` */
  readonly hiddenFeats?: number;
  /** Share of the graphs' rows that is dropped in training. Default: 0 */
  readonly dropout?: number;
}

/** By what graphs are judged, as a task's component says it of nodes. */
export function graphJudging(goal: GraphGoal): TaskMetrics {
  return goalJudging(goal, "graph");
}

/**
 * The task whose seeds are graphs (`goalTask`).
 *
 * @throws GnnError SPEC_INVALID when arrays have not one entry for each graph, labels are out of range, or there is one
 * class only; TRAIN_NO_LABELS
 */
export function graphTask({ set, split, goal }: Pick<GraphLearning, "set" | "split" | "goal">): NodeTask {
  const count = numGraphsOf(set);
  return goalTask(goal, split, { one: "graph", count, nameOf: (graph) => `graph "${set.ids[graph]}"` });
}
