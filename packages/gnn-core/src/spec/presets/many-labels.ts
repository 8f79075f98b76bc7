import { adam, type PresetSections, presetsOf } from "./job-preset.ts";

/** Sampled neighbours; an epoch is one step or thousands, so the training ends when the validation does not improve. */
const training: PresetSections = {
  sampling: { type: "neighbor", options: { fanouts: [10, 10] } },
  train: { epochs: 100, batchSize: 1024, optimizer: adam(0.01, 0), earlyStopping: { patience: 15 } },
};

const layers = { hiddenFeats: 128, numLayers: 2, dropout: 0.5, inputDropout: 0 } as const;

export const manyLabelsPresets = presetsOf("many-labels", "Plenty of labels, neighbours alike", {
  sage: {
    title: "GraphSAGE",
    summary: "128 hidden units on sampled neighbours; each node's own row beside the mean of its neighbours.",
    spec: { ...training, model: { type: "sage", options: layers } },
  },
  "sage-deep": {
    title: "GraphSAGE, three layers",
    summary: "Three wide layers with batch normalisation: for a hundred thousand labels and more.",
    spec: {
      sampling: { type: "neighbor", options: { fanouts: [10, 10, 5] } },
      model: { type: "sage", options: { ...layers, hiddenFeats: 256, numLayers: 3, norm: "batch" } },
      train: { epochs: 60, batchSize: 1024, optimizer: adam(0.003, 0), earlyStopping: { patience: 10 } },
    },
  },
  gcn: {
    title: "GCN",
    summary: "128 hidden units on sampled neighbours, with residuals; the lightest of the three.",
    spec: { ...training, model: { type: "gcn", options: { ...layers, residual: true } } },
  },
  gat: {
    title: "GAT",
    summary: "Four heads weigh the sampled neighbours, with residuals; for neighbours of unlike importance.",
    spec: {
      ...training,
      model: { type: "gat", options: { ...layers, heads: 4, attentionDropout: 0.2, residual: true } },
    },
  },
});
