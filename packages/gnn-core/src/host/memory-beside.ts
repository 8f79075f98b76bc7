import type { BatchSize, MemoryTerm, ModelSize } from "./step-memory.ts";

/** Rows of every hidden layer that the sampler remembers of all nodes, and corrects sums over neighbours by */
export interface RememberedRows {
  readonly numNodes: number;
  readonly numEdges: number;
}

/** Two views of the graph, whose rows a task compares */
export interface ComparedRows {
  /** Seeds of a step, of all ranks together */
  readonly numSeeds: number;
  /** Width of the rows that are compared */
  readonly dim: number;
  /** Whether each row of a batch is compared with each other one */
  readonly comparesPairs: boolean;
  /** Width of the hidden layer that rows pass before they are compared; 0: there is none */
  readonly headFeats: number;
}

/** Links that are scored with many nodes by one product */
export interface ScoredLinks {
  /** Those of a step that a rank has */
  readonly numLinks: number;
  /** Nodes that each of them is scored with */
  readonly numOthers: number;
  /** Width of the rows that they are scored by */
  readonly dim: number;
  /** The scores come in blocks (`ops/k-vs-all.ts`); else all of them are there at a time, and four times */
  readonly isBlocked: boolean;
}

/** What a training has beside a model and its batch */
export interface WorkBeside {
  readonly ranks: number;
  /** Null: the sampler remembers none */
  readonly remembered: RememberedRows | null;
  /** Null: the task compares no views */
  readonly compared: ComparedRows | null;
  /** Null: links are scored pair by pair, or none are learnt */
  readonly scored: ScoredLinks | null;
}

/** As native/include/gnn/cuda/loss/k_vs_all.h has them */
const mostScores = 2 ** 25;
const fewestRows = 32;

export const viewsCompared = 2;
/** Matrices of scores that lie side by side: 17.3 were measured in the emulation, with what the pool rounds up. */
const scoreMatrices = 18;

/** What such a training needs of a device's memory beside `stepTerms`: an upper bound, term by term. */
export function termsBeside(model: ModelSize, batch: BatchSize, beside: WorkBeside): MemoryTerm[] {
  const { ranks, remembered, compared, scored } = beside;
  return [
    ...(remembered ? rememberedTerms(model, batch, { ...remembered, ranks }) : []),
    ...(compared ? [...comparedTerms(compared, scoreMatrices), secondViewTerm(model, batch)] : []),
    ...(scored ? [scoredTerm(scored)] : []),
  ];
}

/** Scores, and the rows of both sides with their gradients, as they are kept and as they are passed on */
function scoredTerm({ numLinks, numOthers, dim, isBlocked }: ScoredLinks): MemoryTerm {
  const all = numLinks * numOthers;
  const scores = isBlocked ? Math.min(all, Math.max(mostScores, fewestRows * numOthers)) : 4 * all;
  const rows = 3 * dim * (2 * numLinks + numOthers);
  return { what: "scores of a step's links with many nodes, and the gradients of both", amount: 4 * (scores + rows) };
}

function rememberedTerms(
  { inDim, hiddenFeats, numHops }: ModelSize,
  { rows }: BatchSize,
  { numNodes, numEdges, ranks }: RememberedRows & { readonly ranks: number },
): MemoryTerm[] {
  const layers = Math.max(0, numHops - 1);
  const edges = Math.min(numEdges, rows * Math.ceil(numEdges / Math.max(1, numNodes)));
  const neighbors = Math.min(numNodes, rows + edges);
  // A whole neighbourhood has rows and a block. The batch has ten times its rows: what is remembered of it, the
  // difference, what takes its place, sums over neighbours, which may lie below the nodes' own rows, and gradients. The
  // first layer keeps input rows beside the means of their neighbours.
  const perLayer = neighbors * (hiddenFeats * 4 + 12) + edges * 12 + rows * hiddenFeats * 4 * 10;
  const firstRows = rows * inDim * 4;
  const joined = ranks > 1 ? rows * ranks * hiddenFeats * 4 * 2 : 0;
  return [
    { what: "rows of hidden layers that are remembered of all nodes", amount: numNodes * hiddenFeats * 4 * layers },
    { what: "sums over whole neighbourhoods by remembered rows", amount: (perLayer + joined) * layers + firstRows },
  ];
}

/**
 * What every rank has of a global batch in both views: rows, what a head makes of them, the gradients of both, scores.
 *
 * @param matrices how many matrices of scores lie side by side
 */
export function comparedTerms(compared: ComparedRows, matrices: number): MemoryTerm[] {
  const { numSeeds, dim, comparesPairs, headFeats } = compared;
  const rows = viewsCompared * numSeeds * 4 * (dim * 8 + headFeats * 6);
  const scores = "scores of each row of a batch with all others, in both views";
  return [
    { what: "rows of a batch in both views and their gradients, of all ranks", amount: rows },
    ...(comparesPairs ? [{ what: scores, amount: numSeeds ** 2 * 4 * matrices }] : []),
  ];
}

/** Beside the first, which `stepTerms` counts */
function secondViewTerm({ inDim, hiddenFeats, numHops }: ModelSize, { rows, edges }: BatchSize): MemoryTerm {
  const hops = Math.max(1, numHops);
  const amount = rows * (inDim * 4 * 2 + hiddenFeats * 4 * 2 * hops + 20 * hops * 2) + edges * 8 * 2;
  return { what: "features, blocks and activations of the second view", amount };
}
