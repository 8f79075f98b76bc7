/**
 * Neighbour sampling into blocks, relabelling included; edges by src are sorted by the gradient that walks them.
 *
 * Figure: million sampled edges per second of CPU time, so that a busy machine or more threads do not change it.
 * Ceiling: each sampled edge reads at least its own entry of `indices`; the rate at which this core reads random
 * entries of the same array, measured in the same run, bounds it (drawing and relabelling cost extra).
 *
 *   ours.ts                    neighbour sampling, uniform; the other samplers with --sampler NAME (see `samplers`)
 *   ours.ts --graph DIR        the .npy files of script/bench epoch --graph
 *   ours.ts --fanouts 25,10    neighbours per hop; layer-wise samplers draw batch · fanout / 4 nodes per hop
 *   ours.ts --cold             between two batches, reads 256 MB elsewhere, as training does: caches forget the graph
 *   ours.ts --small            a graph that only shows that the benchmark runs
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import type { CscGraph } from "../../packages/gnn-core/src/graph/csc-graph.ts";
import { graphFromEdges } from "../../packages/gnn-core/src/graph/graph-from-edges.ts";

import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { createLaborSampler } from "../../packages/gnn-core/src/sampling/labor-blocks.ts";
import { createFastGcnSampler, createLadiesSampler } from "../../packages/gnn-core/src/sampling/layer-wise-blocks.ts";
import type { Sampler } from "../../packages/gnn-core/src/sampling/sampler.ts";
import { createWeightedSampler } from "../../packages/gnn-core/src/sampling/weighted-blocks.ts";

const { values: flags } = parseArgs({
  options: {
    small: { type: "boolean", default: false },
    sampler: { type: "string", default: "neighbor" },
    fanouts: { type: "string", default: "15,10" },
    graph: { type: "string" },
    cold: { type: "boolean", default: false },
  },
});
const isSmall = flags.small;
const scale = isSmall ? 12 : 19;
const numEdges = isSmall ? 50_000 : 8_000_000;
const numBatches = isSmall ? 5 : 100;
const fanouts = flags.fanouts.split(",").map(Number);
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
    let u = 0;
    let v = 0;
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

/** Every edge gets one of eight weights. */
function withWeights(unweighted: CscGraph): CscGraph {
  const parts = unweighted.parts.map((part) => ({
    ...part,
    weights: Float32Array.from(part.indices, (_, i) => 1 + (i % 8)),
  }));
  return { ...unweighted, parts };
}

const common = { fanouts, seed: 1 };
const labor = { ...common, iterations: 0, layerDependency: false, fixedSize: false, normalize: true };
const layerSizes = fanouts.map((fanout, hop) => Math.round((batchSize * fanout * (hop + 1)) / 4));
const layers = { layerSizes, normalize: true, seed: 1 };

const samplers: Readonly<Record<string, (graph: CscGraph) => Sampler | Promise<Sampler>>> = {
  neighbor: (graph) => createBlockSampler({ graph, ...common, replace: false }),
  "neighbor-replace": (graph) => createBlockSampler({ graph, ...common, replace: true }),
  weighted: (graph) => createWeightedSampler({ graph: withWeights(graph), ...common, replace: false, reweight: true }),
  "weighted-replace": (graph) =>
    createWeightedSampler({ graph: withWeights(graph), ...common, replace: true, reweight: true }),
  labor: (graph) => createLaborSampler({ graph, ...labor }),
  "labor-fixed": (graph) => createLaborSampler({ graph, ...labor, fixedSize: true }),
  "labor-1": (graph) => createLaborSampler({ graph, ...labor, iterations: 1 }),
  "labor-star": (graph) => createLaborSampler({ graph, ...labor, iterations: -1 }),
  fastgcn: (graph) => createFastGcnSampler({ graph, ...layers }),
  ladies: (graph) => createLadiesSampler({ graph, ...layers, replace: false }),
};

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

const create = samplers[flags.sampler];
if (!create)
  throw new Error(`There is no sampler "${flags.sampler}"; choose one of ${Object.keys(samplers).join(", ")}.`);
const graph = await (flags.graph ? readShapedGraph(flags.graph).then((read) => read.graph) : rmat());
const sampler = await create(graph);
const batches = seedBatches(graph, numBatches);
const elsewhere = new Float64Array(flags.cold ? 32 * 2 ** 20 : 0);

interface Totals {
  edges: number;
  rows: number;
  cpuSeconds: number;
}

/** All batches once; what is read elsewhere between them is not counted. */
async function sampleAll(): Promise<Totals> {
  const totals = { edges: 0, rows: 0, cpuSeconds: 0 };
  for (const [step, seeds] of batches.entries()) {
    elsewhere.fill(step);
    totals.cpuSeconds += await cpuSeconds(async () => {
      const blocks = await sampler.sample(seeds, { epoch: 0, step });
      for (const { indices } of blocks) totals.edges += indices.length;
      totals.rows += blocks[0]!.numSrc;
    });
  }
  return totals;
}

await sampleAll();
const wallStart = performance.now();
const runs: Totals[] = [];
for (let repeat = 0; repeat < 5; repeat++) runs.push(await sampleAll());
const wallSeconds = (performance.now() - wallStart) / 1000;
const rates = runs.map(({ edges, cpuSeconds: seconds }) => edges / seconds / 1e6);
const figure = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]!;
const ceiling = (await randomReadsPerSecond(graph.parts[0]!.indices)) / 1e6;
const [{ edges, rows }] = runs as [Totals];

console.log(
  JSON.stringify({
    topic: "sampler",
    figure: Number(figure.toFixed(2)),
    unit: "million sampled edges per second per core (CPU time)",
    better: "higher",
    ceiling: Number(ceiling.toFixed(2)),
    details: {
      sampler: flags.sampler,
      graph: { kind: flags.graph ?? "R-MAT", numNodes: graph.numNodes, numEdges: graph.numEdges },
      fanouts,
      batchSize,
      isCold: flags.cold,
      edgesPerBatch: Math.round(edges / batches.length),
      rowsPerBatch: Math.round(rows / batches.length),
      runs: rates.map((rate) => Number(rate.toFixed(2))),
      wallMillionEdgesPerSecond: Number(((edges * rates.length) / wallSeconds / 1e6).toFixed(2)),
      ceilingMeans: "random reads from the same `indices` per second per core, one per sampled edge",
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
