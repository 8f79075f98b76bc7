import { adam, type PresetSections, presetsOf } from "./job-preset.ts";

const sampling = { type: "neighbor", options: { fanouts: [15, 10] } } as const;
const learnedRows = { embedding: { dim: 32, optimizer: { type: "sparseAdam", options: { lr: 0.01 } } } } as const;

const training: PresetSections["train"] = {
  epochs: 40,
  batchSize: 1024,
  optimizer: adam(0.005, 1e-4),
  earlyStopping: { patience: 15 },
};

/** What single edges are like, from both ends and the edge's own columns; the task is named by whoever asks. */
export const labelledEdgesPresets = presetsOf("labelled-edges", "Labelled edges", {
  sage: {
    title: "GraphSAGE",
    summary: "Each end's own row beside the mean of its neighbours; columns made from the edges where there are none.",
    spec: {
      sampling,
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.3 } },
      train: training,
    },
  },
  "sage-rows": {
    title: "GraphSAGE on learned rows",
    summary: "A row is learned for every node: what is to be known of the ends where they have no features.",
    spec: {
      features: learnedRows,
      sampling,
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.3 } },
      train: training,
    },
  },
  "mlp-rows": {
    title: "Learned rows alone",
    summary: "A row is learned for every node and read without its neighbours: who rates whom.",
    spec: {
      features: learnedRows,
      model: { type: "mlp", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.3 } },
      train: training,
    },
  },
  gat: {
    title: "GAT",
    summary: "Four heads choose which neighbours of the ends to listen to.",
    spec: {
      sampling,
      model: { type: "gat", options: { hiddenFeats: 64, heads: 4, numLayers: 2, dropout: 0.3, attentionDropout: 0.2 } },
      train: training,
    },
  },
  gcn: {
    title: "GCN",
    summary: "Averages over the neighbours of the ends.",
    spec: {
      sampling,
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.3 } },
      train: training,
    },
  },
});
