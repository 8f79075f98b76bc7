/**
 * What two ranks lose by training together: processes of one thread each that sum their gradients in every step (Gloo
 * over TCP) against the same processes on the same batches that do not communicate, in turns.
 *
 * Figure: steps per second of all ranks together, over that of ranks apart; medians of the rounds. Ceiling: 1. Details:
 * where the rest goes (waiting for a later rank; the sum itself), and the same in CPU seconds, which other load hardly
 * moves.
 *
 * --partitioned: each rank holds a part of the graph on an address of its own, as on a host of its own, and reads the
 * rest from the others ahead of its steps; apart, it holds the whole graph. Details then have a model for more ranks
 * (link-model.ts).
 *
 *   ours.ts [--data products-shaped|reddit-shaped --scale 0.1 | --graph DIR] [--ranks 2] [--model sage|gcn|gat]
 *           [--fanouts 15,10,5] [--batch 1024] [--dropout 0.5 | 0.6 for gat] [--steps 5] [--rounds 5] [--small]
 *           [--partitioned [--cache 0.25] [--model-ranks 8] [--link-gbits 10]]
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serveRendezvous } from "../../packages/gnn-core/src/dist/ipc-rendezvous.ts";
import type { ShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { compileProgram } from "../../script/lib/compile-program.mjs";
import { type ModelName, modelNames, usualHidden } from "../epoch/benchmark-model.ts";
import { median } from "../epoch/cpu-clock.ts";
import { generatedDir } from "../generate/generated-dir.ts";
import { PartitionedRanks } from "../remote-reads/count-reads.ts";
import { cutGraph, partitioners } from "../remote-reads/cut-graph.ts";
import { linkModel } from "./link-model.ts";
import type { PartitionedTask } from "./partitioned-rank.ts";
import type { Mode, RankTask, RoundAnswer } from "./rank.ts";
import { type RoundFigures, roundFigures } from "./round-figures.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "products-shaped" },
    scale: { type: "string", default: "0.1" },
    graph: { type: "string" },
    ranks: { type: "string", default: "2" },
    model: { type: "string", default: "sage" },
    fanouts: { type: "string", default: "15,10,5" },
    batch: { type: "string", default: "1024" },
    dropout: { type: "string" },
    steps: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    partitioned: { type: "boolean", default: false },
    cache: { type: "string", default: "0.25" },
    "model-ranks": { type: "string", default: "8" },
    "link-gbits": { type: "string", default: "10" },
    small: { type: "boolean", default: false },
  },
});
const isSmall = values.small;
const modelName = values.model as ModelName;
if (!modelNames.includes(modelName)) throw new Error(`--model ${modelName}: expected ${modelNames.join(", ")}.`);
const worldSize = Number(values.ranks);
const [steps, rounds] = isSmall ? [2, 2] : [Number(values.steps), Number(values.rounds)];
const fanouts = values.fanouts.split(",").map(Number);
const dropout = Number(values.dropout ?? (modelName === "gat" ? 0.6 : 0.5));
const model = { name: modelName, hidden: isSmall ? 16 : usualHidden[modelName], numLayers: fanouts.length, dropout };

const dir = values.graph ?? (await generatedDir(values.data, isSmall ? 0.001 : Number(values.scale)));
const batchSize = isSmall ? 32 : Number(values.batch);
const cacheShare = Number(values.cache);
const partsDir = values.partitioned ? await mkdtemp(join(tmpdir(), "hopwise-scaling-parts-")) : null;
const shaped = partsDir ? await readShapedGraph(dir) : null;
const cut = (numParts: number) => cutGraph(shaped as ShapedGraph, partitioners.metis, numParts, partsDir as string);
const artifact = partsDir ? await cut(worldSize) : null;
const secret = [...randomBytes(32)];
const partsOf = (rank: number): PartitionedTask | null =>
  artifact && { artifact, address: `127.0.0.${2 + rank}`, secret, cacheShare };
const script = await compileProgram(new URL("rank.ts", import.meta.url));
const processes = Array.from({ length: worldSize }, () => fork(script));
serveRendezvous(processes);
for (const [rank, child] of processes.entries()) {
  child.once("exit", (code) => code && process.exit(code)); // its error is printed; the others would wait for it
  const task: RankTask = { dir, parts: partsOf(rank), rank, worldSize, model, fanouts, batchSize, steps };
  child.send({ task });
}

async function answerOf(child: ChildProcess): Promise<RoundAnswer> {
  for (;;) {
    const [message] = (await once(child, "message")) as [{ answer?: RoundAnswer }];
    if (message.answer) return message.answer; // the others are keys of the rendezvous
  }
}

async function round(mode: Mode): Promise<RoundAnswer[]> {
  const answers = processes.map(answerOf);
  for (const child of processes) child.send({ mode });
  return Promise.all(answers);
}

const found: Record<Mode, RoundFigures[]> = { together: [], apart: [] };
let numParameters = 0;
for (const mode of ["together", "apart"] as const) await round(mode); // warms up
for (let i = 0; i < rounds; i++) {
  for (const mode of i % 2 === 0 ? (["together", "apart"] as const) : (["apart", "together"] as const)) {
    const answers = await round(mode);
    numParameters = answers[0]?.numParameters ?? 0;
    found[mode].push(roundFigures(answers, steps, mode === "together"));
  }
}
const ends = processes.map((child) => once(child, "exit"));
for (const child of processes) child.send({ end: true });
await Promise.all(ends);

const round4 = (value: number) => Number(value.toPrecision(4));
const medianOf = (mode: Mode, name: keyof RoundFigures) => median(found[mode].map((figures) => figures[name]));

/** Bytes that a rank of many would read, counted on as many parts; the rest from what was measured with these. */
async function modelOfMore() {
  const ranks = Number(values["model-ranks"]);
  const counting = { fanouts, batchSize: batchSize * ranks, numBatches: steps, cacheShare };
  const { bytesPerBatch } = await (await PartitionedRanks.open(await cut(ranks), ranks)).count(counting);
  return linkModel({
    ranks,
    linkGbits: Number(values["link-gbits"]),
    apartSeconds: medianOf("apart", "cpuSecondsPerStep"),
    togetherSeconds: medianOf("together", "cpuSecondsPerStep"),
    remoteBytes: { ofTwo: medianOf("together", "remoteBytes"), ofAll: bytesPerBatch },
    gradientBytes: 4 * numParameters,
    imbalance: medianOf("together", "imbalance"),
  });
}

const partitioned = partsDir && {
  cacheShare,
  remoteRowsPerStep: Math.round(medianOf("together", "remoteRows")),
  remoteBytesPerStep: Math.round(medianOf("together", "remoteBytes")),
  model: await modelOfMore(),
};
if (!values.graph) await rm(dir, { recursive: true });
if (partsDir) await rm(partsDir, { recursive: true });
const ratios = found.together.map(({ stepsPerSecond }, i) => stepsPerSecond / (found.apart[i]?.stepsPerSecond ?? 1));
console.log(
  JSON.stringify({
    topic: "scaling",
    figure: round4(medianOf("together", "stepsPerSecond") / medianOf("apart", "stepsPerSecond")),
    unit: `of ${worldSize} ranks apart`,
    better: "higher",
    ceiling: 1,
    details: {
      graph: values.graph ?? `${values.data} x ${isSmall ? 0.001 : values.scale}`,
      model,
      fanouts,
      stepsPerRound: steps,
      rounds,
      spread: [round4(Math.min(...ratios)), round4(Math.max(...ratios))],
      stepsPerSecond: {
        together: round4(medianOf("together", "stepsPerSecond")),
        apart: round4(medianOf("apart", "stepsPerSecond")),
      },
      cpuSecondsPerStep: {
        together: round4(medianOf("together", "cpuSecondsPerStep")),
        apart: round4(medianOf("apart", "cpuSecondsPerStep")),
        ratio: round4(medianOf("apart", "cpuSecondsPerStep") / medianOf("together", "cpuSecondsPerStep")),
      },
      shareOfTime: {
        imbalance: round4(medianOf("together", "imbalance")),
        allReduce: round4(medianOf("together", "transfer")),
      },
      reducedBytes: 4 * numParameters,
      ...(partitioned && { partitioned }),
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
    },
  }),
);
