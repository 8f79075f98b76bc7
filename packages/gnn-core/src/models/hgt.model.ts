import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { headCount, requireSharedWidth } from "./attention-heads.ts";
import {
  behindTypedInput,
  ownTypes,
  projectedShape,
  projectionParameters,
  relationModel,
  relationsOfShape,
} from "./relation-options.ts";
import { stackedLayers, stackedParameters, stackOptions } from "./stacked-layers.ts";

const fields = z.strictObject({
  ...stackOptions,
  hiddenFeats: stackOptions.hiddenFeats.default(64).describe("Width of hidden layers, all heads together"),
  heads: headCount.default(4).describe("Attention heads; must divide the width"),
  activation: stackOptions.activation.default("none"),
  dropout: stackOptions.dropout.default(0.2),
});

const options = fields.superRefine(({ hiddenFeats, heads }, context) => {
  requireSharedWidth(hiddenFeats, heads, context);
});

/**
 * Heterogeneous graph transformer: queries, keys and messages by weights of each type of node, scored and sent by
 * matrices of each relation. Hu et al. 2020 (arXiv:2003.01332), section 3, without its encoding of times. Every layer
 * attends to `hiddenFeats` columns; the last one gives the logits, where the paper has a linear layer behind.
 */
export const hgt = defineModel({
  name: "hgt",
  version: 1,
  title: "HGT",
  summary: "A transformer's attention with weights for each type of node and edge; strong where there is much data.",
  reference: "Hu et al. 2020, Heterogeneous Graph Transformer, arXiv:2003.01332",
  options,
  ...relationModel,
  messageCost: 8,
  numParameters: (chosen, shape) =>
    projectionParameters(shape, chosen.hiddenFeats) +
    stackedParameters(chosen, projectedShape(shape, chosen.hiddenFeats), (inDim, outDim, isLast) => {
      const { numRelations = 1, numNodeTypes = 1 } = shape;
      const { heads, hiddenFeats: width } = chosen;
      const ofTypes = 3 * (inDim + 1) * width + (width + 1) * outDim + (inDim + 1) * outDim + 1;
      const dim = width / heads;
      // No bias of one row is taken off by batch normalisation: those of the output and of the skip are mixed first.
      const keptBias = chosen.norm === "batch" && !isLast ? outDim : 0;
      return numNodeTypes * ofTypes + numRelations * (2 * heads * dim * dim + heads) + keptBias;
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("hgt", shape);
    const own = ownTypes(shape, graph);
    const { hiddenFeats: width, heads } = chosen;
    const layers = stackedLayers(chosen, projectedShape(shape, width)).map((layer) =>
      nn.generalLayer({ ...layer, numRelations, heads, width, ...(own && { own }) }, nn.transformerConv),
    );
    return nn.sequential(behindTypedInput(layers, shape, width, graph, nn), { usesNeighbors: true });
  },
});
