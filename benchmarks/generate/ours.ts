/**
 * Making a synthetic graph and streaming it to files: draw pairs, remove repeats, write columns, labels and features.
 *
 * Figure: million distinct pairs per CPU second of the whole. Ceiling: drawing alone, each draw taken for a pair.
 *
 *   ours.ts [--data products-shaped] [--scale 0.05] [--threads 1] [--memory-mib 256] [--small]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { generateShapedGraph } from "../../packages/gnn-core/src/generate/generate-shaped-graph.ts";
import { type GraphShapeName, graphShapes, scaleShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";
import { blockModel } from "../../packages/gnn-core/src/generate/shaped-graph.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "products-shaped" },
    scale: { type: "string", default: "0.05" },
    threads: { type: "string", default: "1" },
    "memory-mib": { type: "string", default: "256" },
    small: { type: "boolean", default: false },
  },
});
const threads = Number(values.threads);
const shape = scaleShape(graphShapes[values.data as GraphShapeName], values.small ? 0.001 : Number(values.scale));
const round = (value: number) => Number(value.toPrecision(3));

async function cpuSecondsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-generate-"));
const marks = new Map<string, number>();
const memoryBytes = Number(values["memory-mib"]) * 2 ** 20;
const start = process.cpuUsage();
const onEvent = (event: { type: string; phase?: string }) => {
  const { user, system } = process.cpuUsage(start);
  if (event.type === "progress" && event.phase) marks.set(event.phase, round((user + system) / 1e6));
};
const seconds = await cpuSecondsOf(() => generateShapedGraph(dir, shape, { seed: 1, threads, memoryBytes, onEvent }));
const peakRssMiB = Math.round(process.resourceUsage().maxRSS / 1024);
await rm(dir, { recursive: true });

const model = await blockModel(shape, 1);
const numDraws = Math.min(2 ** 20, shape.numPairs);
loadAddon().setThreads(threads);
const drawSeconds = await cpuSecondsOf(() => loadAddon().drawPairs(model, 0, numDraws, shape.numNodes));

console.log(
  JSON.stringify({
    topic: "generate",
    figure: round(shape.numPairs / seconds / 1e6),
    unit: "million pairs per CPU s",
    better: "higher",
    ceiling: round(numDraws / drawSeconds / 1e6),
    details: {
      graph: {
        name: `${values.data} x ${values.small ? 0.001 : values.scale}`,
        numNodes: shape.numNodes,
        numPairs: shape.numPairs,
      },
      threads,
      memoryMiB: Number(values["memory-mib"]),
      cpuSeconds: round(seconds),
      cpuSecondsAtLastReportOf: Object.fromEntries(marks),
      peakRssMiB,
    },
  }),
);
