import { type ComparedRows, comparedTerms, viewsCompared } from "../host/memory-beside.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** What a task that compares two views does beside: both go through the model, in steps and in evaluations. */
export interface ContrastWork {
  /** Width of the rows that are compared */
  readonly dim: number;
  /** Whether each row of a batch is compared with each other one */
  readonly comparesPairs?: boolean;
  /** Width of the hidden layer that they pass before; default none */
  readonly headFeats?: number;
}

/** Matrices of scores that lie side by side: of both sides the halves, the whole and its gradient */
const scoreMatrices = 14;

/** What a step compares; null: the task compares no views */
export function comparedRows({ graph, batchSize, contrast }: EstimateInput): ComparedRows | null {
  if (!contrast) return null;
  const { dim, comparesPairs = false, headFeats = 0 } = contrast;
  return { numSeeds: Math.min(batchSize, graph.numNodes), dim, comparesPairs, headFeats };
}

/**
 * How often a step does the work of one that sees the graph once. Several ranks go through the model forward once more,
 * for no tape outlasts the exchange of rows: 4 instead of 3 times.
 */
export function stepPasses({ contrast, ranks }: EstimateInput): number {
  if (!contrast) return 1;
  return ranks > 1 ? (viewsCompared * 4) / 3 : viewsCompared;
}

/** How often an evaluation goes over all nodes. */
export function evaluationPasses({ contrast }: EstimateInput): number {
  return contrast ? viewsCompared : 1;
}

/** Rows of all nodes in both views, which the ranks of a host share; rows of a global batch and their gradient. */
export function contrastMemoryLines(input: EstimateInput): EstimateLine[] {
  const compared = comparedRows(input);
  if (!compared) return [];
  const { graph, ranks, rowsPerSeed, hiddenFeats } = input;
  const { numSeeds, dim } = compared;
  const perSeed = Math.min(graph.numNodes / Math.max(1, numSeeds), rowsPerSeed);
  return [
    {
      what: "rows of all nodes in both views, shared by the ranks",
      amount: (viewsCompared * graph.numNodes * dim * 4) / ranks,
    },
    ...comparedTerms(compared, scoreMatrices),
    {
      what: "features and activations of the second view",
      amount: (numSeeds / ranks) * perSeed * (graph.features.dim + hiddenFeats * 2) * 4,
    },
  ].map((line) => ({ of: "memory", ...line }));
}
