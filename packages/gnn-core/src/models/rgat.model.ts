import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { relationSoftmaxes } from "../nn/layer-choices.ts";
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
  heads: headCount.default(4).describe("Attention heads of the hidden layers; must divide their width"),
  outHeads: headCount.default(1).describe("Attention heads of the last layer, which are averaged"),
  activation: stackOptions.activation.default("elu"),
  softmax: z
    .enum(relationSoftmaxes)
    .default("withinRelation")
    .describe("Attention adds up to 1 over a node's edges of each relation, or over all its edges together"),
  negativeSlope: z
    .number()
    .min(0)
    .max(1)
    .default(0.2)
    .describe("Slope below zero of the leaky ReLU on attention scores"),
});

const options = fields.superRefine(({ numLayers, hiddenFeats, heads }, context) => {
  if (numLayers >= 2) requireSharedWidth(hiddenFeats, heads, context);
});

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
      const { numRelations = 1, numNodeTypes = 1 } = shape;
      const width = isLast ? outDim * chosen.outHeads : outDim;
      const keptBias = chosen.norm === "batch" && numNodeTypes > 1 && !isLast ? outDim : 0;
      return numRelations * (inDim + 2) * width + numNodeTypes * (inDim + 1) * outDim + keptBias;
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("rgat", shape);
    const own = ownTypes(shape, graph);
    const { hiddenFeats, numLayers, softmax, negativeSlope } = chosen;
    const layers = stackedLayers(chosen, projectedShape(shape, hiddenFeats)).map((layer) => {
      const isLast = layer.index === numLayers - 1;
      const attention = {
        ...layer,
        numRelations,
        heads: isLast ? chosen.outHeads : chosen.heads,
        merge: isLast ? "mean" : "concat",
        softmax,
        negativeSlope,
        ...(own && { own }),
      } as const;
      return nn.generalLayer(attention, nn.relationGat);
    });
    return nn.sequential(behindTypedInput(layers, shape, hiddenFeats, graph, nn), { usesNeighbors: true });
  },
});
