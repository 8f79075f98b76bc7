import { walksAlongEdges } from "../components/define-task.ts";
import type { ResolvedTask } from "../spec/resolve-task.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** What a task that learns from random walks does beside, for each node that walks begin in. */
export interface WalkWork {
  /** Width of the rows whose products are learnt from */
  readonly dim: number;
  /** Steps of its walks */
  readonly steps: number;
  /** Pairs that are scored, met or drawn */
  readonly pairs: number;
  /** Nodes of those pairs, counted as often as they are met or drawn */
  readonly nodes: number;
  /** Walks from a node in an epoch; an evaluation takes one */
  readonly walks: number;
}

export function walkWorkOf({ component, options }: ResolvedTask): WalkWork | null {
  if (!walksAlongEdges(component)) return null;
  const { dim, length, perNode, window, negatives } = component.walks(options);
  const reach = Math.min(window, length);
  const met = perNode * (2 * reach * (length + 1) - reach * (reach + 1));
  return {
    dim,
    steps: perNode * length,
    pairs: met * (1 + negatives),
    nodes: perNode * (length + 1) + met * negatives,
    walks: perNode,
  };
}

/**
 * Seconds of one thread, set above what one training on a graph of Cora's size took: 0.16 µs for a pair of 128 columns,
 * walks and evaluation included. How that divides between them was not measured.
 */
const seconds = {
  /** A step of a walk, which looks for its node among the neighbours of the one before. */
  step: 1e-7,
  /** A pair that is drawn, sorted by both ends, and whose score goes into the loss. */
  pair: 1e-7,
  /** A number of a pair's rows, in the score and in both gradients. */
  value: 1e-9,
} as const;

export function walkTimeLines(input: EstimateInput): EstimateLine[] {
  const { walks, graph, epochs, evaluateEveryEpochs, ranks, threadsPerRank } = input;
  if (!walks) return [];
  const evaluations = Math.ceil(epochs / evaluateEveryEpochs) + 1;
  const perStart = walks.steps * seconds.step + walks.pairs * (seconds.pair + walks.dim * seconds.value);
  const starts = graph.numTrainNodes * (epochs + evaluations / (3 * walks.walks));
  return [
    {
      of: "time",
      what: `pairs of the walks of ${epochs} epochs`,
      amount: (starts * perStart) / ranks / threadsPerRank,
    },
  ];
}

/** Bytes of a pair: as it is drawn, sorted by both ends in the batches that wait, and on the tape. */
const pairBytes = { drawn: 12, waiting: 20, onTape: 40 } as const;
const waitingBatches = 3;

export function walkMemoryLines({ walks, graph, batchSize, ranks }: EstimateInput): EstimateLine[] {
  if (!walks) return [];
  const starts = Math.ceil(Math.min(batchSize, graph.numTrainNodes) / ranks);
  const perPair = pairBytes.drawn + pairBytes.waiting * waitingBatches + pairBytes.onTape;
  return [
    { of: "memory", what: "pairs of the walks of a step and of those ahead", amount: starts * walks.pairs * perPair },
    { of: "memory", what: "rows of all nodes, shared by the ranks", amount: (graph.numNodes * walks.dim * 4) / ranks },
  ];
}
