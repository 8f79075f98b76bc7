import { structuralColumns } from "./fit-preset.ts";
import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/** Columns of length 1 are too small to learn from until they are standardised. */
const features: PresetSections["features"] = { structural: structuralColumns, transforms: ["standardize"] };

const training: PresetSections = {
  features,
  sampling: { type: "neighbor", options: { fanouts: [10, 5] } },
  train: { epochs: 30, batchSize: 512, optimizer: adam(0.003, 0), evaluate: { everyEpochs: 3 } },
};

const layers = { hiddenFeats: 128, numLayers: 2, dropout: 0.5 } as const;

export const noFeaturesPresets = presetsOf("no-features", "No features", {
  sage: {
    title: "GraphSAGE",
    summary: "128 eigenvector columns made from the edges, read with sampled neighbours.",
    spec: { ...training, model: { type: "sage", options: layers } },
  },
  gcn: {
    title: "GCN",
    summary: "128 eigenvector columns made from the edges, averaged over sampled neighbours.",
    spec: { ...training, model: { type: "gcn", options: { ...layers, residual: true } } },
  },
  mlp: {
    title: "MLP",
    summary: "128 eigenvector columns alone: they hold most of what the edges say, and training reads no neighbours.",
    spec: { ...training, model: { type: "mlp", options: layers } },
  },
});

export const fewLabelsNoFeaturesPresets = presetsOf("few-labels-no-features", "Few labels, no features", {
  appnp: {
    title: "APPNP",
    summary: "128 eigenvector columns made from the edges; predictions spread over ten hops.",
    spec: {
      features,
      sampling: wholeNeighborhoods,
      model: { type: "appnp", options: { hiddenFeats: 64, numHops: 10, alpha: 0.1, dropout: 0.5, edgeDropout: 0.5 } },
      train: { epochs: 100, batchSize: 8192, optimizer: adam(0.01, 5e-3) },
    },
  },
  gcn: {
    title: "GCN",
    summary: "128 eigenvector columns made from the edges, averaged over whole neighbourhoods.",
    spec: {
      features,
      sampling: wholeNeighborhoods,
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
      train: { epochs: 100, batchSize: 8192, optimizer: adam(0.01, 5e-3) },
    },
  },
});
