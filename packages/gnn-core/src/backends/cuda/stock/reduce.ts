import { planeOf } from "../../broadcast-plane.ts";
import { type TensorInfo, util } from "../../tf.ts";
import { binaryOps } from "../stock-addon.ts";
import { type StockCall, type StockOp } from "./stock-op.ts";

interface ReduceAttrs {
  readonly axis?: number | number[] | null;
  readonly keepDims?: boolean;
}

/** What is added up: the middle of [outer, reduced, inner] */
interface Reduction {
  readonly shape: number[];
  readonly outer: number;
  readonly reduced: number;
  readonly inner: number;
}

function reductionOf({ shape }: TensorInfo, { axis, keepDims = false }: ReduceAttrs): Reduction | null {
  const axes = util.parseAxisParam(axis ?? shape.map((_, i) => i), shape).toSorted((a, b) => a - b);
  const [first = 0] = axes;
  if (axes.some((each, i) => each !== first + i)) return null;
  const size = (begin: number, end?: number) => util.sizeFromShape(shape.slice(begin, end));
  const end = first + axes.length;
  return {
    shape: shape.flatMap((length, i) => (i < first || i >= end ? [length] : keepDims ? [1] : [])),
    outer: size(0, first),
    reduced: size(first, end),
    inner: size(end),
  };
}

/** Sums over neighbouring dimensions, the first or the last of the tensor among them. */
const sum: StockOp = ({ inputs, attrs, backend }) => {
  const x = inputs["x"] as TensorInfo;
  const reduction = reductionOf(x, attrs);
  if (!reduction) return null;
  const { shape, outer, reduced, inner } = reduction;
  if (outer !== 1 && inner !== 1) return null;
  const out = backend.allocate(shape);
  const values = backend.floats(x);
  if (outer === 1 && inner === 1) backend.addon.sumAll(values, out.values);
  else if (inner === 1) backend.addon.sumRows(outer, reduced, values, out.values);
  else backend.addon.sumColumns(reduced, inner, values, out.values);
  return out.info;
};

const mean: StockOp = (call) => {
  const { inputs, attrs, backend } = call;
  const reduction = reductionOf(inputs["x"] as TensorInfo, attrs);
  const total = sum(call) as TensorInfo | null;
  if (!reduction || !total) return null;
  const values = backend.floats(total);
  const count = util.sizeFromShape(total.shape);
  const divide = binaryOps.indexOf("divide");
  backend.addon.applyBinary(divide, 1, count, values, count, 1, 0, null, 0, 0, reduction.reduced, values);
  return total;
};

/** Along the last dimension, the only one that tfjs has it along */
const softmax: StockOp = ({ inputs, backend }: StockCall) => {
  const logits = inputs["logits"] as TensorInfo;
  const plane = planeOf(logits.shape);
  if (!plane) return null;
  const out = backend.allocate(logits.shape);
  backend.addon.softmaxRows(...plane, backend.floats(logits), out.values);
  return out.info;
};

export const reduceOps: Readonly<Record<string, StockOp>> = { Mean: mean, Softmax: softmax, Sum: sum };
