/**
 * Learns a row for every node from random walks (DeepWalk: Perozzi, Al-Rfou and Skiena 2014, with negative sampling as
 * in word2vec), on one rank or several: `program` is the same. The rows lie with their owners; every rank reads the
 * rows of its batch and pushes their gradients, and SparseAdagrad updates the touched rows alone.
 *
 *   onRanks                     forks the ranks; one rank runs here, standalone
 *   └── program                 in each process
 *       ├── DistGraph.create    every rank brings its range of nodes and their in-edges
 *       ├── DistEmbedding       rows of nodes and of contexts, made by name on all ranks
 *       ├── epochSeeds          the same global batches whatever the number of ranks
 *       ├── graph.randomWalks   in-neighbours are read from their owners
 *       ├── pushGradients       summed per row in a fixed order
 *       └── optimizer.step      the end of the step: owners update, then everybody reads the new rows
 *
 * Run it: node --import tsx examples/dist-embedding.ts [RANKS]
 */
import {
  type CscGraph,
  cutGraph,
  DistEmbedding,
  DistGraph,
  type DistStore,
  epochSeeds,
  graphFromEdges,
  SparseAdagrad,
} from "@hopwise/gnn-core";
import { onRanks } from "./support/on-ranks.ts";

const numCommunities = 6;
const communitySize = 30;
const degree = 5;
const numNodes = numCommunities * communitySize;
const dim = 16;
const walkLength = 6;
const window = 2;
const numNegatives = 2;
const batchSize = 60;
const numEpochs = 12;

async function program(store: DistStore): Promise<void> {
  const graph = await DistGraph.create(store, "communities", cutGraph(await communities(), store.rank));
  const offsets = graph.book.nodeOffsets;
  const nodes = await DistEmbedding.create(store, { name: "nodes", numRows: graph.numNodes, dim, offsets });
  const contexts = await DistEmbedding.create(store, { name: "contexts", numRows: numNodes, dim, offsets });
  const optimizer = new SparseAdagrad([nodes, contexts], { lr: 0.3 });
  const all = Int32Array.from({ length: numNodes }, (_, node) => node);
  const { rank, worldSize, collective } = store.rank;
  let loss = 0;
  for (let epoch = 1; epoch <= numEpochs; epoch++) {
    loss = 0;
    for (const seeds of epochSeeds(all, { seed: 1, epoch, batchSize, rank, worldSize })) {
      const walks = await graph.randomWalks(seeds, walkLength, { seed: 1, epoch });
      const pairs = pairsOf(walks, epoch);
      const [centers, others] = await Promise.all([nodes.get(pairs.centers), contexts.get(pairs.others)]);
      const gradient = skipGram(pairs.labels, centers, others);
      loss += gradient.loss;
      await Promise.all([
        nodes.pushGradients(pairs.centers, gradient.centers),
        contexts.pushGradients(pairs.others, gradient.others),
      ]);
      await optimizer.step();
    }
  }
  const sum = Float32Array.of(loss);
  await collective.allReduceSum(sum);
  const share = (100 * ownCommunity(await nodes.get(all))) / numNodes;
  const { remoteRows, localRows } = store.counters();
  console.log(
    `rank ${rank} of ${worldSize}: loss ${sum[0]?.toFixed(1)}, nearest node in its own community ${share.toFixed(1)} %, ` +
      `${((100 * remoteRows) / (remoteRows + localRows)).toFixed(0)} % of the rows were remote`,
  );
  await store.close();
}

/** Communities of equal size; one neighbour in five is any node. Deterministic: every rank makes the same graph. */
async function communities(): Promise<CscGraph> {
  const draw = generator(7);
  const src: number[] = [];
  const dst: number[] = [];
  for (let node = 0; node < numNodes; node++) {
    const first = node - (node % communitySize);
    for (let i = 0; i < degree; i++) {
      src.push(node);
      dst.push(draw() < 0.8 ? first + Math.floor(draw() * communitySize) : Math.floor(draw() * numNodes));
    }
  }
  return graphFromEdges({ src, dst, numNodes, directed: false, selfLoops: "drop" });
}

interface Pairs {
  readonly centers: Int32Array;
  readonly others: Int32Array;
  /** 1: met on a walk, 0: drawn */
  readonly labels: Uint8Array;
}

/**
 * Nodes at most `window` steps apart on a walk, and drawn nodes for each of them: a function of epoch and first node.
 */
function pairsOf(walks: Int32Array, epoch: number): Pairs {
  const centers: number[] = [];
  const others: number[] = [];
  const labels: number[] = [];
  for (let start = 0; start < walks.length; start += walkLength + 1) {
    const walk = walks.subarray(start, start + walkLength + 1);
    const draw = generator(1 + epoch * numNodes + (walk[0] as number));
    for (const [i, center] of walk.entries()) {
      for (let j = Math.max(0, i - window); j <= Math.min(walkLength, i + window); j++) {
        if (i === j) continue;
        for (let k = 0; k <= numNegatives; k++) {
          centers.push(center);
          others.push(k === 0 ? (walk[j] as number) : Math.floor(draw() * numNodes));
          labels.push(k === 0 ? 1 : 0);
        }
      }
    }
  }
  return { centers: Int32Array.from(centers), others: Int32Array.from(others), labels: Uint8Array.from(labels) };
}

/** Loss −log σ(±u·v) of each pair, and its gradients: ∂/∂u = (σ(u·v) − label)·v, ∂/∂v likewise. */
function skipGram(labels: Uint8Array, u: Float32Array, v: Float32Array) {
  const centers = new Float32Array(u.length);
  const others = new Float32Array(v.length);
  let loss = 0;
  for (const [pair, label] of labels.entries()) {
    let dot = 0;
    for (let i = pair * dim; i < (pair + 1) * dim; i++) dot += (u[i] as number) * (v[i] as number);
    const sigmoid = 1 / (1 + Math.exp(-dot));
    loss -= Math.log(Math.max(label === 1 ? sigmoid : 1 - sigmoid, 1e-12));
    for (let i = pair * dim; i < (pair + 1) * dim; i++) {
      centers[i] = (sigmoid - label) * (v[i] as number);
      others[i] = (sigmoid - label) * (u[i] as number);
    }
  }
  return { loss, centers, others };
}

/** Nodes whose nearest other node, by cosine, is of their community. */
function ownCommunity(rows: Float32Array): number {
  const row = (node: number) => rows.subarray(node * dim, (node + 1) * dim);
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
  let count = 0;
  for (let node = 0; node < numNodes; node++) {
    let best = -Infinity;
    let nearest = -1;
    for (let other = 0; other < numNodes; other++) {
      const cosine = dot(row(node), row(other)) / Math.sqrt(dot(row(other), row(other)));
      if (other !== node && cosine > best) [best, nearest] = [cosine, other];
    }
    if (Math.floor(nearest / communitySize) === Math.floor(node / communitySize)) count++;
  }
  return count;
}

/** Mulberry32: numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

await onRanks(program);
