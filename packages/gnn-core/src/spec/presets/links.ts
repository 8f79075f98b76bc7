import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

const links = { type: "linkPrediction" } as const;
const learnedRows = { embedding: { dim: 64, optimizer: { type: "sparseAdam", options: { lr: 0.01 } } } } as const;

/** Auto-encoders (Kipf and Welling 2016, arXiv:1611.07308): two layers on features as they are, and a decoder. */
const encoder = (type: string, dropout: number): PresetSections => ({
  features: { transforms: [] },
  sampling: wholeNeighborhoods,
  model: { type, options: { hiddenFeats: 128, numLayers: 2, dropout } },
});
const training = (epochs: number, lr = 0.01): PresetSections["train"] => ({
  epochs,
  batchSize: 1024,
  optimizer: adam(lr, 0),
});

export const linksPresets = presetsOf("links", "Links", {
  "sage-mlp": {
    title: "GraphSAGE and a network for pairs",
    summary: "Each node's own row beside the mean of its neighbours; two layers learn which pairs are linked.",
    spec: { task: { ...links, decoder: { type: "mlp" }, dim: 64 }, ...encoder("sage", 0.5), train: training(40) },
  },
  "gcn-dot": {
    title: "GCN, inner products",
    summary: "The graph auto-encoder: averages over neighbours, whose inner products say which nodes are linked.",
    spec: { task: { ...links, decoder: { type: "dot" }, dim: 64 }, ...encoder("gcn", 0.3), train: training(100) },
  },
  "gcn-mlp": {
    title: "GCN and a network for pairs",
    summary: "Averages over neighbours; two layers learn which pairs are linked.",
    spec: { task: { ...links, decoder: { type: "mlp" }, dim: 64 }, ...encoder("gcn", 0.3), train: training(40) },
  },
  "sage-rows": {
    title: "GraphSAGE on learned rows",
    summary: "A row is learned for every node, and read with those of its neighbours: where features say little.",
    spec: {
      ...encoder("sage", 0.3),
      features: learnedRows,
      task: { ...links, decoder: { type: "mlp" }, dim: 64 },
      train: training(30, 0.005),
    },
  },
  "gcn-cosine": {
    title: "GCN, angles",
    summary: "Angles between rows, each link told from eight other pairs: rows that say how alike two nodes are.",
    spec: {
      task: {
        ...links,
        decoder: { type: "cosine" },
        loss: { type: "infoNce" },
        negatives: { perLink: 8 },
        dim: 64,
      },
      ...encoder("gcn", 0.3),
      train: training(60),
    },
  },
  lightGcn: {
    title: "LightGCN",
    summary: "Learned rows that are averaged over three hops, without weights, each link told from other pairs.",
    spec: {
      features: learnedRows,
      task: { ...links, decoder: { type: "dot" }, loss: { type: "softmax" }, negatives: { perLink: 16 }, dim: 64 },
      sampling: wholeNeighborhoods,
      model: { type: "lightGcn", options: { numHops: 3 } },
      train: training(30),
    },
  },
});

const fanouts = [15, 10];
const byTime = (sampling: PresetSections["sampling"], dropout: number): PresetSections => ({
  features: learnedRows,
  task: { ...links, decoder: { type: "mlp", hiddenFeats: 64 }, dim: 64 },
  sampling,
  model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout } },
  train: { epochs: 20, batchSize: 512, optimizer: adam(0.005, 0) },
});

/** Rows of benchmarks/accuracy on links by time: neither way of drawing neighbours is ahead of the other everywhere. */
export const linksByTimePresets = presetsOf("links-by-time", "Links by time", {
  sage: {
    title: "GraphSAGE on learned rows",
    summary: "A row is learned for every node; neighbours are those of all links that are learnt from.",
    spec: byTime({ type: "neighbor", options: { fanouts } }, 0),
  },
  "sage-before": {
    title: "GraphSAGE on learned rows, from before each link",
    summary: "The same, and each link is told from the links before it alone: what is known when it comes.",
    spec: byTime({ type: "temporal", options: { fanouts, pick: "uniform" } }, 0),
  },
  "sage-recent": {
    title: "GraphSAGE on learned rows, from the latest links",
    summary: "The same by the latest links before each one: where what was long ago says little.",
    spec: byTime({ type: "temporal", options: { fanouts, pick: "recent" } }, 0.3),
  },
  "sage-dropped": {
    title: "GraphSAGE on learned rows, some dropped",
    summary: "Neighbours of all links that are learnt from, and a third of each row dropped.",
    spec: byTime({ type: "neighbor", options: { fanouts } }, 0.3),
  },
});
