import { type JobPreset, wholeNeighborhoods } from "./job-preset.ts";

/**
 * Rows for the nodes of any graph in four passes over its edges, of which the last two count, as in the paper. Features
 * are not read: where there are some, what is learnt from them tells more.
 */
export const fastRpPreset: JobPreset = {
  name: "fastRp",
  situation: "large-no-labels",
  model: "fastRp",
  title: "Embeddings, without training",
  summary: "256 numbers for every node by random projections along the edges (FastRP): minutes on millions of nodes.",
  spec: {
    task: { type: "fastRp" },
    features: { structural: null, transforms: [] },
    model: { type: "fastRp", options: { iterationWeights: [0, 0, 1, 1], normalizationStrength: 0 } },
    sampling: wholeNeighborhoods,
    train: { epochs: 1 },
  },
};
