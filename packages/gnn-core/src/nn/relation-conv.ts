import { tidy } from "../backends/tf.ts";
import type { Block } from "../graph/block.ts";
import { addActivate } from "../ops/add-activate.ts";
import { fusesTypedConv, typedConv, typedConvDroppedInPlace } from "../ops/typed-conv.ts";
import { activate, splitActivation } from "./activate.ts";
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
  const { index, outDim, activation, dropout, numRelations } = options;
  const { fused, rest } = splitActivation(activation);
  const relations = relationWeights(options);
  const own = ownWeights(options);
  const variables = [...own.variables, ...relations.variables];
  return {
    outDim,
    variables,
    ...(own.outputBias && { outputBias: own.outputBias }),
    // What behind the fused layer looks at signs is the same wherever it is composed.
    keepsSigns: fused === "relu" && rest === "none",
    dropsInPlace: true,
    forward: (block: Block, x: LayerInput, context: ForwardContext) =>
      tidy(() => {
        if (!relations.matrices || !fusesTypedConv(block, x, numRelations)) {
          const input = inputDropout(x, block.srcIds, dropout, index, context);
          return addActivate(own.of(block, input), relations.sum(block, input), activation);
        }
        const weights = { relations: relations.matrices(), ...own.parameters };
        const shape = { numRelations, numTypes: own.numTypes, rowTypes: own.rowTypes(block) };
        if (context.training && context.mayDropInPlace && dropout > 0 && !("kind" in x)) {
          const key = { seed: context.seed, layer: index, epoch: context.epoch, step: context.step };
          return activate(typedConvDroppedInPlace(block, x, weights, shape, fused, { rate: dropout, key }), rest);
        }
        const input = inputDropout(x, block.srcIds, dropout, index, context);
        return activate(typedConv(block, input, weights, shape, fused), rest);
      }),
    dispose: () => {
      for (const { variable } of variables) variable.dispose();
    },
  };
}
