import { adam, presetsOf, wholeNeighborhoods } from "./job-preset.ts";

/** A graph isomorphism network whose layers tell how often a neighbourhood occurs, in batches of a few graphs. */
export const wholeGraphsPresets = presetsOf("whole-graphs", "Whole graphs", {
  gin: {
    title: "GIN",
    summary: "Sums over neighbours, then over the nodes of each graph, by Adam on 32 graphs at a time.",
    spec: {
      sampling: wholeNeighborhoods,
      model: { type: "gin", options: { hiddenFeats: 32, numLayers: 3, dropout: 0.2 } },
      train: { epochs: 100, batchSize: 32, optimizer: adam(0.01, 0) },
    },
  },
});
