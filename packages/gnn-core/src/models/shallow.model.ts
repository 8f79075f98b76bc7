import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import type { LayerInput } from "../nn/model.ts";
import { requireSameWidth } from "./same-width.ts";

/** Each node's row is looked up and nothing is computed: an encoder without weights, for what learns rows alone. */
export const shallow = defineModel({
  name: "shallow",
  version: 1,
  title: "Rows alone (no features, no layers)",
  summary: "Learned rows of the nodes as they are: for node2vec, and for decoders of links without messages.",
  reference: "Hamilton et al. 2017, Representation Learning on Graphs, arXiv:1709.05584, section 2.2",
  options: z.strictObject({}),
  numHops: () => 0,
  readsFeatures: false,
  usesDropout: () => false,
  readsEdgeWeights: () => false,
  numParameters: () => 0,
  create: (_options, { inDim, outDim }, nn) => {
    requireSameWidth("shallow", { inDim, outDim });
    const layer = {
      outDim,
      forward: (block: { readonly numDst: number }, x: LayerInput) =>
        nn.tf.tidy(() => {
          const rows = nn.toTensor(x);
          // Nothing is copied where all rows are asked for, nor is their gradient.
          return rows.shape[0] === block.numDst ? nn.tf.clone(rows) : nn.tf.slice(rows, [0, 0], [block.numDst, outDim]);
        }),
    };
    return { layers: [layer], variables: [], usesNeighbors: false, dispose: () => {} };
  },
});
