import type { DatasetSpec } from "./dataset-spec.ts";

/** Whether the columns give each node a set of labels instead of one class. */
export function hasSeveralLabels(nodes: DatasetSpec["nodes"]): boolean {
  return !!nodes && (nodes.labelSeparator !== null || nodes.labelColumns.length > 0 || nodes.labelFile !== null);
}
