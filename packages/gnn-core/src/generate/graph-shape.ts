/** Everything that decides a synthetic graph but its size and seed. */
export interface GraphShape {
  readonly numNodes: number;
  /** Distinct undirected pairs; the graph stores both directions of each. */
  readonly numPairs: number;
  readonly featureDim: number;
  /** Share of each class, summing to about 1. */
  readonly classPrior: readonly number[];
  readonly blocksPerClass: number;
  /** Standard deviation of the logarithm of the degree propensities. */
  readonly degreeSpread: number;
  /** Largest expected degree. */
  readonly maxDegree: number;
  /** Beta(a, b) of each node's own chance that an edge stays in its class. */
  readonly homophily: readonly [number, number];
  /** Length of the class centres in units of the features' noise. */
  readonly signal: number;
  /** Share of labels drawn at random: the ceiling of every model is about 1 − labelNoise. */
  readonly labelNoise: number;
  readonly trainShare: number;
  readonly valShare: number;
  /** Default: all that is left. Nodes of no split have no label. */
  readonly testShare?: number;
  /** Who trains: any node, or those of the highest propensity (a split by popularity). */
  readonly split: "random" | "byDegree";
}

/** Shares that fall with the rank of the class: rank^−exponent. */
const zipf = (numClasses: number, exponent: number): number[] => {
  const weights = Array.from({ length: numClasses }, (_, rank) => (rank + 1) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

/** Class shares counted in the Reddit post data of Hamilton et al. 2017. */
const redditPrior = [
  0.0565, 0.0153, 0.0142, 0.0655, 0.01, 0.0155, 0.017, 0.0091, 0.0482, 0.0096, 0.0212, 0.0128, 0.0073, 0.0116, 0.021,
  0.1217, 0.0043, 0.0114, 0.0603, 0.0443, 0.0069, 0.0175, 0.0343, 0.052, 0.0014, 0.0071, 0.0182, 0.0254, 0.0202, 0.0218,
  0.0121, 0.0197, 0.0067, 0.0213, 0.0148, 0.0181, 0.018, 0.0181, 0.0551, 0.0129, 0.022,
];

/**
 * Full-size shapes of three public benchmarks: Reddit (Hamilton et al. 2017), ogbn-products and ogbn-papers100M
 * (Hu et al. 2020). The last has 57 GB of features and 13 GB of edges: `generateShapedGraph` writes it to files.
 */
export const graphShapes = {
  "reddit-shaped": {
    numNodes: 232_965,
    numPairs: 57_307_946,
    featureDim: 602,
    classPrior: redditPrior,
    blocksPerClass: 4,
    degreeSpread: 0.95,
    maxDegree: 21_657,
    homophily: [8, 1.6],
    signal: 2.75,
    labelNoise: 0.03,
    trainShare: 0.6586,
    valShare: 0.1023,
    split: "random",
  },
  "products-shaped": {
    numNodes: 2_449_029,
    numPairs: 61_859_140,
    featureDim: 100,
    classPrior: zipf(47, 1),
    blocksPerClass: 8,
    degreeSpread: 1.37,
    maxDegree: 17_481,
    homophily: [8, 1.2],
    signal: 2.5,
    labelNoise: 0.05,
    trainShare: 0.0803,
    valShare: 0.0161,
    split: "byDegree",
  },
  "papers100m-shaped": {
    numNodes: 111_059_956,
    numPairs: 1_615_685_872,
    featureDim: 128,
    classPrior: zipf(172, 0.8),
    blocksPerClass: 16,
    degreeSpread: 1.4,
    maxDegree: 250_000,
    homophily: [7, 1.4],
    signal: 3,
    labelNoise: 0.05,
    trainShare: 0.01087,
    valShare: 0.001128,
    testShare: 0.00193,
    split: "random",
  },
} as const satisfies Record<string, GraphShape>;

export type GraphShapeName = keyof typeof graphShapes;

/** No more than this share of all pairs of nodes: beyond it most draws would repeat. */
const maxDensity = 0.1;

/**
 * The shape with `scale` times its nodes and pairs (the mean degree stays), fewer pairs where it would get too dense.
 */
export function scaleShape(shape: GraphShape, scale: number): GraphShape {
  const numNodes = Math.max(shape.classPrior.length * 2, Math.round(shape.numNodes * scale));
  const densest = Math.floor((maxDensity * numNodes * (numNodes - 1)) / 2);
  return {
    ...shape,
    numNodes,
    numPairs: Math.min(Math.round(shape.numPairs * scale), densest),
    maxDegree: Math.min(shape.maxDegree, Math.ceil(numNodes / 8)),
  };
}
