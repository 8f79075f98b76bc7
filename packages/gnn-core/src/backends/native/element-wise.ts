import { broadcastPlane, type Strides, stridesIn } from "../broadcast-plane.ts";
import type { KernelFunc, TensorInfo } from "../tf.ts";
import { loadAddon } from "./addon.ts";
import type { NativeBackend } from "./native-backend.ts";
import { nativeSync } from "./native-error.ts";

interface Side extends Strides {
  readonly values: Float32Array;
}

/**
 * Fills a matrix by the elements of two that are stretched to it. Each operation has a loop of its own: one that all
 * share, and that calls a function for each element, is compiled to those calls.
 */
type Loop = (a: Side, b: Side, columns: number, out: Float32Array) => void;

/** Elements from which on a call of the native library is worth it, and how many of them it deals out at a time */
const fewest = 4096;
const dealt = 64;

const sums: Loop = (a, b, columns, out) => {
  const isWhole = ({ row, column }: Side) => row === columns && column === 1;
  if (out.length >= fewest && isWhole(a) && isWhole(b)) {
    const dim = out.length % dealt === 0 ? dealt : columns;
    const rows = out.length / dim;
    nativeSync(() => loadAddon().addActivate(rows, rows, dim, a.values, b.values, 0, out));
    return;
  }
  const { values: left, column: stepLeft } = a;
  const { values: right, column: stepRight } = b;
  for (let row = 0, at = 0; at < out.length; row++) {
    let i = row * a.row;
    let j = row * b.row;
    for (const end = at + columns; at < end; at++, i += stepLeft, j += stepRight) {
      out[at] = (left[i] as number) + (right[j] as number);
    }
  }
};

const differences: Loop = (a, b, columns, out) => {
  const { values: left, column: stepLeft } = a;
  const { values: right, column: stepRight } = b;
  for (let row = 0, at = 0; at < out.length; row++) {
    let i = row * a.row;
    let j = row * b.row;
    for (const end = at + columns; at < end; at++, i += stepLeft, j += stepRight) {
      out[at] = (left[i] as number) - (right[j] as number);
    }
  }
};

const products: Loop = (a, b, columns, out) => {
  const { values: left, column: stepLeft } = a;
  const { values: right, column: stepRight } = b;
  for (let row = 0, at = 0; at < out.length; row++) {
    let i = row * a.row;
    let j = row * b.row;
    for (const end = at + columns; at < end; at++, i += stepLeft, j += stepRight) {
      out[at] = (left[i] as number) * (right[j] as number);
    }
  }
};

/**
 * Kernels of tfjs that are asked for in every step: of float32 tensors that are lists or matrices, or of one shape, or
 * one of which is a single number. They write pooled memory; the stock kernel, which has all other cases, works out
 * the place of every element by divisions.
 */
export const elementWiseKernels: Readonly<Record<string, (stock: KernelFunc) => KernelFunc>> = {
  Add: elementWise(sums),
  Sub: elementWise(differences),
  Multiply: elementWise(products),
};

function elementWise(loop: Loop): (stock: KernelFunc) => KernelFunc {
  return (stock) => (params) => {
    const { a, b } = params.inputs as { readonly a: TensorInfo; readonly b: TensorInfo };
    const plane = a.dtype === "float32" && b.dtype === "float32" ? broadcastPlane(a, b) : null;
    if (!plane) return stock(params);
    const backend = params.backend as NativeBackend;
    const sideOf = (tensor: TensorInfo): Side => ({ values: backend.floats(tensor), ...stridesIn(plane, tensor) });
    const { info, values } = backend.allocate(plane.shape);
    loop(sideOf(a), sideOf(b), plane.columns, values);
    return info;
  };
}
