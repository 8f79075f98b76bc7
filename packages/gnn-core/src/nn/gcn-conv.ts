import { gcnWeights } from "../ops/gcn-norm.ts";
import type { LayerOptions, ParametricLayer } from "./index.ts";
import { weightedConv } from "./weighted-conv.ts";

/**
 * Graph convolution.   h_v = act(Σ_{u ∈ N(v)} w_uv/√(d̂_u·d̂_v)·W·x_u + 1/d̂_v·W·x_v + b), d̂ = 1 + (weighted)
 * in-degree in the whole graph Kipf and Welling 2017 (arXiv:1609.02907), equation 2; PyG GCNConv. Sampled blocks: see
 * ops/gcn-norm.ts.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. No in-neighbour: W·x_v + b
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no srcDegrees
 */
export function gcnConvLayer(options: LayerOptions): ParametricLayer {
  return weightedConv("gcnConv", options, gcnWeights);
}
