import type { Block } from "../graph/block.ts";
import { withReverse } from "../graph/reverse-edges.ts";

/** Which rows a list names. */
export interface DistinctRows {
  /** Each once, in the order in which they come first */
  readonly ids: Int32Array;
  /** For each place of the list that of its row in `ids` */
  readonly places: Int32Array;
  /** Sums what belongs to one of them, in the order of the list; null: none is named twice */
  readonly sums: Block | null;
}

/**
 * @param rows   int32, each in [0, places.length)
 * @param places int32, all −1, and again when it returns: memory to look places up in
 */
export function distinctRows(rows: Int32Array, places: Int32Array): DistinctRows {
  const place = new Int32Array(rows.length);
  const ids = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    if ((places[row] as number) < 0) {
      places[row] = count;
      ids[count++] = row;
    }
    place[i] = places[row] as number;
  }
  for (const row of rows) places[row] = -1;
  if (count === rows.length) return { ids: rows, places: place, sums: null };
  return { ids: ids.subarray(0, count), places: place, sums: sumsOf(place, count) };
}

/** An edge from each place of the list to that of its row */
function sumsOf(place: Int32Array, numRows: number): Block {
  const indptr = new Int32Array(numRows + 1);
  for (const row of place) indptr[row + 1] = (indptr[row + 1] as number) + 1;
  for (let row = 0; row < numRows; row++) indptr[row + 1] = (indptr[row + 1] as number) + (indptr[row] as number);
  const next = indptr.slice(0, numRows);
  const indices = new Int32Array(place.length);
  for (const [i, row] of place.entries()) {
    indices[next[row] as number] = i;
    next[row] = (next[row] as number) + 1;
  }
  const sizes = { numSrc: place.length, numDst: numRows };
  return withReverse({ device: "cpu", ...sizes, indptr, indices, srcIds: place, weights: null });
}
