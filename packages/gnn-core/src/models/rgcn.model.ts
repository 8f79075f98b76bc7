import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { blocksOf } from "../nn/diagonal-blocks.ts";
import {
  behindTypedInput,
  projectedShape,
  projectionParameters,
  relationModel,
  relationsOfShape,
} from "./relation-options.ts";
import { stackedLayers, stackedParameters, stackOptions } from "./stacked-layers.ts";

const options = z.strictObject({
  decomposition: z
    .enum(["basis", "blocks", "none"])
    .default("basis")
    .describe(
      "What the weights of relations are made of: sums of shared matrices (basis), blocks on a diagonal, or a matrix of each",
    ),
  numBases: z
    .number()
    .int()
    .min(1)
    .max(1024)
    .default(8)
    .describe("Shared matrices, or blocks on the diagonal at most; fewer where widths or relations ask for it"),
  ...stackOptions,
});

/**
 * Relational graph convolutional network:
 *   hᵏ⁺¹_v = act(Σ_r W_rᵏ·mean{ hᵏ_u : u → v of relation r } + W_selfᵏ·hᵏ_v + bᵏ);  no activation after the last layer
 * Schlichtkrull et al. 2018 (arXiv:1703.06103), equation 2 with c_vr the number of in-edges; W_r by equation 3 (basis),
 * 4 (blocks) or a matrix of each relation.
 */
export const rgcn = defineModel({
  name: "rgcn",
  version: 1,
  title: "R-GCN",
  summary: "Each type of edge has a weight of its own, made of a few shared ones; for graphs with many relations.",
  reference: "Schlichtkrull et al. 2018, Modeling Relational Data with Graph Convolutional Networks, arXiv:1703.06103",
  options,
  ...relationModel,
  messageCost: 2,
  numParameters: (chosen, shape) =>
    projectionParameters(shape, chosen.hiddenFeats) +
    stackedParameters(chosen, projectedShape(shape, chosen.hiddenFeats), (inDim, outDim) => {
      const { numRelations = 1 } = shape;
      const { decomposition, numBases } = chosen;
      const own = (inDim + 1) * outDim;
      if (decomposition === "blocks") return own + (numRelations * inDim * outDim) / blocksOf(inDim, outDim, numBases);
      const shared = decomposition === "basis" && numBases < numRelations;
      return own + (shared ? numBases * (inDim * outDim + numRelations) : numRelations * inDim * outDim);
    }),
  create: (chosen, shape, nn, graph) => {
    const numRelations = relationsOfShape("rgcn", shape);
    const { decomposition: type, numBases, hiddenFeats } = chosen;
    const decomposition = { type, numBases, numBlocks: numBases };
    const layers = stackedLayers(chosen, projectedShape(shape, hiddenFeats)).map((layer) =>
      nn.generalLayer({ ...layer, numRelations, decomposition }, nn.relationConv),
    );
    return nn.sequential(behindTypedInput(layers, shape, hiddenFeats, graph, nn), {
      usesNeighbors: true,
      walksRelations: true,
    });
  },
});
