import { z } from "zod";
import { defineModel } from "../components/define-model.ts";

const options = z.strictObject({
  numHops: z.number().int().min(1).max(16).default(2).describe("Hops; the sampler needs a fanout for each"),
  dropout: z.number().min(0).max(0.99).default(0).describe("Share of the features dropped in training"),
});

/**
 * Simple graph convolution: logits = Âᴷ·X·W + b, a GCN without its nonlinearities.
 * Wu et al. 2019 (arXiv:1902.07153), equation 8.
 */
export const sgc = defineModel({
  name: "sgc",
  version: 1,
  title: "SGC",
  summary: "A linear classifier on features that were averaged over K hops; the fastest model with edges.",
  reference: "Wu et al. 2019, Simplifying Graph Convolutional Networks, arXiv:1902.07153",
  options,
  numHops: ({ numHops }) => numHops,
  // Features are projected before the first hop, so every hop is as wide as the output.
  hiddenFeats: (_options, { outDim }) => outDim,
  usesDropout: ({ dropout }) => dropout > 0,
  readsEdgeWeights: () => true,
  numParameters: (_options, { inDim, outDim }) => inDim * outDim + outDim,
  create: ({ numHops, dropout }, { inDim, outDim, seed }, nn) =>
    nn.sequential(
      Array.from({ length: numHops }, (_, index) =>
        nn.sgcHop({
          index,
          inDim: index === 0 ? inDim : outDim,
          outDim,
          seed,
          dropout,
          isFirst: index === 0,
          isLast: index === numHops - 1,
        }),
      ),
      { usesNeighbors: true, usesDegrees: true },
    ),
});
