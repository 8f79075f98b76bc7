import { type PresetSections, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/** LightGCN (He et al. 2020, arXiv:2002.02126): learned rows of 64 numbers, averaged over hops, and inner products. */
const lightGcn = (
  numHops: number,
  how: Readonly<Record<string, unknown>>,
  epochs: number,
  rate = 0.01,
): PresetSections => ({
  task: { type: "linkPrediction", rankAmong: "unseenNodes", decoder: { type: "dot" }, dim: 64, ...how },
  features: {
    structural: null,
    transforms: [],
    embedding: { dim: 64, optimizer: { type: "sparseAdam", options: { lr: rate } } },
  },
  model: { type: "lightGcn", options: { numHops } },
  sampling: wholeNeighborhoods,
  train: { epochs, batchSize: 8192, evaluate: { everyEpochs: 3 }, checkpoint: { everyEpochs: 100 } },
});

const penalty = (weight: number) => ({ type: "l2", weight }) as const;

export const recommendationPresets = presetsOf("recommendation", "Recommendation", {
  lightGcn: {
    title: "LightGCN",
    summary: "Learned rows averaged over three hops, each target told from all nodes of its type.",
    spec: lightGcn(3, { loss: { type: "oneVsAll" }, penalty: penalty(0.03) }, 13),
  },
  "lightGcn-drawn": {
    title: "LightGCN, drawn nodes",
    summary:
      "The same, each target told from the 512 that are drawn for a step: a fraction of the work on large graphs.",
    spec: lightGcn(
      3,
      { loss: { type: "softmax" }, negatives: { type: "joint", perLink: 512 }, penalty: penalty(0.03) },
      13,
    ),
  },
  "lightGcn-near": {
    title: "LightGCN, two hops",
    summary: "Two hops in place of three: a third less work, and less alike rows.",
    spec: lightGcn(2, { loss: { type: "oneVsAll" }, penalty: penalty(0.03) }, 13),
  },
  "lightGcn-pairs": {
    title: "LightGCN, pairs",
    summary: "Each pair above one that is none, as in the paper: light steps, of which it takes many.",
    spec: lightGcn(3, { loss: { type: "bpr" }, penalty: penalty(0.001) }, 60),
  },
  shallow: {
    title: "Rows alone",
    summary: "A factorisation: learned rows without neighbours, each target told from all nodes of its type.",
    spec: {
      ...lightGcn(1, { loss: { type: "oneVsAll" }, penalty: penalty(0.1) }, 13),
      model: { type: "shallow", options: {} },
    },
  },
});
