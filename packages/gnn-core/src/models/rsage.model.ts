import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import {
  behindTypedInput,
  ownParameters,
  ownTypes,
  projectedShape,
  projectionParameters,
  relationModel,
  relationsOfShape,
} from "./relation-options.ts";
import { stackedLayers, stackedParameters, stackOptions } from "./stacked-layers.ts";

const options = z.strictObject({
  ...stackOptions,
  l2Normalize: z
    .boolean()
    .default(false)
    .describe("Scales every row of a hidden layer to length 1, as the paper's algorithm does"),
});

/**
 * GraphSAGE with weights of each relation, and of each type of node for its own row:
 *   hᵏ_v = act(Σ_r W_rᵏ·mean{ hᵏ⁻¹_u : u → v of relation r } + W_selfᵏ,type(v)·hᵏ⁻¹_v + bᵏ,type(v))
 * no activation after the last layer. Hamilton et al. 2017 (arXiv:1706.02216), Algorithm 1, for every relation, added
 * up: DGL's HeteroGraphConv of SAGEConv.
 */
export const rsage = defineModel({
  name: "rsage",
  version: 1,
  title: "R-SAGE",
  summary: "GraphSAGE for each type of edge and node, added up; the default for graphs with a handful of types.",
  reference: "Hamilton et al. 2017, Inductive Representation Learning on Large Graphs, arXiv:1706.02216",
  options,
  ...relationModel,
  messageCost: 2,
  numParameters: (chosen, shape) =>
    projectionParameters(shape, chosen.hiddenFeats) +
    stackedParameters(chosen, projectedShape(shape, chosen.hiddenFeats), (inDim, outDim, isLast) => {
      const { numRelations = 1 } = shape;
      return numRelations * inDim * outDim + ownParameters(chosen, shape, { inDim, outDim, isLast });
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("rsage", shape);
    const own = ownTypes(shape, graph);
    const relations = { numRelations, decomposition: { type: "none" } as const, ...(own && { own }) };
    const { hiddenFeats } = chosen;
    const layers = stackedLayers(chosen, projectedShape(shape, hiddenFeats)).map((layer) =>
      nn.generalLayer({ ...layer, ...relations }, nn.relationConv),
    );
    return nn.sequential(behindTypedInput(layers, shape, hiddenFeats, graph, nn), {
      usesNeighbors: true,
      walksRelations: true,
    });
  },
});
