import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/**
 * All labels in each step, on whole neighbourhoods. Words that add up to 1 are small numbers, so the learning rates are
 * high; the best of many epochs counts.
 */
const training = (epochs: number, optimizer: ReturnType<typeof adam>): PresetSections => ({
  features: { transforms: ["rowNormalize"] },
  sampling: wholeNeighborhoods,
  train: { epochs, batchSize: 8192, optimizer },
});

export const fewLabelsPresets = presetsOf("few-labels", "Few labels, neighbours alike", {
  gcn: {
    title: "GCN",
    summary: "64 hidden units on whole neighbourhoods, half of each input dropped: quick, and hard to beat.",
    spec: {
      ...training(100, adam(0.05, 5e-4)),
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    },
  },
  appnp: {
    title: "APPNP",
    summary: "Predictions of an MLP spread over ten hops; often the most accurate, some five times the work of GCN.",
    spec: {
      ...training(60, adam(0.05, 5e-4)),
      model: { type: "appnp", options: { hiddenFeats: 64, numHops: 10, alpha: 0.1, dropout: 0.5, edgeDropout: 0.5 } },
    },
  },
  gat: {
    title: "GAT",
    summary: "Eight heads of eight units weigh the neighbours; strong dropout of inputs and attention.",
    spec: {
      ...training(100, adam(0.02, 5e-4)),
      model: {
        type: "gat",
        options: { hiddenFeats: 64, heads: 8, outHeads: 1, numLayers: 2, dropout: 0.6, attentionDropout: 0.5 },
      },
    },
  },
  sgc: {
    title: "SGC",
    summary: "Two hops of averaging and one weight matrix: the quickest, and close to GCN where neighbours are alike.",
    spec: { ...training(200, adam(0.2, 2e-5)), model: { type: "sgc", options: { numHops: 2 } } },
  },
  sage: {
    title: "GraphSAGE",
    summary: "Keeps each node's own row beside the mean of its neighbours; also for nodes that come later.",
    spec: {
      ...training(80, adam(0.02, 5e-4)),
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    },
  },
  gin: {
    title: "GIN",
    summary: "Sums instead of means, each row normalised, as sums over many neighbours are large.",
    spec: {
      ...training(60, adam(0.01, 5e-4)),
      model: { type: "gin", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5, norm: "layer" } },
    },
  },
});

/** So few labels give weak gradients: the usual penalty is stronger than they are, and nothing is learned. */
export const veryFewLabelsPresets = presetsOf("very-few-labels", "A handful of labels", {
  gcn: {
    title: "GCN",
    summary: "64 hidden units on whole neighbourhoods, half of each input dropped, next to no penalty.",
    spec: {
      ...training(100, adam(0.05, 5e-6)),
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    },
  },
});

/**
 * Averages over many neighbours hardly vary, and rows of many words are small: a penalty of 5e-4 keeps weights too low.
 */
export const fewLabelsDensePresets = presetsOf("few-labels-dense", "Few labels, many neighbours alike", {
  gcn: {
    title: "GCN",
    summary: "64 hidden units on whole neighbourhoods, half of each input dropped, a tenth of the usual penalty.",
    spec: {
      ...training(100, adam(0.05, 5e-5)),
      model: { type: "gcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    },
  },
  appnp: {
    title: "APPNP",
    summary: "Predictions of an MLP spread over ten hops; some three times the work of GCN.",
    spec: {
      ...training(60, adam(0.05, 5e-5)),
      model: { type: "appnp", options: { hiddenFeats: 64, numHops: 10, alpha: 0.1, dropout: 0.5, edgeDropout: 0.5 } },
    },
  },
  sage: {
    title: "GraphSAGE",
    summary: "Keeps each node's own row beside the mean of its neighbours; also for nodes that come later.",
    spec: {
      ...training(60, adam(0.05, 5e-5)),
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5 } },
    },
  },
  gat: {
    title: "GAT",
    summary: "Eight heads of eight units weigh the neighbours; a light dropout of inputs and attention.",
    spec: {
      ...training(60, adam(0.02, 5e-5)),
      model: {
        type: "gat",
        options: { hiddenFeats: 64, heads: 8, outHeads: 1, numLayers: 2, dropout: 0.3, attentionDropout: 0.3 },
      },
    },
  },
});
