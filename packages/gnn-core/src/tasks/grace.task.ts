import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { activations } from "../nn/activations.ts";
import { contrastMetrics } from "./contrast-metrics.ts";

const share = z.number().min(0).lt(1);
const shares = (what: string, first: number, second: number) =>
  z
    .tuple([share, share])
    .default([first, second])
    .describe(`Share of the ${what} that each of the two views leaves out, drawn anew in every step`);

/** Rows for nodes without any label: a node is known again in two views that lack columns and links of their own. */
export const grace = defineTask({
  name: "grace",
  version: 1,
  title: "Embeddings without labels (GRACE)",
  summary: "Learns rows of the nodes by knowing each again in two views of the graph that lack links and columns.",
  reference: "Zhu et al. 2020, Deep Graph Contrastive Representation Learning, arXiv:2006.04131",
  options: z.strictObject({
    dim: z.number().int().min(1).max(4096).default(128).describe("Width of the embeddings"),
    activation: z
      .enum(activations)
      .default("relu")
      .describe("Behind the model's last layer; the embedding is what it gives"),
    droppedLinks: shares("links", 0.2, 0.4),
    maskedColumns: shares("feature columns", 0.3, 0.4),
    projectionFeats: z
      .number()
      .int()
      .min(1)
      .max(4096)
      .default(128)
      .describe("Width of the hidden layer between embeddings and what is compared"),
    temperature: z
      .number()
      .positive()
      .max(100)
      .default(0.4)
      .describe("The lower, the more the nearest of the others count"),
  }),
  seeds: "allNodes",
  ...contrastMetrics,
  choices: () => [{ label: "Embeddings, by knowing nodes again in two views", options: {} }],
  check: () => null,
  outDim: ({ dim }) => dim,
  activation: ({ activation }) => activation,
  comparesPairs: true,
  headFeats: ({ projectionFeats }) => projectionFeats,
  numParameters: ({ dim, projectionFeats }) => 2 * dim * projectionFeats + dim + projectionFeats,
  create: ({ dim, activation, projectionFeats, temperature, ...shares }, { unchanged, heads }) => {
    const view = (index: 0 | 1) => ({
      ...unchanged,
      maskedColumns: shares.maskedColumns[index],
      droppedLinks: shares.droppedLinks[index],
    });
    return {
      dim,
      activation,
      views: [view(0), view(1)],
      head: (shape) => heads.nodeViews({ ...shape, projectionFeats, temperature }),
    };
  },
});
