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
    summary:
      "Learned rows averaged over three hops; cosines tell each target from 1,024 nodes that a step's links share.",
    spec: lightGcn(
      3,
      { loss: { type: "infoNce", temperature: 0.1, cosines: true }, negatives: { type: "shared", perLink: 1024 } },
      8,
      0.02,
    ),
  },
  "lightGcn-all": {
    title: "LightGCN, all nodes",
    summary: "Each target told from all nodes of its type, where these are some ten thousand at most.",
    spec: lightGcn(3, { loss: { type: "oneVsAll" }, penalty: penalty(0.03) }, 13),
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
