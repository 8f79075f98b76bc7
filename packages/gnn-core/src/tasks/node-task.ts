import type { Scalar, Tensor2D } from "../backends/tf.ts";
import type { NamedSplit } from "../graph/split-nodes.ts";
import type { BatchSums } from "./batch-sums.ts";
import type { OutputScaling } from "./output-scaling.ts";

/** Figures by name, without their split; null when there was nothing to count. */
export type Metrics = Readonly<Record<string, number | null>>;

/** What one training step asks of a task: how far the outputs of some seeds are from what is known of them. */
export interface TaskLoss {
  /**
   * The loss, weighted and summed over the seeds; to be called inside `tidy`.
   *
   * @param outputs float32 [seeds.length, outDim]
   * @param seeds   GlobalIds of labelled nodes
   */
  lossSum(outputs: Tensor2D, seeds: Int32Array): Scalar;
  /** What is counted over the same rows beside the loss */
  count(outputs: Float32Array, seeds: Int32Array): Omit<BatchSums, "lossSum">;
  /**
   * Counts like `count`, of outputs on a device, without reading them back; to be called inside `tidy`. Null where the
   * backend cannot, left out where the task cannot: then the host waits for the outputs of every step.
   */
  countOnDevice?(outputs: Tensor2D, seeds: Int32Array): DeviceCounts | null;
}

/** What is counted of a step beside the loss. What follows from outputs may be a tensor, which is not read back. */
export interface DeviceCounts {
  readonly weightSum: number;
  readonly hits: Scalar | number;
  readonly trials: Scalar | number;
}

/** Counts the evaluated nodes of one split. Tallies of several ranks add up. */
export interface TaskTally {
  /** Takes one labelled node. @param row its row in `outputs`, float32 [rows, outDim] */
  addRow(outputs: Float32Array, row: number, node: number): void;
  /** All counts as float32, ready to be summed over ranks */
  flat(): Float32Array;
  /** Takes the sums of all ranks in place of its own. */
  assign(flat: Float32Array): void;
  readonly metrics: Metrics;
  /** Rows: label, columns: prediction; null where a task has none */
  readonly confusion: number[][] | null;
}

/** How nodes are ranked by class, for the area under the ROC curve and average precision. */
export interface TaskRanking {
  readonly numClasses: number;
  /** Classes that count in the mean */
  readonly classes: readonly number[];
  isMember(node: number, c: number): boolean;
  /** The class of a node that has one, where scores are the log softmax of logits: by it they are calibrated */
  readonly classOf?: (node: number) => number;
  /** Scores of one row of outputs, in the order of the classes' probabilities */
  score(outputs: Float32Array, scores: Float32Array): void;
}

/** What metrics are counted by, from outputs and what is known of the nodes. */
export interface NodeJudge {
  /** Whether the node can be learnt from or evaluated; all others stay out of loss and metrics. */
  isLabelled(node: number): boolean;
  tally(): TaskTally;
}

/** The seeds of each split: their ids, ascending. */
export type SeedSource = (split: NamedSplit) => Int32Array;

/** A task on some data. What a seed is, its component says (`TaskComponent.seeds`): today always a node. */
export interface NodeTask extends TaskLoss, NodeJudge {
  /** Width of the model's output */
  readonly outDim: number;
  /** What batches are drawn of and metrics are counted over */
  readonly seedsOf: SeedSource;
  /** Metrics of the sums of an epoch */
  trainMetrics(sums: BatchSums): Metrics;
  readonly ranking: TaskRanking | null;
  /** How the model's output becomes the prediction in the user's units; null: it already is */
  readonly scaling: OutputScaling | null;
}
