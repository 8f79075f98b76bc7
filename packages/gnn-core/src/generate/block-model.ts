import type { SeededRandom } from "./random.ts";

/** A degree-corrected stochastic block model: who belongs where, and who is cited how often. */
export interface BlockModel {
  readonly numClasses: number;
  /** Class of every node. */
  readonly classes: Int32Array;
  /** Chance that an edge of this node stays in its class. */
  readonly homophily: Float64Array;
  /** Nodes of each class, and running sums of their propensities: one binary search draws a node. */
  readonly groups: readonly { readonly nodes: Int32Array; readonly sums: Float64Array }[];
  readonly everybody: { readonly nodes: Int32Array; readonly sums: Float64Array };
}

/** Spread of the log-normal propensities: the most cited node has a few hundred times the edges of the median. */
const degreeSpread = 1.0;
const maxPropensity = 60;
const meanHomophily = 0.78;

/** Draws classes of unequal size, log-normal propensities and each node's own homophily. */
export function drawBlockModel(random: SeededRandom, numNodes: number, numClasses: number): BlockModel {
  const weights = Array.from({ length: numClasses }, (_, c) => 1 / (c + 3));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const classes = Int32Array.from({ length: numNodes }, () => drawClass(random, weights, total));
  const propensities = Float64Array.from({ length: numNodes }, () =>
    Math.min(maxPropensity, Math.exp(degreeSpread * random.normal())),
  );
  // Some nodes have misleading neighbours: uniform around the mean rather than one figure for all.
  const homophily = Float64Array.from({ length: numNodes }, () => meanHomophily + 0.4 * (random.uniform() - 0.5));
  const all = Int32Array.from({ length: numNodes }, (_, node) => node);
  const groups = weights.map((_, c) =>
    groupOf(
      all.filter((node) => classes[node] === c),
      propensities,
    ),
  );
  return { numClasses, classes, homophily, groups, everybody: groupOf(all, propensities) };
}

function drawClass(random: SeededRandom, weights: readonly number[], total: number): number {
  let draw = random.uniform() * total;
  for (const [c, weight] of weights.entries()) {
    draw -= weight;
    if (draw < 0) return c;
  }
  return weights.length - 1;
}

function groupOf(nodes: Int32Array, propensities: Float64Array) {
  const sums = new Float64Array(nodes.length);
  let sum = 0;
  nodes.forEach((node, i) => {
    sum += propensities[node]!;
    sums[i] = sum;
  });
  return { nodes, sums };
}

/** A node of the group, with the chance of its propensity. */
function drawNode(random: SeededRandom, { nodes, sums }: BlockModel["everybody"]): number {
  const draw = random.uniform() * sums.at(-1)!;
  let low = 0;
  let high = nodes.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > draw) high = middle;
    else low = middle + 1;
  }
  return nodes[low]!;
}

/**
 * Distinct undirected edges without self-loops, as pairs src, dst one after the other. Small dense graphs may give
 * fewer than asked for: after forty draws per edge it stops.
 */
export function drawEdges(random: SeededRandom, model: BlockModel, numEdges: number): Int32Array {
  const numNodes = model.classes.length;
  const edges = new Int32Array(numEdges * 2);
  const seen = new Set<number>();
  let end = 0;
  for (let draw = 0; end < edges.length && draw < numEdges * 40; draw++) {
    const src = drawNode(random, model.everybody);
    const stays = random.uniform() < model.homophily[src]!;
    const dst = drawNode(random, stays ? model.groups[model.classes[src]!]! : model.everybody);
    const key = Math.min(src, dst) * numNodes + Math.max(src, dst);
    if (src === dst || seen.has(key)) continue;
    seen.add(key);
    edges[end++] = src;
    edges[end++] = dst;
  }
  return edges.subarray(0, end);
}
