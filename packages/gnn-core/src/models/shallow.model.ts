import { z } from "zod";
import { defineModel } from "../components/define-model.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { LayerInput } from "../nn/model.ts";

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
    if (inDim !== outDim) throw noSuchRows(inDim, outDim);
    const layer = {
      outDim,
      forward: (block: { readonly numDst: number }, x: LayerInput) =>
        nn.tf.tidy(() => nn.tf.slice(nn.toTensor(x), [0, 0], [block.numDst, outDim])),
    };
    return { layers: [layer], variables: [], usesNeighbors: false, dispose: () => {} };
  },
});

function noSuchRows(inDim: number, outDim: number): GnnError {
  const pointer = inDim === 0 ? "/features/embedding" : "/features/embedding/dim";
  const found =
    inDim === 0
      ? `the model shallow gives the learned rows, and none are; have rows learned that are ${outDim} wide`
      : `the model shallow gives the learned rows as they are, ${inDim} wide, and the task asks for ${outDim}; make both equal`;
  return new GnnError("SPEC_INVALID", `${pointer}: ${found}.`, { place: { pointer } });
}
