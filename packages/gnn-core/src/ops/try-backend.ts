import { grads, matMul, type Scalar, square, sum, type Tensor, type Tensor2D, tensor2d } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "../graph/block.ts";
import { spmmMean } from "./spmm.ts";

/** Three nodes, 2 → 0 and 0 → 1 ← 1: the means are those of {x_2} and {x_0, x_1}. */
const block: Block = {
  device: "cpu",
  numSrc: 3,
  numDst: 2,
  indptr: Int32Array.of(0, 1, 3),
  indices: Int32Array.of(2, 0, 1),
  srcIds: Int32Array.of(0, 1, 2),
  weights: null,
  reverse: {
    indptr: Int32Array.of(0, 1, 2, 3),
    indices: Int32Array.of(1, 1, 0),
    edges: Int32Array.of(1, 2, 0),
  },
};

/**
 * Lets the active backend multiply, gather, sum and go back, as a training step does, and compares with what is known:
 *   x = (1, 2, 3), w = 2, h = mean over in-neighbours of x·w = (6, 3), Σ h² = 45, and 45 / w · 2 = 45 is its gradient.
 *
 * @throws GnnError DEVICE_NOT_AVAILABLE when it finds something else
 */
export async function tryBackend(): Promise<void> {
  const x = tensor2d([1, 2, 3], [3, 1]);
  const w = tensor2d([2], [1, 1]);
  const means = (weight: Tensor) => spmmMean(block, matMul<Tensor2D>(x, weight));
  const loss = (weight: Tensor): Scalar => sum(square(means(weight)));
  const value = loss(w);
  const [gradient] = grads(loss)([w]);
  const found = [...(await value.data()), ...((await gradient?.data()) ?? [])];
  for (const each of [x, w, value, gradient]) each?.dispose();
  const isRight = found.length === 2 && found.every((each) => Math.abs(each - 45) < 1e-3);
  if (isRight) return;
  throw new GnnError(
    "DEVICE_NOT_AVAILABLE",
    `The backend computes wrongly: a sum and its gradient, 45 and 45, came out as ${found.join(" and ")}. Choose another with HOPWISE_BACKEND.`,
  );
}
