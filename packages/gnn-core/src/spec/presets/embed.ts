import { adam, type JobPreset, wholeNeighborhoods } from "./job-preset.ts";

/**
 * Rows for the nodes of any graph: with features or without (`fitPreset` then has columns made from the edges), with
 * labels or without. One layer, an activation that keeps what is below zero, and a low rate, as in the paper: rows then
 * stay near a random projection of the neighbourhood, which training refines; with a high rate they fall into a few
 * directions. Words are read as they are, for shares of a row are too small beside what is learnt.
 */
export const embedPreset: JobPreset = {
  name: "embed",
  situation: "no-labels",
  model: "gcn",
  title: "Embeddings, nothing asked",
  summary: "256 numbers for every node, learnt from features and edges alone by Deep Graph Infomax; labels only judge.",
  spec: {
    task: { type: "deepGraphInfomax" },
    features: { transforms: [] },
    model: { type: "gcn", options: { numLayers: 1, dropout: 0 } },
    sampling: wholeNeighborhoods,
    train: {
      epochs: 100,
      batchSize: 4096,
      optimizer: adam(0.001, 0),
      earlyStopping: { patience: 4 },
      evaluate: { everyEpochs: 5 },
    },
  },
};
