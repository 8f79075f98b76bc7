import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { contrastMetrics } from "./contrast-metrics.ts";

const count = (most: number) => z.number().int().min(1).max(most);
const bias = z.number().min(0.01).max(100).default(1);

/** Rows for nodes without any label: nodes that random walks meet near each other get rows that point the same way. */
export const node2vec = defineTask({
  name: "node2vec",
  version: 1,
  title: "Embeddings without labels (node2vec, DeepWalk)",
  summary:
    "Learns rows of the nodes from random walks along the edges, as words are learnt from sentences; no features are needed.",
  reference: "Grover and Leskovec 2016, arXiv:1607.00653; Perozzi et al. 2014, DeepWalk, arXiv:1403.6652",
  options: z.strictObject({
    dim: count(4096).default(128).describe("Width of the embeddings"),
    walkLength: count(1000).default(20).describe("Steps of a walk"),
    walksPerNode: count(1000).default(10).describe("Walks from each node, in every epoch"),
    window: count(100).default(5).describe("Most steps on a walk between two nodes that are learnt to be near"),
    negatives: count(100).default(1).describe("Nodes drawn beside each pair that was met"),
    noise: z
      .enum(["uniform", "degree"])
      .default("uniform")
      .describe("How likely a node is drawn: as all others, or by the number of its edges to the power of 3/4"),
    p: bias.describe("A step back to where the walk came from weighs 1/p"),
    q: bias.describe(
      "A step away from where the walk came from weighs 1/q: above 1 walks stay near, below 1 they go far; with p = q = 1 it is DeepWalk",
    ),
  }),
  seeds: "allNodes",
  learnsBy: "walks",
  ...contrastMetrics,
  choices: () => [{ label: "Embeddings, from random walks", options: {} }],
  check: () => null,
  checkGraph: (_options, { numEdges = 1 }) =>
    numEdges > 0
      ? null
      : {
          option: "type",
          message: "There is nothing to walk along: the graph has no edges. Build it again with some.",
        },
  outDim: ({ dim }) => dim,
  walks: ({ walkLength, walksPerNode, ...rest }) => ({ ...rest, length: walkLength, perNode: walksPerNode }),
});
