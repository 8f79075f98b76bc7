import type { z } from "zod";
import type { trainStepOptions } from "./train-options.ts";

type Sections = Omit<z.input<typeof trainStepOptions>, "task" | "samplerThreads">;

/** Settings that work on a kind of graph: sections of a job spec, to be laid over its defaults. */
export interface JobPreset {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly spec: Sections;
}

/** The one place where chosen hyper-parameters are written down; tests, demo and the web form read them here. */
export const jobPresets = [
  {
    name: "citation",
    title: "Citation graph (Cora-like)",
    summary: "Few labels and bags of words: a small GraphSAGE on whole neighbourhoods, strongly regularised.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: { type: "sage", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.5 } },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 200,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } },
        // With few labels the accuracy moves in steps; the loss picks steadier weights.
        earlyStopping: { metric: "val/loss", mode: "min", patience: 50 },
      },
    },
  },
  {
    name: "citation-gcn",
    title: "Citation graph, GCN",
    summary:
      "Kipf and Welling's settings for Cora: 16 hidden units on whole neighbourhoods, half of each input dropped.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.5 } },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 200,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } },
        earlyStopping: { metric: "val/loss", mode: "min", patience: 50 },
      },
    },
  },
  {
    name: "citation-gat",
    title: "Citation graph, GAT",
    summary:
      "Veličković et al.'s settings for Cora: eight heads of eight units, strong dropout of inputs and attention.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: {
        type: "gat",
        options: { hiddenFeats: 64, heads: 8, outHeads: 1, numLayers: 2, dropout: 0.6, attentionDropout: 0.6 },
      },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 400,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.005, weightDecay: 5e-4 } },
        earlyStopping: { metric: "val/loss", mode: "min", patience: 100 },
      },
    },
  },
  {
    name: "citation-sgc",
    title: "Citation graph, SGC",
    summary: "Wu et al.'s linear model for Cora: two hops of averaging and one weight matrix.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: { type: "sgc", options: { numHops: 2 } },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 200,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.2, weightDecay: 5e-6 } },
        earlyStopping: { metric: "val/loss", mode: "min", patience: 50 },
      },
    },
  },
  {
    name: "citation-appnp",
    title: "Citation graph, APPNP",
    summary:
      "Gasteiger et al.'s settings for Cora: an MLP of 64 hidden units, ten hops, half of inputs and edges dropped.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: { type: "appnp", options: { hiddenFeats: 64, numHops: 10, alpha: 0.1, dropout: 0.5, edgeDropout: 0.5 } },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 200,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } },
        earlyStopping: { metric: "val/loss", mode: "min", patience: 50 },
      },
    },
  },
  {
    name: "citation-gin",
    title: "Citation graph, GIN",
    summary: "Sums instead of means: 32 hidden units, each row normalised, as sums over many neighbours are large.",
    spec: {
      features: { transforms: ["rowNormalize"] },
      model: { type: "gin", options: { hiddenFeats: 32, numLayers: 2, dropout: 0.5, norm: "layer" } },
      sampling: { type: "full", options: {} },
      train: {
        epochs: 200,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 5e-4 } },
        earlyStopping: { metric: "val/loss", mode: "min", patience: 50 },
      },
    },
  },
  {
    name: "large",
    title: "Large graph, neighbour sampling",
    summary: "Many labels and dense features: a wide GraphSAGE on sampled neighbourhoods, evaluated every few epochs.",
    spec: {
      features: { transforms: ["standardize"] },
      model: { type: "sage", options: { hiddenFeats: 256, numLayers: 2, dropout: 0.5 } },
      sampling: { type: "neighbor", options: { fanouts: [15, 10] } },
      train: {
        epochs: 30,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.003, weightDecay: 0 } },
        evaluate: { everyEpochs: 2 },
        earlyStopping: { metric: "val/accuracy", mode: "max", patience: 5 },
      },
    },
  },
  {
    name: "quick",
    title: "Quick look",
    summary: "A small GraphSAGE and ten epochs: shows in seconds whether the graph helps at all.",
    spec: {
      features: { transforms: ["standardize"] },
      model: { type: "sage", options: { hiddenFeats: 64, numLayers: 2, dropout: 0.2 } },
      sampling: { type: "neighbor", options: { fanouts: [10, 5] } },
      train: {
        epochs: 10,
        batchSize: 1024,
        optimizer: { type: "adam", options: { lr: 0.01, weightDecay: 0 } },
        evaluate: { everyEpochs: 2 },
      },
    },
  },
] as const satisfies readonly JobPreset[];
