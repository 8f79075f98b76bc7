import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/** Platonov et al. 2023 (arXiv:2302.11640): residuals and layer normalisation make common models strong here. */
const layers = {
  hiddenFeats: 64,
  numLayers: 2,
  dropout: 0.2,
  inputDropout: 0,
  norm: "layer",
  residual: true,
} as const;

const training: PresetSections = {
  features: { transforms: ["standardize"] },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: {
    epochs: 100,
    batchSize: 1024,
    optimizer: adam(0.01, 0),
    evaluate: { everyEpochs: 4 },
    earlyStopping: { patience: 10 },
  },
};

export const unlikeNeighborsPresets = presetsOf("unlike-neighbors", "Neighbours differ", {
  sage: {
    title: "GraphSAGE",
    summary: "A weight of its own for each node's row, residuals and normalised layers; sampled neighbours.",
    spec: { ...training, model: { type: "sage", options: layers } },
  },
  gcn: {
    title: "GCN",
    summary: "Lim et al.'s settings for social graphs: batch normalisation, AdamW and all training nodes in each step.",
    spec: {
      features: { transforms: ["standardize"] },
      sampling: wholeNeighborhoods,
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5, inputDropout: 0, norm: "batch" } },
      train: {
        epochs: 300,
        batchSize: 8192,
        optimizer: { type: "adamw", options: { lr: 0.01, weightDecay: 1e-3 } },
        earlyStopping: { patience: 100 },
      },
    },
  },
  "sage-deep": {
    title: "GraphSAGE, five layers",
    summary: "Five layers on whole neighbourhoods, as the paper has them: where what counts is some hops away.",
    spec: {
      features: { transforms: ["standardize"] },
      sampling: wholeNeighborhoods,
      model: { type: "sage", options: { ...layers, hiddenFeats: 128, numLayers: 5 } },
      train: {
        epochs: 200,
        batchSize: 16_384,
        optimizer: adam(0.003, 0),
        evaluate: { everyEpochs: 4 },
        earlyStopping: { patience: 15 },
      },
    },
  },
  "mlp-alone": {
    title: "MLP",
    summary: "No neighbours at all: where they only mislead, nothing beats each node's own columns.",
    spec: {
      features: { transforms: ["standardize"] },
      model: { type: "mlp", options: { hiddenFeats: 128, numLayers: 2, dropout: 0.5 } },
      train: { epochs: 100, batchSize: 1024, optimizer: adam(0.003, 5e-4), earlyStopping: { patience: 20 } },
    },
  },
  gat: {
    title: "GAT",
    summary: "Four heads choose whom to listen to; residuals and normalised layers.",
    spec: { ...training, model: { type: "gat", options: { ...layers, heads: 4, attentionDropout: 0.2 } } },
  },
  mlp: {
    title: "MLP on place and features",
    summary:
      "Columns of where a node lies in the graph beside its features, no neighbours in training: in LINKX's spirit.",
    spec: {
      features: { transforms: ["standardize"], structural: { method: "spectral", dim: 128, hops: 10 } },
      model: { type: "mlp", options: { hiddenFeats: 256, numLayers: 2, dropout: 0.5 } },
      train: { epochs: 60, batchSize: 1024, optimizer: adam(0.003, 0) },
    },
  },
});
