import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { concat, slice, type Tensor2D, tidy } from "../backends/tf.ts";

export interface RangeAttrs {
  readonly begin: number;
  readonly end: number;
}

/**
 * The columns [begin, end) of x, copied; the others get gradient 0.
 *
 * @param x  float32 [n, ≥ end]
 * @returns  float32 [n, end − begin], owned by the caller
 */
export function columnRange(x: Tensor2D, begin: number, end: number): Tensor2D {
  if (!hasKernel("ColumnRange")) return slice(x, [0, begin], [x.shape[0], end - begin]);
  return runKernel("ColumnRange", { x }, { begin, end } satisfies RangeAttrs)[0] as Tensor2D;
}

/**
 * a and the first rows of b side by side.
 *
 * @param a  float32 [n, dimA]
 * @param b  float32 [≥ n, dimB]
 * @returns  float32 [n, dimA + dimB], owned by the caller
 */
export function joinColumns(a: Tensor2D, b: Tensor2D): Tensor2D {
  if (hasKernel("JoinColumns")) return runKernel("JoinColumns", { a, b }, {})[0] as Tensor2D;
  return tidy(() => concat([a, slice(b, [0, 0], [a.shape[0], b.shape[1]])], 1));
}

/** The columns of several tensors with equally many rows, side by side. Halves are joined: few are copied often. */
export function joinAllColumns(parts: readonly Tensor2D[]): Tensor2D {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const half = Math.ceil(parts.length / 2);
  return tidy(() => joinColumns(joinAllColumns(parts.slice(0, half)), joinAllColumns(parts.slice(half))));
}
