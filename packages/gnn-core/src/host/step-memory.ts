/** What the driver, the kernels and cuBLAS take of a device in one process: 0.62 GB on an H100 with CUDA 13.0 */
const contextBytes = 650e6;
/** The batch in work and the one that is copied meanwhile */
const batchesOnDevice = 2;

export interface BatchSize {
  /** Rows of the input layer */
  readonly rows: number;
  /** Edges of all its blocks */
  readonly edges: number;
}

/** What of a model decides what a step of it takes. */
export interface ModelSize {
  readonly numParameters: number;
  /** How many of them stay as they are; default none */
  readonly numFrozenParameters?: number | undefined;
  /** Width of the input rows */
  readonly inDim: number;
  readonly hiddenFeats: number;
  readonly numHops: number;
  /** How many of the input columns are learned; default none */
  readonly learnedDim?: number;
  /** Relations that the model tells apart; default none */
  readonly numRelations?: number;
  /** Whether hidden layers are normalised by statistics of the batch; default false */
  readonly hasBatchNorm?: boolean;
}

/** One term of what is needed, as a person can check it */
export interface MemoryTerm {
  readonly what: string;
  readonly amount: number;
}

/** What a step needs of a device's memory beside the features that stay there: an upper bound, term by term. */
export function stepTerms(model: ModelSize, { rows, edges }: BatchSize): MemoryTerm[] {
  const { inDim, hiddenFeats, numHops, learnedDim = 0, numRelations = 0 } = model;
  // Beside the features on the tape, as is their gradient.
  const learned = { what: "learned input rows of a step and their gradients", amount: rows * (inDim + learnedDim) * 8 };
  // Each row has at most one sum of a relation, and none without an edge of it.
  const segments = Math.min(edges, rows * numRelations);
  const ofRelations = {
    what: "sums of neighbours by relation, and what weights make of them",
    amount: segments * (inDim + hiddenFeats) * 4,
  };
  const hops = Math.max(1, numHops);
  return [
    { what: "the driver's context, the kernels and cuBLAS", amount: contextBytes },
    weightsTerm(model),
    { what: `features of ${batchesOnDevice} batches`, amount: rows * inDim * 4 * batchesOnDevice },
    // A column and its place in the reversed block for each edge; of every block's rows an id and two offsets.
    { what: `blocks of ${batchesOnDevice} batches`, amount: (edges * 8 + rows * 20 * hops) * batchesOnDevice },
    { what: "activations and their gradients", amount: rows * hiddenFeats * 4 * 2 * hops },
    ...(model.hasBatchNorm
      ? [{ what: "normalised rows of hidden layers", amount: rows * hiddenFeats * 4 * 6 * hops }]
      : []),
    ...(learnedDim > 0 ? [learned] : []),
    ...(numRelations > 0 ? [ofRelations] : []),
  ];
}

/** What is frozen lies there once; all else has a gradient, two moments and a place in the all-reduce bucket. */
export function weightsTerm({
  numParameters,
  numFrozenParameters = 0,
}: Pick<ModelSize, "numParameters" | "numFrozenParameters">): MemoryTerm {
  const what = "weights, gradients, two Adam moments, all-reduce bucket";
  return { what, amount: (numParameters - numFrozenParameters) * 4 * 5 + numFrozenParameters * 4 };
}
