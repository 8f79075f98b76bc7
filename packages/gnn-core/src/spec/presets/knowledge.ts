import { type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

interface Settings {
  readonly decoder: "complEx" | "distMult";
  readonly loss: Readonly<Record<string, unknown>>;
  readonly negatives?: Readonly<Record<string, unknown>>;
  readonly dim: number;
  readonly epochs: number;
  readonly batchSize: number;
  readonly penalty: number;
}

/**
 * Learned rows without messages, as in Lacroix et al. 2018 (arXiv:1806.07297): targets told from all nodes, cubes of
 * the rows as penalty, Adagrad with a rate of 0.1.
 */
const rowsAlone = ({ decoder, loss, negatives, dim, epochs, batchSize, penalty }: Settings): PresetSections => ({
  task: {
    type: "linkPrediction",
    relations: "each",
    decoder: { type: decoder },
    loss,
    ...(negatives && { negatives }),
    dim,
    penalty: { type: "n3", weight: penalty },
  },
  features: {
    structural: null,
    transforms: [],
    embedding: { dim, optimizer: { type: "sparseAdagrad", options: { lr: 0.1 } } },
  },
  model: { type: "shallow", options: {} },
  sampling: wholeNeighborhoods,
  train: {
    epochs,
    batchSize,
    optimizer: { type: "adagrad", options: { lr: 0.1 } },
    evaluate: { everyEpochs: 5 },
    checkpoint: { everyEpochs: 100 },
  },
});

const oneVsAll = { type: "oneVsAll" } as const;

export const knowledgePresets = presetsOf("knowledge", "Links of many relations", {
  complEx: {
    title: "ComplEx",
    summary: "Rows of 256 numbers alone, read as complex ones, each target told from all nodes.",
    spec: rowsAlone({ decoder: "complEx", loss: oneVsAll, dim: 256, epochs: 20, batchSize: 512, penalty: 0.05 }),
  },
  distMult: {
    title: "DistMult",
    summary: "Rows of 256 numbers alone, multiplied with one of the relation; without a direction.",
    spec: rowsAlone({ decoder: "distMult", loss: oneVsAll, dim: 256, epochs: 20, batchSize: 512, penalty: 0.05 }),
  },
  "complEx-narrow": {
    title: "ComplEx, narrow",
    summary: "Rows of 64 numbers: a quarter of the work, for large graphs and little time.",
    spec: rowsAlone({ decoder: "complEx", loss: oneVsAll, dim: 64, epochs: 20, batchSize: 512, penalty: 0.05 }),
  },
  "complEx-queries": {
    title: "ComplEx, queries",
    summary: "Each source and relation is asked once for all its targets: fewer and quicker steps, as answers repeat.",
    spec: rowsAlone({
      decoder: "complEx",
      loss: { type: "kVsAll", each: "softmax" },
      dim: 128,
      epochs: 20,
      batchSize: 512,
      penalty: 0.02,
    }),
  },
  "complEx-drawn": {
    title: "ComplEx, drawn nodes",
    summary:
      "Rows of 256 numbers, each target told from 512 drawn nodes in place of all: for tens of thousands of nodes.",
    spec: rowsAlone({
      decoder: "complEx",
      loss: { type: "softmax" },
      negatives: { type: "shared", perLink: 512 },
      dim: 256,
      epochs: 15,
      batchSize: 512,
      penalty: 0.1,
    }),
  },
  rgcn: {
    title: "R-GCN and DistMult",
    summary: "A layer that reads each node's facts before they are scored: where most nodes have many.",
    spec: {
      task: {
        type: "linkPrediction",
        relations: "each",
        decoder: { type: "distMult" },
        loss: { type: "kVsAll", each: "softmax" },
        dim: 128,
      },
      features: { embedding: { dim: 128, optimizer: { type: "sparseAdam", options: { lr: 0.01 } } } },
      model: {
        type: "rgcn",
        options: { hiddenFeats: 128, numLayers: 1, decomposition: "basis", numBases: 30, dropout: 0.3 },
      },
      sampling: wholeNeighborhoods,
      train: {
        epochs: 15,
        batchSize: 4096,
        optimizer: { type: "adam", options: { lr: 0.01 } },
        evaluate: { everyEpochs: 5 },
        checkpoint: { everyEpochs: 100 },
      },
    },
  },
});
