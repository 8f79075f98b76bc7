import type { CscGraph } from "../graph/csc-graph.ts";
import { splitCode } from "../partition/split-nodes.ts";
import { distinctPairs } from "./distinct-pairs.ts";
import { graphFromPairs } from "./graph-from-pairs.ts";
import type { GraphShape } from "./graph-shape.ts";
import { SeededRandom } from "./random.ts";
import { WeightedDraw } from "./weighted-draw.ts";

/** A graph with everything that node classification reads. */
export interface ShapedGraph {
  readonly graph: CscGraph;
  readonly featureDim: number;
  /** float32 [numNodes, featureDim] */
  readonly features: Float32Array;
  /** int32 [numNodes] */
  readonly labels: Int32Array;
  /** int8 [numNodes], one of `splitCode` */
  readonly split: Int8Array;
  readonly numClasses: number;
}

/** Nodes in the order (class, block); ids are handed out at the end. Group g = class·blocksPerClass + block. */
interface Members {
  /** Group of each node, ascending. */
  readonly groups: Int32Array;
  /** First node of each group, and the number of nodes. */
  readonly groupStarts: Int32Array;
  readonly propensities: Float64Array;
  readonly homophily: Float64Array;
}

const sameBlockShare = 0.3;
const relatedShare = 0.6;
const relatedPerClass = 3;
const blockSignal = 0.5;

/**
 * A degree-corrected stochastic block model (Karrer and Newman 2011, arXiv:1008.3926) with features that tell the
 * class vaguely. Classes of unequal size, blocks inside them, log-normal propensities, a homophily of every node's
 * own; an edge that leaves its class goes mostly to a few related ones. Ids carry no locality. The same shape and
 * seed give the same arrays on every machine.
 */
export async function shapedGraph(shape: GraphShape, seed = 0): Promise<ShapedGraph> {
  const random = new SeededRandom(seed);
  const members = drawMembers(random, shape);
  const ids = random.permutation(shape.numNodes);
  const pairs = drawPairs(random, shape, members, ids);
  const graph = await graphFromPairs(shape.numNodes, pairs);
  const labels = drawLabels(random, shape, members, ids);
  const split = drawSplit(random, shape, members, ids);
  const features = drawFeatures(random, shape, members, ids);
  return { graph, featureDim: shape.featureDim, features, labels, split, numClasses: shape.classPrior.length };
}

function drawMembers(random: SeededRandom, shape: GraphShape): Members {
  const { numNodes, classPrior, blocksPerClass, degreeSpread, maxDegree, numPairs } = shape;
  const prior = new WeightedDraw(Float64Array.from(classPrior));
  const groups = Int32Array.from(
    { length: numNodes },
    () => prior.draw(random.uniform(), 0, classPrior.length) * blocksPerClass + random.integer(blocksPerClass),
  ).toSorted();
  const groupStarts = startsOf(groups, classPrior.length * blocksPerClass);
  const propensities = Float64Array.from({ length: numNodes }, () => Math.exp(degreeSpread * random.normal()));
  const total = propensities.reduce((sum, propensity) => sum + propensity, 0);
  const largest = (maxDegree * total) / (2 * numPairs);
  for (let node = 0; node < numNodes; node++) propensities[node] = Math.min(propensities[node]!, largest);
  const homophily = drawHomophily(random, shape, groups, groupStarts);
  return { groups, groupStarts, propensities, homophily };
}

function startsOf(groups: Int32Array, numGroups: number): Int32Array {
  const starts = new Int32Array(numGroups + 1);
  for (const group of groups) starts[group + 1]!++;
  for (let group = 0; group < numGroups; group++) starts[group + 1]! += starts[group]!;
  return starts;
}

/** Small classes are capped: with more edges wanted inside than there are pairs, most draws would repeat. */
function drawHomophily(random: SeededRandom, shape: GraphShape, groups: Int32Array, starts: Int32Array): Float64Array {
  const { numNodes, numPairs, blocksPerClass, homophily } = shape;
  const meanDegree = (2 * numPairs) / numNodes;
  return Float64Array.from(groups, (group) => {
    const first = Math.floor(group / blocksPerClass) * blocksPerClass;
    const classSize = starts[first + blocksPerClass]! - starts[first]!;
    return Math.min(beta(random, ...homophily), (0.3 * classSize) / meanDegree);
  });
}

function beta(random: SeededRandom, a: number, b: number): number {
  const x = gamma(random, a);
  return x / (x + gamma(random, b));
}

/** Marsaglia and Tsang 2000, for shapes of at least 1. */
function gamma(random: SeededRandom, shape: number): number {
  const d = shape - 1 / 3;
  for (;;) {
    const x = random.normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random.uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function drawPairs(random: SeededRandom, shape: GraphShape, members: Members, ids: Int32Array): Float64Array {
  const { numNodes, numPairs, classPrior, blocksPerClass } = shape;
  const { groups, groupStarts, propensities, homophily } = members;
  const numClasses = classPrior.length;
  const related = Int32Array.from({ length: numClasses * relatedPerClass }, () => random.integer(numClasses));
  const nodes = new WeightedDraw(propensities);
  const inGroups = (first: number, end: number) => {
    const [from, to] = [groupStarts[first]!, groupStarts[end]!];
    return from < to ? nodes.draw(random.uniform(), from, to) : nodes.draw(random.uniform(), 0, numNodes);
  };
  const inClass = (c: number) => inGroups(c * blocksPerClass, (c + 1) * blocksPerClass);
  const partnerOf = (node: number): number => {
    const group = groups[node]!;
    const own = Math.floor(group / blocksPerClass);
    if (random.uniform() < homophily[node]!) {
      return random.uniform() < sameBlockShare ? inGroups(group, group + 1) : inClass(own);
    }
    if (random.uniform() >= relatedShare) return nodes.draw(random.uniform(), 0, numNodes);
    return inClass(related[own * relatedPerClass + random.integer(relatedPerClass)]!);
  };
  const drawPair = (pair: Int32Array) => {
    const node = nodes.draw(random.uniform(), 0, numNodes);
    pair[0] = ids[node]!;
    pair[1] = ids[partnerOf(node)]!;
  };
  return distinctPairs(numNodes, numPairs, drawPair, () => random.uniform());
}

function drawLabels(random: SeededRandom, shape: GraphShape, { groups }: Members, ids: Int32Array): Int32Array {
  const { numNodes, classPrior, blocksPerClass, labelNoise } = shape;
  const prior = new WeightedDraw(Float64Array.from(classPrior));
  const labels = new Int32Array(numNodes);
  for (let node = 0; node < numNodes; node++) {
    const isNoise = random.uniform() < labelNoise;
    labels[ids[node]!] = isNoise
      ? prior.draw(random.uniform(), 0, classPrior.length)
      : Math.floor(groups[node]! / blocksPerClass);
  }
  return labels;
}

function drawSplit(random: SeededRandom, shape: GraphShape, { propensities }: Members, ids: Int32Array): Int8Array {
  const { numNodes, trainShare, valShare } = shape;
  const order = random.permutation(numNodes);
  if (shape.split === "byDegree") order.sort((a, b) => propensities[b]! - propensities[a]! || a - b);
  const numTrain = Math.round(numNodes * trainShare);
  const numVal = Math.round(numNodes * valShare);
  const split = new Int8Array(numNodes).fill(splitCode.test);
  for (let i = 0; i < numTrain + numVal; i++) {
    split[ids[order[i]!]!] = i < numTrain ? splitCode.train : splitCode.val;
  }
  return split;
}

function drawFeatures(random: SeededRandom, shape: GraphShape, { groups }: Members, ids: Int32Array): Float32Array {
  const { numNodes, featureDim, classPrior, blocksPerClass, signal } = shape;
  const ofClass = classPrior.map(() => unitVector(random, featureDim, signal));
  const centres = Array.from({ length: classPrior.length * blocksPerClass }, (_, group) => {
    const centre = ofClass[Math.floor(group / blocksPerClass)]!;
    return unitVector(random, featureDim, blockSignal).map((value, d) => value + centre[d]!);
  });
  const features = new Float32Array(numNodes * featureDim);
  for (let node = 0; node < numNodes; node++) {
    const centre = centres[groups[node]!]!;
    const first = ids[node]! * featureDim;
    for (let d = 0; d < featureDim; d++) features[first + d] = centre[d]! + random.normal();
  }
  return features;
}

function unitVector(random: SeededRandom, dim: number, length: number): Float64Array {
  const vector = Float64Array.from({ length: dim }, () => random.normal());
  const scale = length / Math.hypot(...vector);
  return vector.map((value) => value * scale);
}
