import type { ScoredLinks } from "../host/memory-beside.ts";
import type { EstimateInput, EstimateLine } from "./estimate-job.ts";

/** What a task on edges does beside training on the ends of its pairs. */
export interface LinkWork {
  /** Links to learn from */
  readonly numTrain: number;
  /** Held-out links and the pairs without a link beside them */
  readonly numHeldOut: number;
  /** Pairs scored for each training link, itself among them */
  readonly pairsPerLink: number;
  /** Nodes that all links of a step are told from; 0: each has pairs of its own alone */
  readonly sharedPerLink: number;
  /** Pairs scored in each evaluation to rank held-out links among all nodes; 0: they are not ranked so */
  readonly numFiltered: number;
  /** Links that a step learns from, on all ranks together */
  readonly linksPerStep: number;
  /** Every step computes the rows of all nodes, and scores its links with each */
  readonly seedsAll: boolean;
  /** Width of the rows that pairs are scored by */
  readonly dim: number;
  /** Pairs scored to find new neighbours: a node with all others, or with those of the types that its own reaches */
  readonly numRanked: number;
  /** New neighbours listed, of all nodes together */
  readonly numListed: number;
  /** Nodes have several types, and their types are kept beside the links */
  readonly isTyped: boolean;
  /** Links are split by time, and messages lie by time beside the graph */
  readonly isTimed: boolean;
  /** Room for new neighbours of every node: the longest list */
  readonly mostListed: number;
}

/** Seconds of one thread, measured as those of training were (estimate-time.ts). */
const seconds = {
  /** Two stages more: splitting links, finding new neighbours. */
  stages: 0.3,
  /** A stored edge that is sorted into links, put on a side and looked up for pairs without a link. */
  edge: 1.2e-6,
  /** A pair of a step: drawn, its ends found among the seeds, its link taken out of blocks, its rows gathered. */
  pair: 2.5e-6,
  /** A held-out pair that is scored and ranked in an evaluation, and each number of its rows. */
  heldOut: 6e-7,
  heldOutValue: 3e-9,
  /** A score of one node with another: the multiply-adds of its rows, and a look whether it is among the best. */
  value: 1.1e-11,
  score: 2.5e-9,
  /** A line of the results */
  listed: 2e-6,
} as const;

/** Time of what tasks on edges do beside the passes and steps that all tasks make. */
export function linkTimeLines({ graph, links, epochs, evaluateEveryEpochs, ranks }: EstimateInput): EstimateLine[] {
  if (!links) return [];
  const { numTrain, numHeldOut, numFiltered, pairsPerLink, dim, numRanked, numListed } = links;
  const { numEdges } = graph;
  const evaluations = Math.ceil(epochs / evaluateEveryEpochs) + 1;
  const perHeldOut = seconds.heldOut + dim * seconds.heldOutValue;
  const perPair = dim * seconds.value + seconds.score;
  const ranking = numRanked * perPair + numListed * seconds.listed;
  return [
    {
      of: "stageOverhead",
      what: "splitting links and finding new neighbours, whatever their size",
      amount: seconds.stages,
    },
    { of: "stageTime", what: "splitting links", amount: numEdges * seconds.edge },
    {
      of: "time",
      what: `pairs of ${epochs} epochs, drawn and scored`,
      amount: (epochs * numTrain * pairsPerLink * seconds.pair) / ranks,
    },
    ...scoredByProducts(links, { numNodes: graph.numNodes, numLinks: (epochs * numTrain) / ranks, epochs }),
    { of: "time", what: "held-out pairs, scored and ranked", amount: evaluations * numHeldOut * perHeldOut },
    { of: "time", what: "held-out links among all nodes", amount: (evaluations * numFiltered * perPair) / ranks },
    { of: "stageTime", what: "new neighbours: every node with all that it may be linked with", amount: ranking },
  ];
}

/** What a rank scores by one product; null: pair by pair */
export function scoredLinks({ links, ranks, graph }: EstimateInput): ScoredLinks | null {
  if (!links) return null;
  const { seedsAll, sharedPerLink, linksPerStep, dim } = links;
  const numOthers = seedsAll ? graph.numNodes : sharedPerLink;
  if (numOthers === 0) return null;
  return { numLinks: Math.ceil(linksPerStep / ranks), numOthers, dim, isBlocked: seedsAll };
}

/** Links that are scored with many nodes by one product: with all, or with those that a step's links share. */
function scoredByProducts(
  { seedsAll, sharedPerLink, dim }: LinkWork,
  { numNodes, numLinks, epochs }: { readonly numNodes: number; readonly numLinks: number; readonly epochs: number },
): EstimateLine[] {
  const perLink = seedsAll ? numNodes : sharedPerLink;
  if (perLink === 0) return [];
  const what = `links of ${epochs} epochs, scored with ${seedsAll ? "all nodes" : "those they share"}, and the gradients of both`;
  return [{ of: "time", what, amount: numLinks * perLink * (3 * dim * seconds.value + seconds.score) }];
}

/** Bytes of a stored edge while links are told apart: rows, sides, sorted copies and an index of all pairs */
const splitBytesPerEdge = 96;

/** Memory of each rank: an index of the links that are learnt from, and the pairs of the split. */
export function linkMemoryLines(input: EstimateInput): EstimateLine[] {
  const { graph, links } = input;
  if (!links) return [];
  const pairs = 16 * (links.numTrain + links.numHeldOut);
  // Sorted by time: places, sources and times
  const timed = links.isTimed ? graph.numEdges * 24 + 4 * graph.numNodes + 8 * links.numTrain : 0;
  const index = graph.numNodes * (links.isTyped ? 20 : 8) + graph.numEdges * 12 + timed;
  const lines = [
    { what: "links to learn from, held-out pairs and an index of both", amount: pairs + index },
    ...rowsOfPairs(input, links),
  ];
  if (links.seedsAll)
    lines.push({ what: "scores of a step's links with all nodes", amount: scoresBytes(links, input) });
  else if (links.sharedPerLink > 0) {
    // Four times, as losses other than a softmax need them (`links/losses/shared-loss.ts`)
    const amount = (16 * links.linksPerStep * links.sharedPerLink) / input.ranks;
    lines.push({ what: "scores of a step's links with the nodes they share", amount });
  }
  return lines.map((line) => ({ of: "memory", ...line }));
}

/** Where ranks hold a part each, an evaluation brings the rows of all nodes to every host, which may have one rank. */
export function rowsOfPairs(
  { graph: { numNodes }, isPartitioned = false }: EstimateInput,
  { dim }: { readonly dim: number },
): { readonly what: string; readonly amount: number }[] {
  if (!isPartitioned) return [];
  return [{ what: "rows of all nodes that pairs are judged by, on each host", amount: 4 * numNodes * dim }];
}

/** Scores of a block of links with all nodes (`ops/k-vs-all.ts`), and the gradient of all rows, thrice on its way. */
function scoresBytes({ linksPerStep, dim }: LinkWork, { graph: { numNodes }, ranks }: EstimateInput): number {
  const rows = Math.min(192, Math.max(24, 2 ** 23 / numNodes), linksPerStep / ranks);
  return 4 * numNodes * (rows + 3 * dim);
}

/** Peaks of the stages that run on one rank: splitting, and finding new neighbours. */
export function linkStagePeaks(input: EstimateInput, processBytes: number): EstimateLine[] {
  const { graph, links } = input;
  if (!links) return [];
  const { numNodes, numEdges } = graph;
  const listed = numNodes * (links.dim * 8 + links.mostListed * 8 + 150);
  const blocks = Math.max(2 ** 24, 4 * numNodes) * 3;
  // Rows of the nodes of a type, copied, and where each node stands among those of its type
  const typed = links.isTyped ? numNodes * (links.dim * 4 + 12) : 0;
  return [
    {
      of: "memory",
      what: "splitting links, on one rank before training",
      amount: processBytes + numEdges * splitBytesPerEdge,
    },
    {
      of: "memory",
      what: "finding new neighbours, on one rank after training",
      amount: processBytes + listed + blocks + typed + numEdges * 20,
    },
  ];
}

/** int32 pairs and message edges of the split; int32 and float32 of each new neighbour, its lines and its rows. */
export function linkDiskLines({ graph, links }: EstimateInput): EstimateLine[] {
  if (!links) return [];
  const timed = links.isTimed ? 4 * (graph.numEdges + links.numTrain) : 0;
  const split =
    graph.numNodes * (links.isTyped ? 12 : 8) + graph.numEdges * 8 + 8 * (links.numTrain + links.numHeldOut) + timed;
  const found = graph.numNodes * links.mostListed * 8 + links.numListed * 52 + links.numHeldOut * 40;
  return [
    { of: "disk", what: "split of the links", amount: split },
    { of: "disk", what: "new neighbours and scored pairs", amount: found },
  ];
}
