import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { activations } from "../nn/activations.ts";
import { contrastMetrics } from "./contrast-metrics.ts";

/** Rows for nodes without any label: those of the graph are told from those of the graph with its features shuffled. */
export const deepGraphInfomax = defineTask({
  name: "deepGraphInfomax",
  version: 1,
  title: "Embeddings without labels (Deep Graph Infomax)",
  summary:
    "Learns rows of the nodes from features and edges alone, by telling the graph from one with shuffled features.",
  reference: "Veličković et al. 2019, Deep Graph Infomax, arXiv:1809.10341",
  options: z.strictObject({
    dim: z.number().int().min(1).max(4096).default(256).describe("Width of the embeddings"),
    activation: z
      .enum(activations)
      .default("leakyRelu")
      .describe("Behind the model's last layer; the embedding is what it gives"),
  }),
  seeds: "allNodes",
  ...contrastMetrics,
  choices: () => [{ label: "Embeddings, from features and edges alone", options: {} }],
  check: () => null,
  outDim: ({ dim }) => dim,
  activation: ({ activation }) => activation,
  numParameters: ({ dim }) => dim * dim,
  create: ({ dim, activation }, { unchanged, heads }) => ({
    dim,
    activation,
    views: [unchanged, { ...unchanged, shuffledRows: true }],
    head: heads.infomax,
  }),
});
