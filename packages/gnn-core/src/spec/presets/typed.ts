import { identityColumns } from "./fit-preset.ts";
import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/** Whole neighbourhoods, as a type has few edges to miss; words as they are; the best of many epochs counts. */
const training = (weightDecay: number): PresetSections => ({
  features: { transforms: [] },
  sampling: wholeNeighborhoods,
  train: { epochs: 60, batchSize: 256, optimizer: adam(0.005, weightDecay) },
});

/** Rows of benchmarks/accuracy on ACM, IMDB and an RDF graph: dropout and penalty chosen there by validation. */
export const typedPresets = presetsOf("typed", "Types of nodes or edges", {
  rsage: {
    title: "R-SAGE",
    summary: "GraphSAGE with weights of each type; much dropout, as few labels teach many weights.",
    spec: {
      ...training(2e-4),
      model: { type: "rsage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.7 } },
    },
  },
  rgcn: {
    title: "R-GCN",
    summary:
      "A weight for each relation, made of a few shared ones; a strong penalty, and inputs that are not dropped.",
    spec: {
      ...training(0.02),
      model: { type: "rgcn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.6, inputDropout: 0 } },
    },
  },
  simpleHgn: {
    title: "Simple-HGN",
    summary: "Attention that reads the relation of each edge, on rows of length 1.",
    spec: {
      ...training(1e-3),
      model: { type: "simpleHgn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5, normalizeOutput: true } },
    },
  },
  "simpleHgn-dropped": {
    title: "Simple-HGN, more dropout",
    summary: "The same with most of each input dropped: where words say much of a node and labels are few.",
    spec: {
      ...training(1e-3),
      model: { type: "simpleHgn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.8, normalizeOutput: true } },
    },
  },
  hgt: {
    title: "HGT",
    summary: "A transformer's attention with weights of each type, eight heads and normalised layers.",
    spec: {
      ...training(2e-4),
      model: { type: "hgt", options: { hiddenFeats: 64, heads: 8, numLayers: 2, dropout: 0.5, norm: "layer" } },
    },
  },
  rgat: {
    title: "R-GAT",
    summary: "Graph attention of each relation, added up over all of a node's edges.",
    spec: {
      ...training(1e-3),
      model: {
        type: "rgat",
        options: { hiddenFeats: 64, heads: 4, numLayers: 2, dropout: 0.6, softmax: "acrossRelations" },
      },
    },
  },
});

/** Weights of each of many relations have few edges to learn from: they share them, or differ in a vector alone. */
export const manyRelationsPresets = presetsOf("many-relations", "Many relations", {
  "rgcn-identity": {
    title: "R-GCN, a column for each node",
    summary: "As in its paper, with momentum: Adam learns the columns of rare nodes by heart.",
    spec: {
      features: { structural: identityColumns, transforms: [] },
      sampling: wholeNeighborhoods,
      model: {
        type: "rgcn",
        options: { hiddenFeats: 16, numLayers: 2, decomposition: "basis", numBases: 30, dropout: 0 },
      },
      train: {
        epochs: 50,
        batchSize: 1024,
        optimizer: { type: "sgd", options: { lr: 0.1, momentum: 0.9, weightDecay: 5e-4 } },
      },
    },
  },
  rgcn: {
    title: "R-GCN",
    summary: "16 hidden units, weights of relations made of 30 shared ones, a light penalty, and nothing is dropped.",
    spec: {
      features: { transforms: [] },
      sampling: wholeNeighborhoods,
      model: {
        type: "rgcn",
        options: { hiddenFeats: 16, numLayers: 2, decomposition: "basis", numBases: 30, dropout: 0 },
      },
      train: { epochs: 50, batchSize: 1024, optimizer: adam(0.01, 5e-4) },
    },
  },
  "rgcn-wide": {
    title: "R-GCN, wide",
    summary: "64 hidden units of which half are dropped, for more labels than some hundred.",
    spec: {
      features: { transforms: [] },
      sampling: wholeNeighborhoods,
      model: {
        type: "rgcn",
        options: { hiddenFeats: 64, numLayers: 2, decomposition: "basis", numBases: 16, dropout: 0.5, inputDropout: 0 },
      },
      train: { epochs: 50, batchSize: 1024, optimizer: adam(0.01, 5e-4) },
    },
  },
  simpleHgn: {
    title: "Simple-HGN",
    summary: "Attention to which each relation adds a vector of its own; all else is shared.",
    spec: {
      ...training(1e-3),
      model: { type: "simpleHgn", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.5, normalizeOutput: true } },
    },
  },
  gcn: {
    title: "GCN",
    summary: "Relations are not told apart: what is near a node, whatever joins them.",
    spec: {
      features: { transforms: [] },
      sampling: wholeNeighborhoods,
      model: { type: "gcn", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.3 } },
      train: { epochs: 60, batchSize: 1024, optimizer: adam(0.01, 5e-4) },
    },
  },
});
