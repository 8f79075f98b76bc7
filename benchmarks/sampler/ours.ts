/**
 * Neighbour sampling into blocks, relabelling and reverse edges included.
 *
 * Figure: million sampled edges per second of CPU time, so that a busy machine or more threads do not change it.
 * Ceiling: each sampled edge reads at least its own entry of `indices`; the rate at which this core reads random
 * entries of the same array, measured in the same run, bounds it (drawing, relabelling and the reverse cost extra).
 *
 *   ours.ts [--small]   a graph that only shows that the benchmark runs
 */
import { cpus } from "node:os";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import { graphFromEdges } from "../../packages/gnn-core/src/graph/graph-from-edges.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";

const isSmall = process.argv.includes("--small");
const scale = isSmall ? 12 : 19;
const numEdges = isSmall ? 50_000 : 8_000_000;
const numBatches = isSmall ? 5 : 100;
const fanouts = [15, 10];
const batchSize = 1024;

/** xorshift32 */
function randomStream(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** R-MAT (Chakrabarti et al. 2004) with a, b, c, d = 0.57, 0.19, 0.19, 0.05: skewed degrees, no locality. */
function rmat(): Promise<CscGraph> {
  const random = randomStream(42);
  const src = new Int32Array(numEdges);
  const dst = new Int32Array(numEdges);
  for (let e = 0; e < numEdges; e++) {
    let [u, v] = [0, 0];
    for (let bit = 0; bit < scale; bit++) {
      const draw = random() / 2 ** 32;
      u = u * 2 + (draw >= 0.76 ? 1 : 0);
      v = v * 2 + ((draw >= 0.57 && draw < 0.76) || draw >= 0.95 ? 1 : 0);
    }
    src[e] = u;
    dst[e] = v;
  }
  return graphFromEdges({ src, dst, numNodes: 2 ** scale, duplicates: "keep" });
}

/** CPU seconds that `work` took, in all threads of the process. */
async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Seeds with in-edges, so that batches are not mostly empty. */
function seedBatches(graph: CscGraph, count: number): Int32Array[] {
  const [part] = graph.parts;
  const random = randomStream(7);
  const degreeAtLeastOne = (node: number) => part!.indptr[node + 1]! > part!.indptr[node]!;
  return Array.from({ length: count }, () => {
    const seeds = new Set<number>();
    while (seeds.size < batchSize) {
      const node = random() % graph.numNodes;
      if (degreeAtLeastOne(node)) seeds.add(node);
    }
    return Int32Array.from(seeds);
  });
}

/** Random reads of single elements per CPU second; independent of each other, so that many are in flight. */
async function randomReadsPerSecond(values: Int32Array): Promise<number> {
  const random = randomStream(3);
  const places = Int32Array.from({ length: 4_000_000 }, () => random() % values.length);
  const readAll = () => {
    let sum = 0;
    for (let i = 0; i < places.length; i++) sum = (sum + values[places[i]!]!) | 0;
    return sum;
  };
  readAll();
  const rounds = 5;
  const seconds = await cpuSeconds(async () => {
    for (let i = 0; i < rounds; i++) readAll();
  });
  return (rounds * places.length) / seconds;
}

const graph = await rmat();
const sampler = createBlockSampler({ graph, fanouts, replace: false, seed: 1 });
const batches = seedBatches(graph, numBatches);
let sampledEdges = 0;
const sampleAll = async () => {
  for (const [step, seeds] of batches.entries()) {
    const blocks = await sampler.sample(seeds, { epoch: 0, step });
    for (const { indices } of blocks) sampledEdges += indices.length;
  }
};
await sampleAll();
const rates: number[] = [];
const wallStart = performance.now();
for (let repeat = 0; repeat < 5; repeat++) {
  sampledEdges = 0;
  const seconds = await cpuSeconds(sampleAll);
  rates.push(sampledEdges / seconds / 1e6);
}
const wallSeconds = (performance.now() - wallStart) / 1000;
const figure = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]!;
const ceiling = (await randomReadsPerSecond(graph.parts[0]!.indices)) / 1e6;

console.log(
  JSON.stringify({
    topic: "sampler",
    figure: Number(figure.toFixed(2)),
    unit: "million sampled edges per second per core (CPU time)",
    better: "higher",
    ceiling: Number(ceiling.toFixed(2)),
    details: {
      graph: { kind: "R-MAT", numNodes: graph.numNodes, numEdges: graph.numEdges },
      fanouts,
      batchSize,
      edgesPerBatch: Math.round(sampledEdges / batches.length),
      runs: rates.map((rate) => Number(rate.toFixed(2))),
      wallMillionEdgesPerSecond: Number(((sampledEdges * rates.length) / wallSeconds / 1e6).toFixed(2)),
      ceilingMeans: "random reads from the same `indices` per second per core, one per sampled edge",
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
