import { adam, type PresetSections, presetsOf } from "./job-preset.ts";

const layers = { hiddenFeats: 256, numLayers: 2, dropout: 0.5, inputDropout: 0.2 } as const;
const training: PresetSections = {
  features: { transforms: ["standardize"] },
  sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
  train: {
    epochs: 30,
    batchSize: 1024,
    optimizer: adam(0.003, 0),
    evaluate: { everyEpochs: 2 },
    earlyStopping: { patience: 5 },
  },
};

/** An epoch is a step or two here, so there are many, and an evaluation costs more than all steps between two. */
const fewSteps: PresetSections = {
  ...training,
  train: { epochs: 200, batchSize: 1024, optimizer: adam(0.003, 5e-4), evaluate: { everyEpochs: 10 } },
};

const models = (spec: PresetSections) => ({
  sage: {
    title: "GraphSAGE",
    summary: "256 hidden units on 15 and 10 sampled neighbours; each node's own row beside the mean of its neighbours.",
    spec: { ...spec, model: { type: "sage", options: layers } },
  },
  gcn: {
    title: "GCN",
    summary: "256 hidden units on 15 and 10 sampled neighbours, with residuals; half the weights of GraphSAGE.",
    spec: { ...spec, model: { type: "gcn", options: { ...layers, residual: true } } },
  },
});

export const largePresets = presetsOf("large", "Large graph", models(training));
export const largeFewLabelsPresets = presetsOf("large-few-labels", "Large graph, few labels", models(fewSteps));

export const quickPresets = presetsOf("quick", "Quick look", {
  sage: {
    title: "GraphSAGE",
    summary: "A small model and ten epochs: shows in seconds whether the graph helps at all.",
    spec: {
      features: { transforms: ["standardize"] },
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 5] } },
      train: { epochs: 10, batchSize: 1024, optimizer: adam(0.01, 0), evaluate: { everyEpochs: 2 } },
    },
  },
});
