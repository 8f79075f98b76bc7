import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { headsOfLayer, negativeSlope, relationHeadOptions, requireHiddenWidth } from "./attention-heads.ts";
import {
  behindTypedInput,
  ownParameters,
  ownTypes,
  projectedShape,
  projectionParameters,
  relationModel,
  relationsOfShape,
} from "./relation-options.ts";
import { stackedLayers, stackedParameters } from "./stacked-layers.ts";

const fields = z.strictObject({
  ...relationHeadOptions,
  relationDim: z.number().int().min(1).max(1024).default(16).describe("Length of the vector learned of each relation"),
  negativeSlope: negativeSlope(0.05),
  normalizeOutput: z
    .boolean()
    .default(false)
    .describe("Scales every row of the last layer to length 1, as the paper does"),
});

const options = fields.superRefine(requireHiddenWidth);

/**
 * Simple-HGN: graph attention that reads the relation of each edge, with weights of its type for the node's own row;
 * hidden layers concatenate their heads, the last one averages them. Lv et al. 2021 (arXiv:2112.14936), section 5. The
 * paper also mixes each layer's attention with that of the layer before on the same edge; sampled layers have other
 * edges than those before them, and it is left out here.
 */
export const simpleHgn = defineModel({
  name: "simpleHgn",
  version: 1,
  title: "Simple-HGN",
  summary: "Attention that reads the type of each edge and learns which of all neighbours to listen to.",
  reference: "Lv et al. 2021, Are we really making much progress? Revisiting heterogeneous GNNs, arXiv:2112.14936",
  options,
  ...relationModel,
  messageCost: 5,
  numParameters: (chosen, shape) =>
    projectionParameters(shape, chosen.hiddenFeats) +
    stackedParameters(chosen, projectedShape(shape, chosen.hiddenFeats), (inDim, outDim, isLast) => {
      const { numRelations = 1 } = shape;
      const { relationDim } = chosen;
      const count = isLast ? chosen.outHeads : chosen.heads;
      const width = isLast ? outDim * count : outDim;
      const ofRelations = (numRelations + count * relationDim + count) * relationDim;
      return inDim * width + 2 * width + ofRelations + ownParameters(chosen, shape, { inDim, outDim, isLast });
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("simpleHgn", shape);
    const own = ownTypes(shape, graph);
    const { hiddenFeats, numLayers, relationDim } = chosen;
    const layers = stackedLayers(chosen, projectedShape(shape, hiddenFeats)).map((layer) => {
      const isLast = layer.index === numLayers - 1;
      const attention = {
        ...layer,
        l2Normalize: isLast && chosen.normalizeOutput,
        numRelations,
        relationDim,
        ...headsOfLayer(chosen, layer.index),
        negativeSlope: chosen.negativeSlope,
        ...(own && { own }),
      } as const;
      return nn.generalLayer(attention, nn.relationAttention);
    });
    return nn.sequential(behindTypedInput(layers, shape, hiddenFeats, graph, nn), { usesNeighbors: true });
  },
});
