import type { PeerSumAttrs } from "../backends/cuda/peer-sum.ts";
import { runKernel } from "../backends/run-kernel.ts";
import { customGrad, fill, pad, type Rank, type Tensor, type Tensor2D } from "../backends/tf.ts";
import type { DeviceSums } from "./device-sums.ts";

/**
 * Tensors that the ranks of a job have in common, on the devices that `DeviceSums` connects. Nothing waits for a
 * device. Every rank calls the same methods in the same order with tensors of the same shapes, one that has nothing to
 * give with zeros or null.
 */
export class PeerTensors {
  readonly #attrs: PeerSumAttrs;

  constructor(sums: Pick<DeviceSums, "enqueue">) {
    this.#attrs = { addUp: (values) => sums.enqueue(values) };
  }

  /** The sum of every rank's `x`, the same bits everywhere; it has no gradient. The caller disposes it. */
  sum<T extends Tensor>(x: T): T {
    return runKernel("PeerSum", { x }, this.#attrs)[0] as T;
  }

  /**
   * The rows of all ranks below each other, on the tape. What each rank makes of all of them has to be the same: then
   * the gradient by this rank's rows is the rank's own, and no second sum is needed.
   *
   * @param own float32 [n, dim], this rank's rows, which begin at `first`; null: it has none
   * @returns float32 [numRows, dim]
   */
  joinRows(own: Tensor2D | null, { first, numRows, dim }: { first: number; numRows: number; dim: number }): Tensor2D {
    if (!own) return this.sum(fill<Rank.R2>([numRows, dim], 0));
    const placed = pad(own, [
      [first, numRows - first - own.shape[0]],
      [0, 0],
    ]);
    const join = customGrad((x) => ({ value: this.sum(x as Tensor), gradFunc: (dy: Tensor) => dy.clone() }));
    return join(placed) as Tensor2D;
  }
}
