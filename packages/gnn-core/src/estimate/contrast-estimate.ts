import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** What a task that compares two views does beside: both go through the model, in steps and in evaluations. */
export interface ContrastWork {
  /** Width of the rows that are compared */
  readonly dim: number;
  /** Whether each row of a batch is compared with each other one */
  readonly comparesPairs?: boolean;
}

const views = 2;
/** Matrices of scores that lie side by side: of both sides the halves, the whole and its gradient */
const matrices = 14;

/**
 * How often a step does the work of one that sees the graph once. Several ranks go through the model forward once more,
 * for no tape outlasts the exchange of rows: 4 instead of 3 times.
 */
export function stepPasses({ contrast, ranks }: EstimateInput): number {
  if (!contrast) return 1;
  return ranks > 1 ? (views * 4) / 3 : views;
}

/** How often an evaluation goes over all nodes. */
export function evaluationPasses({ contrast }: EstimateInput): number {
  return contrast ? views : 1;
}

/** Rows of all nodes in both views, which the ranks of a host share; rows of a global batch and their gradient. */
export function contrastMemoryLines({ graph, batchSize, ranks, contrast, ...input }: EstimateInput): EstimateLine[] {
  if (!contrast) return [];
  const { dim, comparesPairs = false } = contrast;
  const seeds = Math.min(batchSize, graph.numNodes);
  const perSeed = Math.min(graph.numNodes / Math.max(1, seeds), input.rowsPerSeed);
  return [
    {
      what: "rows of all nodes in both views, shared by the ranks",
      amount: (views * graph.numNodes * dim * 4) / ranks,
    },
    { what: "rows of a batch in both views and their gradients, of all ranks", amount: views * seeds * dim * 4 * 4 },
    ...(comparesPairs
      ? [{ what: "scores of each row of a batch with all others, in both views", amount: seeds ** 2 * 4 * matrices }]
      : []),
    {
      what: "features and activations of the second view",
      amount: (seeds / ranks) * perSeed * (graph.features.dim + input.hiddenFeats * 2) * 4,
    },
  ].map((line) => ({ of: "memory", ...line }));
}
