import { adam, type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

interface Settings {
  readonly readout: "sum" | "mean" | "max";
  readonly width: number;
  /** Share of the graphs' rows that is dropped */
  readonly dropout: number;
  readonly epochs: number;
  readonly batchSize: number;
  readonly lr: number;
}

/** Every task on graphs has the options of the readout, so that no task is named. */
const onGraphs = (
  model: NonNullable<PresetSections["model"]>,
  { readout, width, dropout, epochs, batchSize, lr }: Settings,
): PresetSections => ({
  task: { readout, dim: width, hiddenFeats: width, dropout },
  sampling: wholeNeighborhoods,
  model,
  train: { epochs, batchSize, optimizer: adam(lr, 0) },
});

const gin = (hiddenFeats: number, numLayers: number, more: Readonly<Record<string, unknown>> = {}) => ({
  type: "gin",
  options: { hiddenFeats, numLayers, dropout: 0, ...more },
});

/** Rows of benchmarks/accuracy on molecules, proteins and ego networks, and counts of nodes that a GNN has to beat. */
export const wholeGraphsPresets = presetsOf("whole-graphs", "Whole graphs", {
  gin: {
    title: "GIN",
    summary: "Five layers of sums with batch normalisation, all of which the sum over each graph's nodes reads.",
    spec: onGraphs(gin(64, 5, { norm: "batch", jumpingKnowledge: true }), {
      readout: "sum",
      width: 64,
      dropout: 0.3,
      epochs: 80,
      batchSize: 64,
      lr: 0.003,
    }),
  },
  "mlp-counts": {
    title: "Counts of nodes",
    summary: "No neighbours: what kinds of nodes a graph has, added up. Where that is as good, its edges say little.",
    spec: onGraphs(
      { type: "mlp", options: { hiddenFeats: 32, numLayers: 2, dropout: 0 } },
      { readout: "sum", width: 32, dropout: 0.3, epochs: 80, batchSize: 32, lr: 0.003 },
    ),
  },
  "gin-mean": {
    title: "GIN, means",
    summary: "Three narrow layers and the mean over each graph's nodes: where graphs differ much in size.",
    spec: onGraphs(gin(32, 3), { readout: "mean", width: 32, dropout: 0.5, epochs: 60, batchSize: 32, lr: 0.001 }),
  },
  "gin-layers": {
    title: "GIN, all layers, narrow",
    summary: "Four narrow layers that learn fast: where five wide ones are too slow, or learn the graphs by heart.",
    spec: onGraphs(gin(32, 4, { norm: "batch", jumpingKnowledge: true }), {
      readout: "sum",
      width: 32,
      dropout: 0.5,
      epochs: 100,
      batchSize: 32,
      lr: 0.01,
    }),
  },
  "gin-small": {
    title: "GIN, two layers",
    summary: "Two narrow layers of sums: for some hundred graphs, which a larger network learns by heart.",
    spec: onGraphs(gin(32, 2), { readout: "sum", width: 32, dropout: 0.3, epochs: 80, batchSize: 32, lr: 0.003 }),
  },
  gcn: {
    title: "GCN",
    summary: "Three layers of averages and the mean over each graph's nodes.",
    spec: onGraphs(
      { type: "gcn", options: { hiddenFeats: 64, numLayers: 3, dropout: 0, norm: "batch" } },
      { readout: "mean", width: 64, dropout: 0.3, epochs: 80, batchSize: 32, lr: 0.003 },
    ),
  },
  sage: {
    title: "GraphSAGE",
    summary: "Three layers that keep each node's own row, and the largest of each column over a graph's nodes.",
    spec: onGraphs(
      { type: "sage", options: { hiddenFeats: 64, numLayers: 3, dropout: 0 } },
      { readout: "max", width: 64, dropout: 0.3, epochs: 80, batchSize: 32, lr: 0.003 },
    ),
  },
});
