import type { KernelFunc, TensorInfo } from "../tf.ts";
import type { NativeBackend } from "./native-backend.ts";

type Loop = (left: Float32Array, right: Float32Array, out: Float32Array) => void;

const sums: Loop = (left, right, out) => {
  for (let i = 0; i < out.length; i++) out[i] = (left[i] as number) + (right[i] as number);
};

const products: Loop = (left, right, out) => {
  for (let i = 0; i < out.length; i++) out[i] = (left[i] as number) * (right[i] as number);
};

/** A tensor by one number, such as the gradient of a sum has it */
const multiples: Loop = (left, [factor], out) => {
  for (let i = 0; i < out.length; i++) out[i] = (left[i] as number) * (factor as number);
};

/** tfjs' Add, by which gradients are gathered where a tensor is read twice: of float32 tensors of one shape. */
export const sameShapeAdd = (stock: KernelFunc): KernelFunc => elementWise(stock, sums, null);

/** tfjs' Multiply of float32 tensors of one shape, or of one with a single number. */
export const plainMultiply = (stock: KernelFunc): KernelFunc => elementWise(stock, products, multiples);

/**
 * A kernel of two tensors into pooled memory, with no place to work out. The stock kernel, which has all other cases,
 * divides for the place of every element.
 *
 * @param single where the right tensor has one number; null: that is the stock kernel's
 */
function elementWise(stock: KernelFunc, same: Loop, single: Loop | null): KernelFunc {
  return (params) => {
    const { a, b } = params.inputs as { readonly a: TensorInfo; readonly b: TensorInfo };
    if (a.dtype !== "float32" || b.dtype !== "float32") return stock(params);
    const backend = params.backend as NativeBackend;
    const run = (loop: Loop, left: TensorInfo, right: TensorInfo) => {
      const inputs = [backend.floats(left), backend.floats(right)] as const;
      const { info, values } = backend.allocate([...left.shape]);
      loop(...inputs, values);
      return info;
    };
    if (hasEqualShape(a, b)) return run(same, a, b);
    if (single && isSingle(b) && b.shape.length <= a.shape.length) return run(single, a, b);
    if (single && isSingle(a) && a.shape.length <= b.shape.length) return run(single, b, a);
    return stock(params);
  };
}

function hasEqualShape({ shape }: TensorInfo, other: TensorInfo): boolean {
  return shape.length === other.shape.length && shape.every((length, axis) => length === other.shape[axis]);
}

function isSingle({ shape }: TensorInfo): boolean {
  return shape.every((length) => length === 1);
}
