/**
 * The grid of Table 2 of the multi-GPU comparison of PyG and DGL: GraphSAGE and GAT × batch size per process ×
 * processes.
 *
 * Figure: seconds per epoch of training, of the slowest rank as in the source, for GraphSAGE with 2,048 seeds per rank
 * on the most ranks that were run. No ceiling. The source's figures stand beside ours: other hardware, the whole of
 * Reddit.
 *
 *   ours.ts [--scale 0.05] [--ranks 1,2] [--models sage,gat] [--batches 512,1024,2048] [--epochs 2] [--small]
 */
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { generateShapedGraph, graphShapes, scaleShape, serveRendezvous } from "@hopwise/gnn-core";
import { compileProgram } from "../../script/lib/compile-program.mjs";
import { batchSizes, sourceSeconds, type TableModel } from "./source.ts";
import type { RankAnswer, RankTask } from "./train-rank.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "0.05" },
    ranks: { type: "string", default: "1,2" },
    models: { type: "string", default: "sage,gat" },
    batches: { type: "string", default: batchSizes.join() },
    epochs: { type: "string", default: "2" },
    small: { type: "boolean", default: false },
  },
});
const isSmall = values.small;
const models = (isSmall ? "sage" : values.models).split(",") as TableModel[];
const ranks = (isSmall ? "2" : values.ranks).split(",").map(Number);
const batches = (isSmall ? "64" : values.batches).split(",").map(Number);
const epochs = isSmall ? 1 : Number(values.epochs);
const shape = scaleShape(graphShapes["reddit-shaped"], isSmall ? 0.002 : Number(values.scale));

interface Setting {
  readonly model: TableModel;
  readonly worldSize: number;
  readonly batchSize: number;
}

/** Every rank in a process of its own, one thread each; the graph's files are mapped by all of them. */
async function run(dir: string, { model, worldSize, batchSize }: Setting): Promise<RankAnswer[]> {
  const script = await compileProgram(new URL("rank.ts", import.meta.url));
  const processes = Array.from({ length: worldSize }, () => fork(script));
  serveRendezvous(processes);
  const answers = processes.map((child, rank) => {
    const hidden = isSmall ? 8 : null;
    const task: RankTask = { dir, rank, worldSize, model, batchSize, epochs, hidden, device: null };
    return new Promise<RankAnswer>((resolve, reject) => {
      child.on("message", (message: object) => "answer" in message && resolve(message.answer as RankAnswer));
      child.on("exit", (code, signal) => reject(new Error(`rank ${rank} ended with ${signal ?? code}`)));
      child.send({ task });
    });
  });
  return Promise.all(answers);
}

const round = (value: number) => Number(value.toPrecision(3));

async function rowOf(dir: string, setting: Setting) {
  const answers = await run(dir, setting);
  const slowest = answers.toSorted((a, b) => b.trainSeconds - a.trainSeconds)[0] as RankAnswer;
  const { model, worldSize, batchSize } = setting;
  return {
    model,
    ranks: worldSize,
    batchPerRank: batchSize,
    stepsPerEpoch: slowest.steps / epochs,
    secondsPerEpoch: round(slowest.trainSeconds / epochs),
    waitShare: round(slowest.waitSeconds / slowest.trainSeconds),
    allReduceShare: round(slowest.allReduceSeconds / slowest.trainSeconds),
    cpuSecondsAllRanks: round(answers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)),
    valAccuracy: round(slowest.valAccuracy),
    source: sourceSeconds(model, worldSize, batchSize),
  };
}

const dir = await mkdtemp(join(tmpdir(), "hopwise-table2-"));
const { numEdges } = await generateShapedGraph(dir, shape, { seed: 1 });
const grid: Awaited<ReturnType<typeof rowOf>>[] = [];
for (const model of models) {
  for (const worldSize of ranks) {
    for (const batchSize of batches) grid.push(await rowOf(dir, { model, worldSize, batchSize }));
  }
}
await rm(dir, { recursive: true });

const headline = grid.findLast(({ model }) => model === models[0]);
console.log(
  JSON.stringify({
    topic: "table2",
    figure: headline?.secondsPerEpoch ?? Number.NaN,
    unit: "s per epoch, slowest rank",
    better: "lower",
    ceiling: null,
    details: {
      graph: { name: `reddit-shaped x ${isSmall ? 0.002 : values.scale}`, numNodes: shape.numNodes, numEdges },
      setting: `${headline?.model}, ${headline?.batchPerRank} seeds per rank, ${headline?.ranks} ranks`,
      epochs,
      grid,
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
