import { z } from "zod";
import { defineTask } from "../components/define-task.ts";
import { probeAccuracy } from "./contrast-metrics.ts";

/** Rows for nodes that no training made: what is random in them is averaged along the edges. */
export const fastRpTask = defineTask({
  name: "fastRp",
  version: 1,
  title: "Embeddings without training (FastRP)",
  summary: "Random rows averaged along the edges, in as many passes as there are hops; no features, labels or steps.",
  reference:
    "Chen et al. 2019, Fast and Accurate Network Embeddings via Very Sparse Random Projection, arXiv:1908.11512",
  options: z.strictObject({
    dim: z.number().int().min(1).max(4096).default(256).describe("Width of the embeddings"),
  }),
  seeds: "allNodes",
  learnsBy: "nothing",
  metrics: [probeAccuracy],
  chiefMetric: "probeAccuracy",
  selectionMetric: "probeAccuracy",
  choices: () => [{ label: "Embeddings, without training", options: {} }],
  check: () => null,
  checkGraph: (_options, { numEdges = 1 }) =>
    numEdges > 0
      ? null
      : {
          option: "type",
          message: "There is nothing to average over: the graph has no edges. Build it again with some.",
        },
  outDim: ({ dim }) => dim,
});
