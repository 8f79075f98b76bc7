import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, div, matMul, mul, type Scalar, sub, sum, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { crossEntropySum } from "./cross-entropy.ts";
import { gatherRows } from "./gather-rows.ts";
import { softplus } from "./softplus.ts";

export interface KvsAllAttrs {
  /** softmax: which candidates are targets; binary: of each candidate whether it is one */
  readonly kind: "softmax" | "binary";
  /** Share of each target that is spread over all candidates of its query, in [0, 1) */
  readonly smoothing: number;
  /** int32 [queries + 1]: where each query's targets begin; every query has some */
  readonly starts: Int32Array;
  /** int32, rows of candidates */
  readonly targets: Int32Array;
  /**
   * A query's candidates are those in the group of its first target; null: all are. `groupOf`: int32 [candidates],
   * below `numGroups`
   */
  readonly groups: { readonly groupOf: Int32Array; readonly numGroups: number } | null;
}

/** What is no candidate scores so much less that its exponential is 0. */
const farBelow = 1e9;

/**
 * The loss of queries against all candidates by the scores s = Q·Cᵀ, summed over the queries; y shares 1 − ε among a
 * query's targets (binary: 1 − ε each) and ε among all of its candidates:
 *   softmax  Σ_i [log Σ_v e^{s_iv} − Σ_v y_iv·s_iv]
 *   binary   Σ_i Σ_v [log(1 + e^{s_iv}) − y_iv·s_iv]
 * 1-vs-all: Lacroix et al. 2018 (arXiv:1806.07297), section 2.2; several targets and the binary loss: Dettmers et al.
 * 2018 (arXiv:1707.01476), section 4.1.
 *
 * The kernels make the gradient with the loss, by three products, and have at most 192 rows of scores at a time, on
 * devices 128 MiB of them; the composition has all of them, four times.
 *
 * @param queries    float32 [n, dim]
 * @param candidates float32 [m, dim]
 * @returns float32 scalar, owned by the caller
 * @throws GnnError SHAPE_MISMATCH
 */
export function kVsAllSum(queries: Tensor2D, candidates: Tensor2D, attrs: KvsAllAttrs): Scalar {
  const [numQueries, dim] = queries.shape;
  if (attrs.starts.length !== numQueries + 1 || candidates.shape[1] !== dim) {
    const found = `${numQueries} × ${dim} queries, ${attrs.starts.length} starts, candidates ${candidates.shape[1]} wide`;
    throw new GnnError("SHAPE_MISMATCH", `kVsAllSum: ${found}; expected one start more, and the same width.`);
  }
  return tidy(() => {
    if (!hasKernel("KVsAll")) return composeKvsAll(queries, candidates, attrs);
    return runKernel("KVsAll", { queries, candidates }, attrs)[0] as Scalar;
  });
}

function composeKvsAll(queries: Tensor2D, candidates: Tensor2D, attrs: KvsAllAttrs): Scalar {
  const { kind, smoothing, starts, targets } = attrs;
  const numQueries = queries.shape[0];
  const members = membersOf(attrs, candidates.shape[0]);
  const scores = matMul<Tensor2D>(queries, candidates, false, true);
  const among = members ? add<Tensor2D>(scores, mul(sub(members, 1), farBelow)) : scores;
  const queryOf = new Int32Array(targets.length);
  const shares = new Float32Array(targets.length);
  for (let query = 0; query < numQueries; query++) {
    const [begin, end] = [starts[query] as number, starts[query + 1] as number];
    queryOf.fill(query, begin, end);
    shares.fill((1 - smoothing) / (kind === "softmax" ? end - begin : 1), begin, end);
  }
  const own = sum<Tensor2D>(mul(gatherRows(queries, queryOf), gatherRows(candidates, targets)), 1, true);
  const taken = sum<Scalar>(mul(own, tensor2d(shares, [targets.length, 1])));
  const firsts = starts.subarray(0, numQueries);
  const total =
    kind === "softmax"
      ? add<Scalar>(
          crossEntropySum(
            among,
            firsts.map((at) => targets[at] as number),
            null,
          ),
          sum(gatherRows(own, firsts.slice())),
        )
      : sum<Scalar>(softplus(among));
  const loss = sub<Scalar>(total, taken);
  if (smoothing === 0) return loss;
  const means = members
    ? div(sum(mul(scores, members), 1, true), sum(members, 1, true))
    : div(sum(scores, 1, true), candidates.shape[0]);
  return sub(loss, mul(smoothing, sum<Scalar>(means)));
}

/** float32 [queries, candidates]: 1 where it is one of the query's */
function membersOf({ groups, starts, targets }: KvsAllAttrs, numCandidates: number): Tensor2D | null {
  if (!groups) return null;
  const { groupOf, numGroups } = groups;
  const values = new Float32Array(numGroups * numCandidates);
  for (const [candidate, group] of groupOf.entries()) values[group * numCandidates + candidate] = 1;
  const rows = starts.subarray(0, -1).map((at) => groupOf[targets[at] as number] as number);
  return gatherRows(tensor2d(values, [numGroups, numCandidates]), rows);
}
