import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { slice, type Tensor2D } from "../backends/tf.ts";

export interface RangeAttrs {
  readonly begin: number;
  readonly end: number;
}

/**
 * The rows [begin, end) of x, copied; every other row gets gradient 0.
 *
 * @param x  float32 [≥ end, dim]
 * @returns  float32 [end − begin, dim], owned by the caller
 */
export function rowRange(x: Tensor2D, begin: number, end: number): Tensor2D {
  if (!hasKernel("RowRange")) return slice(x, [begin, 0], [end - begin, x.shape[1]]);
  return runKernel("RowRange", { x }, { begin, end } satisfies RangeAttrs)[0] as Tensor2D;
}
