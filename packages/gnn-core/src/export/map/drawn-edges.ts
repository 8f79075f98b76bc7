/** What is drawn of the graph around the points of a map. */
export interface DrawnEdges {
  /** In-degree of each point's node in the whole graph; int32 [numPoints] */
  readonly degrees: Int32Array;
  /** The in-neighbours of point `i` on the map lie from `offsets[i]` to `offsets[i + 1]`; int32 [numPoints + 1] */
  readonly offsets: Int32Array;
  /** Points, not nodes: at most `mostPerPoint` of each, in the order of the graph's columns */
  readonly points: Int32Array;
}

/**
 * The degree of each point and its first neighbours among the points.
 *
 * @param indptr  int64 [numNodes + 1], start of each node's in-neighbours
 * @param indices int32 [numEdges], NodeIndex of each in-neighbour
 * @param rows    NodeIndex of each point, ascending
 */
export function drawnEdges(
  { indptr, indices }: { readonly indptr: BigInt64Array; readonly indices: Int32Array },
  rows: Int32Array,
  mostPerPoint: number,
): DrawnEdges {
  const pointOf = new Int32Array(indptr.length - 1).fill(-1);
  for (const [point, row] of rows.entries()) pointOf[row] = point;
  const degrees = new Int32Array(rows.length);
  const offsets = new Int32Array(rows.length + 1);
  const points = new Int32Array(rows.length * mostPerPoint);
  let numKept = 0;
  for (const [point, row] of rows.entries()) {
    const [start, end] = [Number(indptr[row]), Number(indptr[row + 1])];
    degrees[point] = end - start;
    const most = numKept + mostPerPoint;
    for (let edge = start; edge < end && numKept < most; edge++) {
      const neighbor = pointOf[indices[edge]!]!;
      if (neighbor >= 0 && neighbor !== point) points[numKept++] = neighbor;
    }
    offsets[point + 1] = numKept;
  }
  return { degrees, offsets, points: points.slice(0, numKept) };
}
