/**
 * Feature rows that ranks with a part each ask of one another: METIS beside random parts, with and without the cache.
 *
 * Figure: remote rows per training batch with METIS over those with random parts, fanouts [25, 10], no cache. There is
 * no ceiling: the best cut is not known.
 *
 *   ours.ts [--scale 1 | --graph DIR] [--parts 4] [--batch 1024] [--batches 24] [--cache 0.25] [--small]
 *
 * scale 1: 1M nodes, 31.4M edges of 200 planted communities; --graph: .npy arrays as of `script/bench epoch`. --batch:
 * of all ranks together. Each count goes to standard error as soon as it is there.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { plantedGraph } from "../partition/planted-graph.ts";
import { PartitionedRanks } from "./count-reads.ts";
import { cutGraph, partitioners } from "./cut-graph.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    graph: { type: "string" },
    parts: { type: "string", default: "4" },
    batch: { type: "string", default: "1024" },
    batches: { type: "string", default: "24" },
    cache: { type: "string", default: "0.25" },
    small: { type: "boolean", default: false },
  },
});
const numParts = Number(values.parts);
const [scale, batchSize, numBatches] = values.small
  ? [0.005, 64, 4]
  : [Number(values.scale), Number(values.batch), Number(values.batches)];
const cacheShare = Number(values.cache);
const hops = { oneHop: [25], twoHops: [25, 10] } as const;

const data = values.graph ? await readShapedGraph(values.graph) : await plantedGraph(scale);
const round = (value: number) => Number(value.toPrecision(4));

/** Remote rows per batch of one partition, at one hop and at two, without the cache and with it. */
async function readsOf(name: keyof typeof partitioners, dir: string) {
  const ranks = await PartitionedRanks.open(await cutGraph(data, partitioners[name], numParts, dir), numParts);
  const count = async (fanouts: readonly number[]) => {
    const options = { fanouts, batchSize, numBatches };
    const plain = await ranks.count({ ...options, cacheShare: 0 });
    const cached = await ranks.count({ ...options, cacheShare });
    const reads = {
      rowsPerBatch: round(plain.rowsPerBatch),
      withCache: round(cached.rowsPerBatch),
      leftByCache: round(cached.rowsPerBatch / plain.rowsPerBatch),
      cachedRows: Math.round(cached.cachedRows),
    };
    console.error(`${name} [${fanouts.join(", ")}] ${JSON.stringify(reads)}`);
    return reads;
  };
  return { oneHop: await count(hops.oneHop), twoHops: await count(hops.twoHops) };
}

const dir = mkdtempSync(join(tmpdir(), "hw-remote-reads-"));
try {
  const random = await readsOf("random", dir);
  const metis = await readsOf("metis", dir);
  const ratio = (hop: keyof typeof hops) => round(metis[hop].rowsPerBatch / random[hop].rowsPerBatch);
  console.log(
    JSON.stringify({
      topic: "remote-reads",
      figure: ratio("twoHops"),
      unit: "of the remote rows of random parts",
      better: "lower",
      ceiling: null,
      details: {
        graph: {
          name: values.graph ? basename(values.graph) : `planted x ${scale}`,
          numNodes: data.graph.numNodes,
          numEdges: data.graph.numEdges,
          numParts,
        },
        batch: { seedsOfAllRanks: batchSize, fanouts: hops, cacheShare },
        ratios: { oneHop: ratio("oneHop"), twoHops: ratio("twoHops") },
        metis,
        random,
      },
    }),
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
