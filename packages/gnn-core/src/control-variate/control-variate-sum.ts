import type { GraphHandle } from "../backends/native/graph-addon.ts";
import { hasKernel, runKernel } from "../backends/run-kernel.ts";
import { add, concat, slice, sub, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { checkBlockRows } from "../ops/block-attrs.ts";
import { composeWeightedSpmm, type SumWeights } from "../ops/weighted-spmm.ts";
import { drawnWeights, type NeighborSum, sumNeighbors } from "./neighbor-sum.ts";

export interface SumAttrs extends SumWeights {
  readonly block: Block;
  readonly sum: NeighborSum;
  readonly edgeWeights: Float32Array;
  readonly history: Float32Array;
  readonly withOwnRows: boolean;
}

/** What the kernel reads beside: the whole graph, whose neighbourhoods the history is summed over. */
export interface SumKernelAttrs extends SumAttrs {
  readonly graph: GraphHandle;
}

/**
 * The control-variate estimate of a whole-neighbourhood sum from a few drawn edges.
 *   ẑ_v = Σ_{e: u → v} a_e·(h_u − h̄_u) + s_v·(h_v − h̄_v) + Σ_{u ∈ N(v)} c_uv·h̄_u + s_v·h̄_v
 * Chen, Zhu and Song 2018 (arXiv:1710.10568), equation 5; a_e and c_uv: see neighbor-sum.ts. Its mean over the draws is
 * the exact sum of h, whatever the history h̄; its variance is that of h − h̄, so none where the history is exact.
 * The history is a constant: the gradient is that of the drawn sum.
 *
 * For "mean", whose layers read a node's own row beside the mean, the own rows come first: [h_v; ẑ_v], as `updateBlock`
 * has them.
 *
 * @param block    drawn edges; for "gcn" with `srcDegrees`
 * @param h        float32 [block.numSrc, dim]
 * @param history  float32 [numNodes, dim] by GlobalId; read only while this function runs
 * @returns        float32 [numDst, dim], for "mean" [2·numDst, dim], owned by the caller
 * @throws GnnError SHAPE_MISMATCH when h has not numSrc rows, or the history not numNodes · dim values
 */
export function controlVariateSum(block: Block, h: Tensor2D, sum: NeighborSum, history: Float32Array): Tensor2D {
  checkBlockRows("controlVariateSum", block, h.shape[0]);
  const withOwnRows = sum.type === "mean";
  const attrs: SumAttrs = { block, sum, history, withOwnRows, ...drawnWeights(sum.type, block) };
  if (!hasKernel("ControlVariateSum")) return tidy(() => composeControlVariateSum(h, attrs));
  const kernelAttrs: SumKernelAttrs = { ...attrs, graph: nativeGraph(sum.graph) };
  return runKernel("ControlVariateSum", { h }, kernelAttrs)[0] as Tensor2D;
}

/** The sum composed of stock ops, but for the sum of the history, which is no part of the tape. */
function composeControlVariateSum(h: Tensor2D, attrs: SumAttrs): Tensor2D {
  const { block, sum, history, withOwnRows, edgeWeights, selfWeights } = attrs;
  const dim = h.shape[1];
  const remembered = new Float32Array(block.numSrc * dim);
  for (const [row, id] of block.srcIds.entries()) {
    remembered.set(history.subarray(id * dim, (id + 1) * dim), row * dim);
  }
  const whole = sumNeighbors(sum, block.srcIds.subarray(0, block.numDst), dim, history);
  const delta = sub<Tensor2D>(h, tensor2d(remembered, [block.numSrc, dim]));
  const drawn = composeWeightedSpmm(block, delta, { edgeWeights, selfWeights });
  const estimate = add<Tensor2D>(drawn, tensor2d(whole, [block.numDst, dim]));
  return withOwnRows ? concat([slice(h, [0, 0], [block.numDst, dim]), estimate]) : estimate;
}
