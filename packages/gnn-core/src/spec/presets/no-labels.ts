import { adam, type PresetSections, presetsOf } from "./job-preset.ts";

/** Links are learnt by drawn neighbours: whole neighbourhoods of both ends of every pair are soon the whole graph. */
const training: PresetSections = {
  task: { type: "linkPrediction" },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: { epochs: 50, batchSize: 1024, optimizer: adam(0.01, 0), evaluate: { everyEpochs: 1 } },
};

const layers = { hiddenFeats: 64, numLayers: 2, dropout: 0.1 } as const;

export const noLabelsPresets = presetsOf("no-labels", "Links without labels", {
  gcn: {
    title: "GCN",
    summary: "Averages over drawn neighbours, whose inner products say which nodes are linked.",
    spec: { ...training, model: { type: "gcn", options: layers } },
  },
  sage: {
    title: "GraphSAGE",
    summary: "Each node's own row beside the mean of drawn neighbours: where neighbours are not alike.",
    spec: { ...training, model: { type: "sage", options: layers } },
  },
});
