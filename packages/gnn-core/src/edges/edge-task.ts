import type { NodePairs } from "../links/node-pairs.ts";
import type { TaskMetrics } from "../spec/task-metrics.ts";
import { type Goal, goalJudging, goalTask } from "../tasks/goal-task.ts";
import type { NodeTask } from "../tasks/node-task.ts";

/** Edges that something is known of or to be predicted, a row each, by GlobalId. */
export interface LabelledEdges extends NodePairs {
  /** float32 [edges, featureDim], what the prediction sees of each edge beside its ends; null: nothing */
  readonly features: Float32Array | null;
  readonly featureDim: number;
  /** false: which end is named first says nothing, and changes nothing */
  readonly directed: boolean;
}

/** What is learnt of edges, and what follows the encoder. */
export interface EdgeObjective extends EdgeHeadChoice {
  readonly goal: Goal;
}

/** What follows the encoder, whatever is known of the edges. */
export interface EdgeHeadChoice {
  /** Width of the encoder's output: of the rows of the two ends */
  readonly dim: number;
  /** Width of the hidden layer behind the two ends; 0: none. Default: `dim` */
  readonly hiddenFeats?: number;
  /** Share of its input that is dropped in training. Default: 0 */
  readonly dropout?: number;
}

/** What there is to learn of edges, and how. Messages go along the graph, which knows no labels of edges. */
export interface EdgeLearning extends EdgeObjective {
  readonly edges: LabelledEdges;
  /** int8 [edges], one of `splitCode` */
  readonly split: Int8Array;
}

/** By what edges are judged, as a task's component says it of nodes. */
export function edgeJudging(goal: Goal): TaskMetrics {
  return goalJudging(goal, "edge");
}

/**
 * The task whose seeds are edges (`goalTask`), by their row.
 *
 * @throws GnnError SPEC_INVALID when arrays have not one entry for each edge, labels are out of range, or there is one
 * class only; TRAIN_NO_LABELS
 */
export function edgeTask({ edges, split, goal }: Pick<EdgeLearning, "edges" | "split" | "goal">): NodeTask {
  const nameOf = (edge: number) => `edge ${edge} (${edges.src[edge]} → ${edges.dst[edge]})`;
  return goalTask(goal, split, { one: "edge", count: edges.src.length, nameOf });
}
