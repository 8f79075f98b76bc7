import { broadcast_util, type TensorInfo, util } from "./tf.ts";

/** What two tensors are stretched to, as a matrix. */
export interface BroadcastPlane {
  /** The result's, which may have fewer or more dimensions than two */
  readonly shape: number[];
  readonly rows: number;
  readonly columns: number;
}

/** How far the next row and the next column of a matrix are in a tensor that is stretched to it: 0 where it repeats. */
export interface Strides {
  readonly row: number;
  readonly column: number;
}

/** A tensor of up to two dimensions as a matrix: a list is one row. Null: it has more. */
export function planeOf(shape: readonly number[]): readonly [rows: number, columns: number] | null {
  const [first = 1, second] = shape;
  if (shape.length > 2) return null;
  return second === undefined ? [1, first] : [first, second];
}

/** One row of all elements where nothing but a single number is repeated, else a matrix; null: neither. */
export function broadcastPlane(a: TensorInfo, b: TensorInfo): BroadcastPlane | null {
  const shape = broadcast_util.assertAndGetBroadcastShape(a.shape, b.shape);
  const columns = util.sizeFromShape(shape);
  const sizes = [a, b].map((each) => util.sizeFromShape(each.shape));
  if (sizes.every((size) => size === 1 || size === columns)) return { shape, rows: 1, columns };
  const plane = planeOf(shape);
  return plane && { shape, rows: plane[0], columns: plane[1] };
}

export function stridesIn({ rows, columns }: BroadcastPlane, { shape }: TensorInfo): Strides {
  const size = util.sizeFromShape(shape);
  if (size === rows * columns) return { row: columns, column: 1 };
  const [ownRows, ownColumns] = size === 1 ? [1, 1] : (planeOf(shape) ?? [1, 1]);
  return { row: ownRows === 1 ? 0 : ownColumns, column: ownColumns === 1 ? 0 : 1 };
}
