import type { DistStore } from "../dist-store/dist-store.ts";
import type { FeatureStore } from "../features/feature-store.ts";
import type { CscGraph } from "./csc-graph.ts";
import type { LabelSets } from "./label-sets.ts";
import type { NodeTargets } from "./node-targets.ts";

/**
 * A graph with everything that training reads; rows are GlobalIds throughout. Each task reads its own kind of labels.
 */
export interface TrainingData {
  readonly graph: CscGraph;
  readonly features: FeatureStore;
  /** int8 [numNodes], one of `splitCode` */
  readonly split: Int8Array;
  /** One class per node, int32 [numNodes], -1 = unlabelled, and how many classes there are */
  readonly labels?: Int32Array | null;
  readonly numClasses?: number;
  /** Several classes per node */
  readonly labelSets?: LabelSets | null;
  /** Numbers to predict */
  readonly targets?: NodeTargets | null;
  /** Where ranks hold parts of the graph: whose nodes are whose, and the rows that the ranks read of each other */
  readonly owners?: NodeOwners;
}

/** The owner of every node, and the store in which rows of all nodes lie with their owners. */
export interface NodeOwners {
  readonly store: DistStore;
  /** [worldSize + 1] from 0: rank r owns the GlobalIds [offsets[r], offsets[r + 1]) */
  readonly offsets: readonly number[];
}

/** Data with one class per node */
export type ClassificationData = TrainingData & { readonly labels: Int32Array; readonly numClasses: number };
