import { GnnError } from "../errors/gnn-error.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { splitCode } from "../partition/split-nodes.ts";

/** A graph with everything that node classification reads; rows are GlobalIds throughout. */
export interface TrainingData {
  readonly graph: CscGraph;
  readonly features: FeatureStore;
  /** int32 [numNodes] class of each node, -1 = unlabelled */
  readonly labels: Int32Array;
  /** int8 [numNodes], one of `splitCode` */
  readonly split: Int8Array;
  readonly numClasses: number;
}

/**
 * The labelled nodes of the training split, ascending.
 *
 * @throws GnnError TRAIN_NO_LABELS when there is none
 */
export function trainingNodes({ labels, split }: TrainingData): Int32Array {
  const nodes = Int32Array.from(split.keys()).filter(
    (node) => split[node] === splitCode.train && (labels[node] as number) >= 0,
  );
  if (nodes.length > 0) return nodes;
  throw new GnnError(
    "TRAIN_NO_LABELS",
    "No node of the training split has a label; map the label and split columns, or choose a random split.",
  );
}
