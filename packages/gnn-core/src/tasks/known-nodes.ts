import type { LabelSets } from "../graph/label-sets.ts";
import type { NodeTargets } from "../graph/node-targets.ts";

/** What is known of the nodes of a stored graph, rows by NodeIndex. */
export interface KnownNodes {
  readonly numNodes: number;
  readonly classes: readonly string[];
  /** int32 [numNodes], -1 = unlabelled */
  readonly labels: Int32Array;
  /** Several labels per node, if they were mapped so */
  readonly labelSets: LabelSets | null;
  /** Numbers to predict, if any were mapped */
  readonly targets: NodeTargets | null;
}

/** One column of an export of predictions, for some consecutive nodes */
export type PredictionColumn =
  | { readonly name: string; readonly type: "text"; readonly values: readonly (string | null)[] }
  /** NaN = not known */
  | { readonly name: string; readonly type: "float32"; readonly values: Float32Array };

/** Turns outputs float32 [count, outDim] of the nodes from `start` on into columns. */
export type PredictionColumns = (start: number, outputs: Float32Array) => PredictionColumn[];

/** `p_<class>` of each class. @param columns one float32 [rows] per class */
export function probabilityColumns(classes: readonly string[], columns: readonly Float32Array[]): PredictionColumn[] {
  return columns.map((values, c) => ({ name: `p_${classes[c]}`, type: "float32", values }));
}
