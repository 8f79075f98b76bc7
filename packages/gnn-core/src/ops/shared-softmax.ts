import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { matMul, mul, type Scalar, sum, type Tensor2D, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { joinColumns } from "./columns.ts";
import { crossEntropySum } from "./cross-entropy.ts";
import { leftOut } from "./left-out.ts";

/** Which of the shared candidates are none of a query's */
export interface SharedSoftmaxAttrs {
  /** int32 [queries + 1]: where each query's begin in `left` */
  readonly starts: Int32Array;
  /** int32, rows of candidates, those of each query ascending */
  readonly left: Int32Array;
}

/**
 * The softmax of each query's own row o_i among it and candidates that all queries share, by the scores s = Q·Cᵀ,
 * summed over the queries:
 *   Σ_i [log(e^⟨q_i, o_i⟩ + Σ_{v ∉ left_i} e^{s_iv}) − ⟨q_i, o_i⟩]
 * Sampled softmax of uniformly drawn candidates: Wu et al. 2022 (arXiv:2201.02327), equation 4. The kernels make the
 * gradients with the loss and have at most 192 rows of scores at a time, on devices 128 MiB of them; the composition
 * has all, four times.
 *
 * @param queries    float32 [n, dim]
 * @param own        float32 [n, dim]
 * @param candidates float32 [m, dim]
 * @returns float32 scalar, owned by the caller
 * @throws GnnError SHAPE_MISMATCH
 */
export function sharedSoftmaxSum(
  queries: Tensor2D,
  own: Tensor2D,
  candidates: Tensor2D,
  attrs: SharedSoftmaxAttrs,
): Scalar {
  const [numQueries, dim] = queries.shape;
  if (attrs.starts.length !== numQueries + 1 || own.shape[0] !== numQueries || candidates.shape[1] !== dim) {
    const found = `${numQueries} × ${dim} queries, ${attrs.starts.length} starts, ${own.shape[0]} own rows, candidates ${candidates.shape[1]} wide`;
    throw new GnnError("SHAPE_MISMATCH", `sharedSoftmaxSum: ${found}; expected one start more, as many, as wide.`);
  }
  return tidy(() => {
    if (hasKernel("SharedSoftmax")) return runKernel("SharedSoftmax", { queries, own, candidates }, attrs)[0] as Scalar;
    const scores = leftOut(matMul<Tensor2D>(queries, candidates, false, true), attrs);
    const positives = sum<Tensor2D>(mul(queries, own), 1, true);
    return crossEntropySum(joinColumns(positives, scores), new Int32Array(numQueries), null);
  });
}
