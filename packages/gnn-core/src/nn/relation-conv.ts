import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import type { ParametricLayer, RelationOptions } from "./index.ts";
import { inputDropout } from "./input-dropout.ts";
import type { ForwardContext, LayerInput } from "./model.ts";
import { ownWeights } from "./own-weights.ts";
import { relationWeights } from "./relation-weights.ts";

/**
 * Layer on typed edges; dropout on x while training.
 *   h_v = act(Σ_r W_r·mean{ x_u : u → v of relation r } + W_own·x_v + b)
 * With one W_own this is R-GCN: Schlichtkrull et al. 2018 (arXiv:1703.06103), equation 2, c_vr the number of in-edges;
 * DGL RelGraphConv with norm 1/c. With W_own and b of the node's type, GraphSAGE of each relation, added up: DGL
 * HeteroGraphConv of SAGEConv, whose W_self of the relations into a type act as their sum.
 *
 * forward(block, x, context):
 *   x        float32 [block.numSrc, inDim], feature rows or a tensor; row i belongs to block.srcIds[i]
 *   returns  float32 [block.numDst, outDim], owned by the caller. A relation without edges into v adds 0
 *   throws   GnnError SHAPE_MISMATCH when x has not numSrc rows or inDim columns, or the block no types of edges
 */
export function relationConvLayer(options: RelationOptions): ParametricLayer {
  const { index, outDim, activation, dropout } = options;
  const relations = relationWeights(options);
  const own = ownWeights(options);
  const variables = [...own.variables, ...relations.variables];
  return {
    outDim,
    variables,
    ...(own.outputBias && { outputBias: own.outputBias }),
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        const input = inputDropout(x, block.srcIds, dropout, index, context);
        return addActivate(own.of(block, input), relations.sum(block, input), activation);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
