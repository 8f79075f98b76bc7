import type { JobPreset } from "./job-preset.ts";

/**
 * Rows for the nodes of any graph by random walks of first order, which is DeepWalk. Features are not read. Walks are
 * short and many: on Cora ten epochs take a minute of a core and reach what is published (benchmarks/accuracy).
 */
export const node2vecPreset: JobPreset = {
  name: "node2vec",
  situation: "no-labels",
  model: "shallow",
  title: "Embeddings, from walks alone",
  summary: "128 numbers for every node, learnt from random walks along the edges (DeepWalk); features are not read.",
  spec: {
    task: { type: "node2vec" },
    features: {
      structural: null,
      transforms: [],
      embedding: { dim: 128, optimizer: { type: "sparseAdam", options: { lr: 0.01 } } },
    },
    model: { type: "shallow", options: {} },
    train: { epochs: 10, batchSize: 256, evaluate: { everyEpochs: 2 } },
  },
};
