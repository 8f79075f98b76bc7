import { int64Words, setInt64 } from "../int64.ts";
import type { CsrMatrix } from "../npz.ts";

/** A CSR matrix whose arrays have been checked against each other. */
export interface SparseRows {
  readonly numRows: number;
  readonly dim: number;
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly data: ArrayLike<number>;
}

/**
 * The first nodes' rows in the order of the nodes: first those of `rows`, then each row of `others` at its place, and
 * empty ones between them.
 *
 * @param places the row of `others` by its node
 */
export function joinRows(
  rows: SparseRows,
  others: SparseRows,
  places: ReadonlyMap<number, number>,
  numNodes: number,
): CsrMatrix {
  let numValues = 0;
  for (let node = 0; node < numNodes; node++) {
    const [from, row] = rowOf(node);
    if (row !== undefined) numValues += from.indptr[row + 1]! - from.indptr[row]!;
  }
  const indptr = new BigInt64Array(numNodes + 1);
  const words = int64Words(indptr);
  const indices = new Int32Array(numValues);
  const data = new Float32Array(numValues);
  let end = 0;
  for (let node = 0; node < numNodes; node++) {
    const [from, row] = rowOf(node);
    if (row !== undefined) {
      for (let at = from.indptr[row]!; at < from.indptr[row + 1]!; at++) {
        indices[end] = from.indices[at]!;
        data[end++] = from.data[at]!;
      }
    }
    setInt64(words, node + 1, end);
  }
  return { numRows: numNodes, dim: rows.dim, indptr, indices, data };

  function rowOf(node: number): [SparseRows, number | undefined] {
    return node < rows.numRows ? [rows, node] : [others, places.get(node)];
  }
}
