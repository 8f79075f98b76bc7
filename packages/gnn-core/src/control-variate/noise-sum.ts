import type { Tensor2D } from "../backends/tf.ts";
import { tidy } from "../backends/tf.ts";
import type { LinearAggregation } from "../components/define-model.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { type SumWeights, weightedSpmm } from "../ops/weighted-spmm.ts";
import { drawnWeights } from "./neighbor-sum.ts";

/**
 * What dropout adds to a sum over neighbours, from the drawn ones.   Σ_e b_e·(h_u − μ_u) + s_v·(h_v − μ_v),  b_e =
 * c_uv·√(|N(v)|/|N̂(v)|) h with dropout, μ without: independent of node to node and zero on average. As many such terms
 * as were drawn, scaled by the root, have the variance of the whole neighbourhood's, where the factor |N|/|N̂| of an
 * estimate would have
 * |N|/|N̂| times as much. Chen, Zhu and Song 2018 (arXiv:1710.10568), section 5.2, the estimator CVD.
 *
 * @param block  with `importance`; for "gcn" with `srcDegrees`
 * @param h, mu  float32 [numSrc, dim]
 * @returns      float32 [numDst, dim]; for "mean" [2·numDst, dim], h_v − μ_v first: what is to be added to
 *               `controlVariateSum` of μ to have the sums, and own rows, of h
 */
export function noiseSum(type: LinearAggregation, block: Block, h: Tensor2D, mu: Tensor2D): Tensor2D {
  const weights = noiseWeights(type, block);
  const ofBlock = type === "mean" ? withOwnRows(block, weights) : { block, weights };
  return tidy(() =>
    addActivate(
      weightedSpmm(ofBlock.block, h, ofBlock.weights),
      weightedSpmm(ofBlock.block, mu, negative(ofBlock.weights)),
      "none",
    ),
  );
}

/** b and s of a block's edges */
export function noiseWeights(type: LinearAggregation, block: Block): SumWeights & { edgeWeights: Float32Array } {
  const { edgeWeights, selfWeights } = drawnWeights(type, block);
  const { importance } = block;
  if (!importance) return { edgeWeights, selfWeights };
  return { edgeWeights: edgeWeights.map((weight, e) => weight / Math.sqrt(importance.sum[e] as number)), selfWeights };
}

/** The block with a dst row more for each dst row, before the others, that has the row itself as only neighbour. */
function withOwnRows(block: Block, { edgeWeights }: { edgeWeights: Float32Array }) {
  const { numSrc, numDst, indptr, indices, reverse } = block;
  const numEdges = indices.length;
  const ofOwn = (row: number) => Math.min(row, numDst); // own edges come first, in the order of the rows, one per dst row
  const reverseIndptr = reverse.indptr.map((at, row) => at + ofOwn(row));
  const reverseIndices = new Int32Array(numDst + numEdges);
  const reverseEdges = new Int32Array(numDst + numEdges);
  for (let row = 0; row < numSrc; row++) {
    let at = reverseIndptr[row] as number;
    if (row < numDst) {
      reverseIndices[at] = row;
      reverseEdges[at] = row;
      at += 1;
    }
    for (let i = reverse.indptr[row] as number; i < (reverse.indptr[row + 1] as number); i++, at++) {
      reverseIndices[at] = numDst + (reverse.indices[i] as number);
      reverseEdges[at] = numDst + (reverse.edges[i] as number);
    }
  }
  const own = Int32Array.from({ length: numDst }, (_, row) => row);
  const stacked: Block = {
    device: "cpu",
    numSrc,
    numDst: 2 * numDst,
    indptr: Int32Array.from({ length: 2 * numDst + 1 }, (_, row) =>
      row < numDst ? row : numDst + (indptr[row - numDst] as number),
    ),
    indices: Int32Array.from({ length: numDst + numEdges }, (_, e) =>
      e < numDst ? (own[e] as number) : (indices[e - numDst] as number),
    ),
    srcIds: block.srcIds,
    weights: null,
    reverse: { indptr: reverseIndptr, indices: reverseIndices, edges: reverseEdges },
  };
  const weights = new Float32Array(numDst + numEdges).fill(1, 0, numDst);
  weights.set(edgeWeights, numDst);
  return { block: stacked, weights: { edgeWeights: weights, selfWeights: null } };
}

function negative({ edgeWeights, selfWeights }: SumWeights): SumWeights {
  const minus = (weights: Float32Array | null) => weights && weights.map((weight) => -weight);
  return { edgeWeights: minus(edgeWeights), selfWeights: minus(selfWeights) };
}
