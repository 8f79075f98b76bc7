/**
 * Cutting a graph of planted communities: what each partitioner leaves to be read from elsewhere, what it costs.
 *
 * Figure: rows of other parts that the in-edges ask for, METIS (k-way) over random parts. There is no ceiling: the best
 * cut is not known.
 *
 *   ours.ts [--scale 1] [--parts 4] [--only kway,streaming5] [--small]   scale 1: 1M nodes, 15.7M edges
 *
 * Each row goes to standard error as soon as it is there.
 */
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { expectedRemoteReads } from "../../packages/gnn-core/src/estimate/remote-reads.ts";
import { SeededRandom } from "../../packages/gnn-core/src/generate/random.ts";
import { splitCode } from "../../packages/gnn-core/src/graph/split-nodes.ts";
import { balanceWeights } from "../../packages/gnn-core/src/partition/balance-weights.ts";
import type { MetisUsage } from "../../packages/gnn-core/src/partition/metis-levels.ts";
import { metisBytes } from "../../packages/gnn-core/src/partition/metis-limits.ts";
import { runMetis } from "../../packages/gnn-core/src/partition/metis-process.ts";
import { imbalance } from "../../packages/gnn-core/src/partition/partition-report.ts";
import { randomPartitioner } from "../../packages/gnn-core/src/partition/random.partitioner.ts";
import { streamingPartitioner } from "../../packages/gnn-core/src/partition/streaming.partitioner.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { gpmetis, hasGpmetis } from "../../packages/gnn-core/test/support/gpmetis.ts";
import { cpuSeconds } from "../epoch/cpu-clock.ts";
import { plantedGraph } from "./planted-graph.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    parts: { type: "string", default: "4" },
    only: { type: "string" },
    small: { type: "boolean", default: false },
  },
});
const numParts = Number(values.parts);
const never = new AbortController().signal;
const { graph, split } = await plantedGraph(values.small ? 0.005 : Number(values.scale));
const { indptr, indices } = graph.parts[0]!;
const { numNodes, numEdges } = graph;
const adjacency = await loadAddon().symmetrize(indptr, indices);
const weights = balanceWeights(["nodes", "inEdges", "train"], { indptr, split, types: null });
const input = {
  numNodes,
  numParts,
  inEdges: { indptr, indices },
  adjacency: async () => adjacency,
  ...weights,
  seed: 0,
};
const round = (value: number) => Number(value.toPrecision(4));

const { numConstraints } = weights;
const mebi = 2 ** 20;

type Row = Awaited<ReturnType<typeof measured>> & { readonly cpuSeconds?: number; readonly peakMiB?: number };

/** Mean distinct rows of other parts per batch of 1024 training nodes of one part. */
async function sampledReads(partOf: Int32Array, fanouts: readonly number[]): Promise<number> {
  const sampler = createBlockSampler({ graph, fanouts, replace: false, seed: 1 });
  const random = new SeededRandom(7);
  let read = 0;
  const batches = 4 * numParts;
  for (let step = 0; step < batches; step++) {
    const own = step % numParts;
    const train = Int32Array.from(split.keys()).filter(
      (node) => split[node] === splitCode.train && partOf[node] === own,
    );
    const seeds = new Set<number>();
    while (seeds.size < Math.min(1024, train.length)) seeds.add(train[random.integer(train.length)]!);
    const [block] = await sampler.sample(Int32Array.from(seeds), { epoch: 0, step });
    for (const node of block!.srcIds) read += Number(partOf[node] !== own);
  }
  return read / batches;
}

async function measured(partOf: Int32Array) {
  let cut = 0;
  const [nodes, edges, train] = [0, 1, 2].map(() => new Float64Array(numParts)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let node = 0; node < numNodes; node++) {
    const part = partOf[node]!;
    nodes[part]! += 1;
    train[part]! += Number(split[node] === splitCode.train);
    const { xadj, adjncy } = adjacency;
    edges[part]! += xadj[node + 1]! - xadj[node]!;
    for (let e = xadj[node]!; e < xadj[node + 1]!; e++) cut += Number(partOf[adjncy[e]!] !== part);
  }
  const edgeCut = cut / numEdges;
  const seeds = Math.min(1024, train.reduce((sum, count) => sum + count, 0) / numParts);
  return {
    edgeCut: round(edgeCut),
    imbalance: {
      nodes: round(imbalance([...nodes])),
      edges: round(imbalance([...edges])),
      train: round(imbalance([...train])),
    },
    remoteRowsPerStep: round(await sampledReads(partOf, [25, 10])),
    expectedByFormula: round(expectedRemoteReads({ numParts, numNodes, numEdges, edgeCut }, seeds, [25, 10])),
  };
}

async function metis(method: "kway" | "recursive", objective: "cut" | "volume") {
  const usages: MetisUsage[] = [];
  const onUsage = (usage: MetisUsage) => {
    usages.push(usage);
  };
  const partOf = await runMetis({ ...input, graph: adjacency, method, objective, signal: never, onUsage });
  const { cpuSeconds: seconds, peakBytes } = usages[0]!;
  return { ...(await measured(partOf)), cpuSeconds: seconds, peakMiB: Math.round(peakBytes / mebi) };
}

async function streaming(passes: number) {
  const before = cpuSeconds();
  const partOf = await streamingPartitioner.assign(input, streamingPartitioner.options.parse({ passes }), never);
  const seconds = cpuSeconds() - before;
  const bytes = partOf.byteLength + input.nodeWeights.byteLength;
  return { ...(await measured(partOf)), cpuSeconds: round(seconds), peakMiB: Math.round(bytes / mebi) };
}

const rows: Record<string, () => Promise<Row>> = {
  random: async () => measured(await randomPartitioner.assign(input, randomPartitioner.options.parse({}), never)),
  kway: () => metis("kway", "cut"),
  volume: () => metis("kway", "volume"),
  recursive: () => metis("recursive", "cut"),
  streaming1: () => streaming(1),
  streaming5: () => streaming(5),
  streaming20: () => streaming(20),
  gpmetis: async () => measured(await gpmetis(adjacency, weights.nodeWeights, weights.numConstraints, numParts)),
};
const wanted = values.only?.split(",") ?? Object.keys(rows);
const found: Record<string, Row> = {};
for (const name of new Set(["random", "kway", ...wanted])) {
  const row = rows[name];
  if (!row || (name === "gpmetis" && !hasGpmetis)) continue;
  found[name] = await row();
  console.error(`${name} ${JSON.stringify(found[name])}`);
}

console.log(
  JSON.stringify({
    topic: "partition",
    figure: round(found["kway"]!.edgeCut / found["random"]!.edgeCut),
    unit: "of the remote rows of random parts",
    better: "lower",
    ceiling: null,
    details: {
      graph: { numNodes, numEdges, numParts },
      estimatedMetisMiB: Math.round(
        metisBytes({ numNodes, numEntries: adjacency.adjncy.length, numConstraints }) / mebi,
      ),
      ...found,
    },
  }),
);
