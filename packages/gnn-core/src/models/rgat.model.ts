import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { relationSoftmaxes } from "../nn/layer-choices.ts";
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
  softmax: z
    .enum(relationSoftmaxes)
    .default("withinRelation")
    .describe("Attention adds up to 1 over a node's edges of each relation, or over all its edges together"),
  negativeSlope: negativeSlope(0.2),
});

const options = fields.superRefine(requireHiddenWidth);

/**
 * R-GAT: graph attention with weights and attention vectors of each relation, added up, with weights of its type for
 * the node's own row; hidden layers concatenate their heads, the last one averages them. Busbridge et al. 2019
 * (arXiv:1904.05811), section 2, with additive attention and a weight of each relation (no bases).
 */
export const rgat = defineModel({
  name: "rgat",
  version: 1,
  title: "R-GAT",
  summary: "Graph attention of each type of edge, added up; for few types whose neighbours are of unequal worth.",
  reference: "Busbridge et al. 2019, Relational Graph Attention Networks, arXiv:1904.05811",
  options,
  ...relationModel,
  messageCost: 6,
  numParameters: (chosen, shape) =>
    projectionParameters(shape, chosen.hiddenFeats) +
    stackedParameters(chosen, projectedShape(shape, chosen.hiddenFeats), (inDim, outDim, isLast) => {
      const { numRelations = 1 } = shape;
      const width = isLast ? outDim * chosen.outHeads : outDim;
      return numRelations * (inDim + 2) * width + ownParameters(chosen, shape, { inDim, outDim, isLast });
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("rgat", shape);
    const own = ownTypes(shape, graph);
    const { hiddenFeats, softmax } = chosen;
    const layers = stackedLayers(chosen, projectedShape(shape, hiddenFeats)).map((layer) => {
      const attention = {
        ...layer,
        numRelations,
        ...headsOfLayer(chosen, layer.index),
        softmax,
        negativeSlope: chosen.negativeSlope,
        ...(own && { own }),
      } as const;
      return nn.generalLayer(attention, nn.relationGat);
    });
    return nn.sequential(behindTypedInput(layers, shape, hiddenFeats, graph, nn), { usesNeighbors: true });
  },
});
