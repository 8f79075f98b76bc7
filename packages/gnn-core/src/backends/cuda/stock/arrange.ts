import { planeOf } from "../../broadcast-plane.ts";
import { backend_util, slice_util, type TensorInfo, util } from "../../tf.ts";
import type { CudaBackend } from "../cuda-backend.ts";
import type { FloatsHandle } from "../memory-addon.ts";
import { type StockOp } from "./stock-op.ts";

/** A matrix, and the place in it that is read or written first */
interface Corner {
  readonly values: FloatsHandle;
  readonly columns: number;
  readonly row: number;
  readonly column: number;
}

/** Copies `rows` and `columns` of one matrix into another. */
function copyRectangle(backend: CudaBackend, rows: number, columns: number, from: Corner, to: Corner): void {
  const side = ({ values, columns: dim, row, column }: Corner) => ({
    values: backend.part(values, row * dim, (row + rows) * dim),
    dim,
    at: column,
  });
  backend.copyColumns({ rows, columns, from: side(from), to: side(to) });
}

const slice: StockOp = ({ inputs, attrs, backend }) => {
  const x = inputs["x"] as TensorInfo;
  const plane = planeOf(x.shape);
  if (!plane) return null;
  const { begin, size } = attrs as unknown as { begin: number[]; size: number[] };
  const [from, shape] = slice_util.parseSliceParams(x, begin, size) as [number[], number[]];
  const [row, column] = inPlane(from, 0);
  return rectangleOf(backend, x, plane, [row, column], shape);
};

/** A part of a matrix as a tensor of a shape */
function rectangleOf(
  backend: CudaBackend,
  x: TensorInfo,
  [, columns]: readonly [number, number],
  [row, column]: readonly [number, number],
  shape: number[],
): TensorInfo {
  const out = backend.allocate(shape);
  const [outRows, outColumns] = planeOf(shape) as readonly [number, number];
  copyRectangle(
    backend,
    outRows,
    outColumns,
    { values: backend.floats(x), columns, row, column },
    { values: out.values, columns: outColumns, row: 0, column: 0 },
  );
  return out.info;
}

/** Values of each dimension, as those of a matrix: what a list lacks is `missing`. */
function inPlane<Value>(values: readonly Value[], missing: Value): readonly [Value, Value] {
  const [first = missing, second] = values;
  return second === undefined ? [missing, first] : [first, second];
}

const pad: StockOp = ({ inputs, attrs, backend }) => {
  const x = inputs["x"] as TensorInfo;
  const plane = planeOf(x.shape);
  if (!plane) return null;
  const { paddings, constantValue } = attrs as unknown as { paddings: [number, number][]; constantValue: number };
  const shape = x.shape.map((length, i) => length + (paddings[i]?.[0] ?? 0) + (paddings[i]?.[1] ?? 0));
  const [rows, columns] = plane;
  const [ofRows, ofColumns] = inPlane<readonly [number, number]>(paddings, [0, 0]);
  const out = backend.allocate(shape);
  backend.fill(out.values, constantValue);
  copyRectangle(
    backend,
    rows,
    columns,
    { values: backend.floats(x), columns, row: 0, column: 0 },
    { values: out.values, columns: columns + ofColumns[0] + ofColumns[1], row: ofRows[0], column: ofColumns[0] },
  );
  return out.info;
};

const concat: StockOp = ({ inputs, attrs, backend }) => {
  const all = Object.values(inputs);
  const [first] = all;
  if (!first || !planeOf(first.shape)) return null;
  const [axis = 0] = util.parseAxisParam(attrs["axis"] as number, first.shape);
  const shape = backend_util.computeOutShape(
    all.map((each) => each.shape),
    axis,
  );
  const out = backend.allocate(shape);
  const [, outColumns] = planeOf(shape) as readonly [number, number];
  const isAlongRows = axis === 0 && shape.length === 2;
  let at = 0;
  for (const each of all) {
    const [rows, columns] = planeOf(each.shape) as readonly [number, number];
    const place = isAlongRows ? { row: at, column: 0 } : { row: 0, column: at };
    const from = { values: backend.floats(each), columns, row: 0, column: 0 };
    copyRectangle(backend, rows, columns, from, { values: out.values, columns: outColumns, ...place });
    at += isAlongRows ? rows : columns;
  }
  return out.info;
};

const split: StockOp = ({ inputs, attrs, backend }) => {
  const x = inputs["x"] as TensorInfo;
  const plane = planeOf(x.shape);
  if (!plane) return null;
  const [axis = 0] = util.parseAxisParam(attrs["axis"] as number, x.shape);
  const sizes = backend_util.prepareSplitSize(x, attrs["numOrSizeSplits"] as number | number[], axis);
  const isAlongRows = axis === 0 && x.shape.length === 2;
  let at = 0;
  return sizes.map((size) => {
    const shape = x.shape.map((length, i) => (i === axis ? size : length));
    const part = rectangleOf(backend, x, plane, isAlongRows ? [at, 0] : [0, at], shape);
    at += size;
    return part;
  });
};

const fill: StockOp = ({ attrs, backend }) => {
  const { shape, value, dtype = "float32" } = attrs as unknown as { shape: number[]; value: unknown; dtype?: string };
  if (dtype !== "float32" || typeof value !== "number") return null;
  const out = backend.allocate(shape);
  backend.fill(out.values, value);
  return out.info;
};

/** From float32 to float32, as gradients ask for it: the memory is shared. */
const cast: StockOp = ({ inputs, attrs, backend }) => {
  const { dataId, shape } = inputs["x"] as TensorInfo;
  if (attrs["dtype"] !== "float32") return null;
  backend.incRef(dataId);
  return { dataId, shape, dtype: "float32" };
};

export const arrangeOps: Readonly<Record<string, StockOp>> = {
  Cast: cast,
  Concat: concat,
  Fill: fill,
  PadV2: pad,
  Slice: slice,
  SplitV: split,
};
