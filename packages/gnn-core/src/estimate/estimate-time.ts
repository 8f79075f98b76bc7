import { evaluationPasses, stepPasses } from "./contrast-estimate.ts";
import { edgeTimeLines } from "./edge-estimate.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";
import { linkTimeLines } from "./link-estimate.ts";
import { numMessageEdges } from "./message-edges.ts";
import { stageLines } from "./stage-time.ts";
import { walkTimeLines } from "./walk-estimate.ts";

/**
 * Seconds of one thread for each unit of work, as they were fitted to the trainings of benchmarks/accuracy and to the
 * jobs of benchmarks/estimate on a core with AVX-512. Other machines differ by a factor, which finished jobs tell
 * (`scaleTime`).
 */
const seconds = {
  start: 0.35,
  /** Each epoch, step and evaluation, whatever its size: checkpoints, events, calls of kernels. */
  epoch: 0.004,
  step: 0.0005,
  evaluation: 0.0005,
  /** What each hop adds to a step and to an evaluation. */
  hop: 0.0011,
  /** A rank beside the first: its start, and what it adds to each step until all agree. */
  rankStart: 0.3,
  rankStep: 0.012,
  /** A multiply-add of a dense matrix, and of sparse rows with one. */
  dense: 5.5e-12,
  sparse: 4e-10,
  /** An edge of a batch that is drawn, relabelled, put into a block and sorted by its other end. */
  drawn: 8e-8,
  /** A number that is carried along an edge. */
  message: 2.2e-10,
  /** A weight that the optimizer moves. */
  parameter: 2e-8,
  /** A multiply-add of the columns that are made from the edges before training. */
  structural: 1.5e-9,
} as const;

/** Operations of a training step on one rank, or of a pass over all nodes. */
interface Work {
  /** Rows that the weights of the input meet, and those that all others meet on average. */
  readonly inputRows: number;
  readonly hiddenRows: number;
  /** Edges that messages go along, over all hops. */
  readonly messages: number;
}

/**
 * The time of a job, term by term. Of training: what each step and evaluation costs whatever its size
 * (`timeOverhead`), and the work that grows with graph and model (`time`); of the other stages likewise
 * (`stageOverhead`, `stageTime`).
 *
 * Each weight meets its rows once forward and twice backward.
 */
export function timeLines(input: EstimateInput): EstimateLine[] {
  const { epochs, graph, batchSize, ranks, threadsPerRank, evaluateEveryEpochs, numHops } = input;
  const numSteps = epochs * Math.ceil(graph.numTrainNodes / batchSize);
  const evaluations = Math.ceil(epochs / evaluateEveryEpochs) + 1;
  const passes = evaluations * evaluationPasses(input) + epochs * (input.passesPerEpoch ?? 0);
  const inStep = stepWork(input);
  const step =
    workSeconds(input, inStep, 3) * stepPasses(input) +
    inStep.messages * seconds.drawn +
    (input.numParameters - (input.numFrozenParameters ?? 0)) * seconds.parameter;
  const everyNode = {
    inputRows: graph.numNodes,
    hiddenRows: graph.numNodes,
    messages: numMessageEdges(input) * numHops,
  };
  const pass = workSeconds(input, everyNode, 1) / ranks;
  const each = numHops * seconds.hop;
  const fixed =
    seconds.start +
    epochs * seconds.epoch +
    numSteps * (seconds.step + each) +
    passes * (seconds.evaluation + each) +
    (ranks - 1) * (seconds.rankStart + numSteps * seconds.rankStep);
  return [
    { of: "timeOverhead", what: `start, ${numSteps} steps and ${passes} passes, whatever their size`, amount: fixed },
    { of: "time", what: `work of ${numSteps} steps`, amount: (numSteps * step) / threadsPerRank },
    { of: "time", what: `work of ${passes} passes over all nodes`, amount: (passes * pass) / threadsPerRank },
    ...structuralLines(input),
    ...linkTimeLines(input),
    ...edgeTimeLines(input),
    ...walkTimeLines(input),
    ...stageLines(input, pass),
  ];
}

/**
 * The work of one rank's share of the seeds. Hop by hop the rows grow by the same factor, as far as there are so many
 * nodes. A layer that makes rows narrower does so before they are sent, on the rows of its sources; any other on those
 * of its destinations.
 */
function stepWork(input: EstimateInput): Work {
  const { graph, batchSize, ranks, rowsPerSeed, numHops, hiddenFeats } = input;
  const { numNodes, numTrainNodes, features } = graph;
  const numEdges = numMessageEdges(input);
  const numSeeds = Math.ceil(Math.min(batchSize, Math.max(1, numTrainNodes)) / ranks);
  if (numHops === 0) return { inputRows: numSeeds, hiddenRows: numSeeds, messages: 0 };
  const drawnAfter = (hops: number) => numSeeds * rowsPerSeed ** (hops / numHops);
  const rowsAfter = (hops: number) => Math.min(numNodes, drawnAfter(hops));
  const meanDegree = numEdges / Math.max(1, numNodes);
  const layers = Array.from({ length: numHops }, (_, layer) => rowsAfter(numHops - 1 - layer));
  const others = layers.slice(1);
  const messages = layers.map((rows, layer) => Math.min(rows * meanDegree, numEdges, drawnAfter(numHops - layer)));
  return {
    inputRows: features.dim > hiddenFeats ? rowsAfter(numHops) : layers[0]!,
    hiddenRows: others.length === 0 ? layers[0]! : others.reduce((sum, rows) => sum + rows, 0) / others.length,
    messages: messages.reduce((sum, count) => sum + count, 0),
  };
}

/** @param times how often each weight meets its row: 3 in training, 1 in a pass forward */
function workSeconds(input: EstimateInput, { inputRows, hiddenRows, messages }: Work, times: number): number {
  const { numParameters } = input;
  const { kind, dim, numValues } = input.graph.features;
  const inputWeights = inputWeightsOf(input);
  const otherWeights = numParameters - inputWeights;
  const isSparse = kind === "csr";
  const filled = isSparse && numValues !== undefined ? numValues / Math.max(1, input.graph.numNodes * dim) : csrDensity;
  // A gradient of sparse rows goes to the weights alone, since nobody learns the features.
  const first = isSparse
    ? inputRows * inputWeights * filled * Math.min(times, 2) * 2 * seconds.sparse
    : inputRows * inputWeights * times * 2 * seconds.dense;
  const others = hiddenRows * otherWeights * times * 2 * seconds.dense;
  const width = Math.min(input.hiddenFeats, dim || input.hiddenFeats);
  const sent = messages * width * Math.min(times, 2) * seconds.message * (input.messageCost ?? 1);
  return first + others + sent;
}

/** A layer has as many maps as the number of all weights tells: GCN one, GraphSAGE two. */
function inputWeightsOf({ graph, hiddenFeats, numParameters, numHops }: EstimateInput): number {
  const first = graph.features.dim * hiddenFeats;
  const oneMapEach = first + Math.max(0, numHops - 2) * hiddenFeats ** 2 + hiddenFeats * graph.numClasses;
  const maps = numHops < 2 ? 1 : Math.max(1, Math.round(numParameters / Math.max(1, oneMapEach)));
  return Math.min(numParameters, maps * first);
}

/** Share of non-zero features assumed for CSR matrices whose number of entries is not known. */
export const csrDensity = 0.02;

/** Rounds of a sparse product and of keeping the columns apart (a product of their width with itself). */
function structuralLines({ graph, structural, threadsPerRank }: EstimateInput): EstimateLine[] {
  if (!structural) return [];
  const { rounds, dim, isOrthogonal } = structural;
  const products = graph.numEdges * dim * 2 * seconds.message;
  const apart = isOrthogonal ? graph.numNodes * dim ** 2 * 4 * seconds.structural : 0;
  const amount = (rounds * (products + apart)) / threadsPerRank;
  return [{ of: "time", what: `${rounds} rounds over the edges for columns made from them`, amount }];
}
