import type { NodeTypes, TypeRange } from "./csc-graph.ts";

/** The type of each node, which columns its type has, and which nodes have learned rows instead. */
export interface TypedInput {
  /** Columns of each type; 0: its nodes have learned rows */
  readonly types: readonly TypeRange[];
  /** int32 [numNodes] by GlobalId, an index into `types` */
  readonly codes: Int32Array;
  readonly numLearned: number;
  /** int32 [numNodes] by GlobalId: which of the learned rows is the node's, -1: it has features, or a row of zeros */
  readonly learnedRow: Int32Array;
}

/** Null where all types have the same columns. */
export function typedInputOf({ codes, columns, learned }: NodeTypes): TypedInput | null {
  if (!columns) return null;
  const learnedRow = new Int32Array(codes.length).fill(-1);
  if (learned) {
    learnedRow.set(learned.rowOf);
    return { types: columns, codes, numLearned: learned.count, learnedRow };
  }
  let numLearned = 0;
  for (const node of codes.keys()) {
    if (columns[codes[node] as number]?.dim === 0) learnedRow[node] = numLearned++;
  }
  return { types: columns, codes, numLearned, learnedRow };
}
