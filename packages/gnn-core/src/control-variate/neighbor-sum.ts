import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { LinearAggregation } from "../components/define-model.ts";
import type { Block } from "../graph/block.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import { nativeGraph } from "../graph/native-graph.ts";
import { gcnNorm } from "../ops/gcn-norm.ts";
import { meanWeights } from "../ops/reduce-edges.ts";
import type { SumWeights } from "../ops/weighted-spmm.ts";
import { inDegrees } from "../sampling/with-degrees.ts";

/**
 * The fixed sum over a neighbourhood that every layer of a model begins with:
 *   z_v = Σ_{u → v} c_uv·x_u + s_v·x_v
 *   "mean":  c_uv = 1/|N(v)|, s_v = 0 (GraphSAGE)
 *   "gcn":   c_uv = w_uv/√(d̂_u·d̂_v), s_v = 1/d̂_v, d̂ = 1 + (weighted) in-degree (Kipf and Welling 2017, equation 2)
 */
export interface NeighborSum {
  readonly type: LinearAggregation;
  readonly graph: CscGraph;
  /** 1/√d̂ of every node, float32 [numNodes]; null for the mean */
  readonly inverseRoots: Float32Array | null;
}

export async function neighborSum(type: LinearAggregation, graph: CscGraph): Promise<NeighborSum> {
  if (type === "mean") return { type, graph, inverseRoots: null };
  const degrees = await inDegrees(
    graph,
    Int32Array.from({ length: graph.numNodes }, (_, node) => node),
  );
  return { type, graph, inverseRoots: degrees.map(inverseRoot) };
}

/** In float32 throughout, so that whole sums have the bits that `gcnNorm` gives them. */
function inverseRoot(degree: number): number {
  const hat = Math.fround(degree + 1);
  return hat > 0 ? Math.fround(1 / Math.fround(Math.sqrt(hat))) : 0;
}

/**
 * z of the given nodes, from all their in-neighbours.
 *
 * @param nodes  GlobalIds, int32 [n]
 * @param x      float32 [numNodes, dim] by GlobalId
 * @returns      float32 [n, dim]
 * @throws GnnError SHAPE_MISMATCH for a node outside the graph or x of another size
 */
export function sumNeighbors(
  { graph, inverseRoots }: NeighborSum,
  nodes: Int32Array,
  dim: number,
  x: Float32Array,
): Float32Array {
  const out = new Float32Array(nodes.length * dim);
  nativeSync(() => loadAddon().sumNeighbors(inverseRoots, nodes, dim, x, out, nativeGraph(graph)));
  return out;
}

/**
 * Weights of a block's edges that make their sum an estimate of z without bias: c_uv·|N(v)|/|N̂(v)| where the edges
 * were drawn with equal probability, c_uv times the importance that the sampler gives otherwise; c_uv where all are
 * there.
 *
 * @throws GnnError SHAPE_MISMATCH for "gcn" when the block carries no degrees
 */
export function drawnWeights(type: LinearAggregation, block: Block): SumWeights & { edgeWeights: Float32Array } {
  if (type === "mean") return { edgeWeights: meanWeights(block), selfWeights: null };
  const { edgeWeights, selfWeights } = gcnNorm(block);
  return { edgeWeights: edgeWeights as Float32Array, selfWeights };
}
