import {
  add,
  concat,
  customGrad,
  div,
  type GradSaveFunc,
  mul,
  pad,
  type Rank,
  relu,
  slice,
  square,
  sub,
  sum,
  type Tensor,
  type Tensor1D,
  type Tensor2D,
  tensor1d,
  zeros,
} from "../backends/tf.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { ColumnStatistics } from "../ops/batch-norm.ts";

export interface CountedMoments extends ColumnStatistics {
  /** Rows that were counted, on all ranks; float32 [1] where a device knows it */
  readonly count: number | Tensor1D;
}

/**
 * Mean and variance of the first `numRows` rows of every rank, on the tape: those of all seeds, each of which is one
 * rank's alone. Forward the ranks add up Σ(z − c), Σ(z − c)² and n, with the running mean as c, which keeps the sums
 * small; backward the gradients by mean μ and variance σ², and each rank's rows get dμ/n + 2·dσ²·(z_v − μ)/n.
 * Ioffe and Szegedy 2015 (arXiv:1502.03167), algorithm 1.
 *
 * @param z       float32 [≥ numRows, dim]; null on a rank without seeds, which has no backward pass
 * @param center  float32 [dim], the same on every rank
 */
export function momentsOfRanks(
  z: Tensor2D | null,
  numRows: number,
  center: Tensor1D,
  peers: PeerTensors,
): CountedMoments {
  const [dim] = center.shape;
  if (!z) return partsOf(fromSums(peers.sum(zeros<Rank.R1>([2 * dim + 1])), center), dim);
  const moments = customGrad<Tensor1D>((x, saved) => {
    const rows = slice(x as Tensor2D, [0, 0], [numRows, dim]);
    const from = sub<Tensor2D>(rows, center);
    const own = concat<Tensor1D>([sum<Tensor1D>(from, 0), sum<Tensor1D>(square(from), 0), tensor1d([numRows])]);
    const value = fromSums(peers.sum(own), center);
    (saved as unknown as GradSaveFunc)([x as Tensor2D, value]);
    return {
      value,
      gradFunc: (dy: Tensor, [kept, found]: Tensor[]) =>
        toRows(kept as Tensor2D, numRows, found as Tensor1D, dy, peers),
    };
  });
  return partsOf(moments(z), dim);
}

/** [mean, variance, count] of [Σ(z − c), Σ(z − c)², n] */
function fromSums(sums: Tensor1D, center: Tensor1D): Tensor1D {
  const [dim] = center.shape;
  const count = slice(sums, [2 * dim], [1]);
  const shift = div<Tensor1D>(slice(sums, [0], [dim]), count);
  const variance = relu<Tensor1D>(sub(div(slice(sums, [dim], [dim]), count), square(shift)));
  return concat<Tensor1D>([add<Tensor1D>(center, shift), variance, count]);
}

function partsOf(moments: Tensor1D, dim: number) {
  const part = (begin: number, size: number) => slice(moments, [begin], [size]);
  return { mean: part(0, dim), variance: part(dim, dim), count: part(2 * dim, 1) };
}

/** What the statistics of all ranks pass back to this rank's rows. */
function toRows(z: Tensor2D, numRows: number, moments: Tensor1D, dy: Tensor, peers: PeerTensors): Tensor2D {
  const [height, dim] = z.shape;
  const { mean, count } = partsOf(moments, dim);
  const reached = div<Tensor1D>(peers.sum(slice(dy as Tensor1D, [0], [2 * dim])), count);
  const from = sub<Tensor2D>(slice(z, [0, 0], [numRows, dim]), mean);
  const quadratic = mul<Tensor1D>(slice(reached, [dim], [dim]), 2);
  return pad(add<Tensor2D>(mul<Tensor2D>(from, quadratic), slice(reached, [0], [dim])), [
    [0, height - numRows],
    [0, 0],
  ]);
}
