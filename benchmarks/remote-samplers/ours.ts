/**
 * What sampler processes take from a training rank, and what they cost: the same steps with batches that the rank's own
 * thread draws, that sampler processes draw and send (encrypted, over the loopback interface), and that lie ready, in
 * turns.
 *
 * Figure: CPU seconds of the rank's process per step with its own thread, over those with sampler processes: how many
 * times as fast a rank goes whose cores are busy, when the sampler processes have cores of their own. Ceiling: the same
 * with batches that lie ready, so that nobody draws or receives them. Details: what the sampler processes spend, and by
 * the clock.
 *
 *   ours.ts [--data products-shaped|reddit-shaped --scale 0.1 | --graph DIR] [--samplers 1] [--model sage|gcn|gat]
 *           [--fanouts 15,10,5] [--batch 1024] [--steps 5] [--rounds 5] [--small]
 */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { readShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import { releaseBlocks } from "../../packages/gnn-core/src/graph/release-blocks.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { NodeLoader } from "../../packages/gnn-core/src/sampling/node-loader.ts";
import { encodeBlocks } from "../../packages/gnn-core/src/sampling/remote/batch-codec.ts";
import type { Sampler } from "../../packages/gnn-core/src/sampling/sampler.ts";
import { withDegrees } from "../../packages/gnn-core/src/sampling/with-degrees.ts";
import { BatchRun } from "../epoch/batch-run.ts";
import { benchmarkModel, type ModelName, modelNames, usualHidden } from "../epoch/benchmark-model.ts";
import { cpuSeconds, median } from "../epoch/cpu-clock.ts";
import { type SeedBatch, seedBatches } from "../epoch/seed-batches.ts";
import { generatedDir } from "../generate/generated-dir.ts";
import { SamplerFleet } from "./sampler-fleet.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "products-shaped" },
    scale: { type: "string", default: "0.1" },
    graph: { type: "string" },
    samplers: { type: "string", default: "1" },
    model: { type: "string", default: "sage" },
    fanouts: { type: "string", default: "15,10,5" },
    batch: { type: "string", default: "1024" },
    steps: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    small: { type: "boolean", default: false },
  },
});
const isSmall = values.small;
const name = values.model as ModelName;
if (!modelNames.includes(name)) throw new Error(`--model ${name}: expected ${modelNames.join(", ")}.`);
const [steps, rounds] = isSmall ? [2, 2] : [Number(values.steps), Number(values.rounds)];
const fanouts = values.fanouts.split(",").map(Number);
const batchSize = isSmall ? 32 : Number(values.batch);
const seed = 1;

const dir = values.graph ?? (await generatedDir(values.data, isSmall ? 0.001 : Number(values.scale)));
await selectBackend("native");
loadAddon().setThreads(1);
const data = await readShapedGraph(dir);
const features = new DenseFeatureStore(data.featureDim, [data.features]);
const own = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed });
const secret = [...randomBytes(32)];
const fleet = await SamplerFleet.start(Number(values.samplers), { dir, fanouts, seed, secret });
const ready = new Map<string, readonly Block[]>();

/**
 * A model of its own for each: all begin with the same weights and see the same batches, so their losses have the same
 * bits.
 */
function wayOf(sampler: Sampler) {
  const hidden = isSmall ? 16 : usualHidden[name];
  const shape = { inDim: data.featureDim, outDim: data.numClasses, seed };
  const model = benchmarkModel({ name, hidden, numLayers: fanouts.length, dropout: 0.5 }, shape);
  const drawn = model.usesDegrees ? withDegrees(sampler, data.graph) : sampler;
  const figures = { cpu: [] as number[], wall: [] as number[], losses: [] as number[] };
  return { sampler: drawn, run: new BatchRun({ data, model, sampler: drawn, features, seed }), ...figures };
}

const ways = {
  own: wayOf(own),
  samplers: wayOf(fleet.sampler),
  ready: wayOf({ sample: async (_seeds, key) => ready.get(keyOf(key)) ?? [] }),
};
type Way = keyof typeof ways;
const wayNames: readonly Way[] = ["own", "samplers", "ready"];
const keyOf = ({ epoch, step }: { epoch: number; step: number }) => `${epoch}/${step}`;

/** @returns CPU seconds of the sampler processes */
async function round(way: Way, batches: readonly SeedBatch[], isTimed: boolean): Promise<number> {
  const { sampler, run, cpu, wall, losses } = ways[way];
  if (way === "ready") for (const batch of batches) ready.set(keyOf(batch), await own.sample(batch.seeds, batch));
  const elsewhere = await fleet.cpuSeconds();
  const before = [cpuSeconds(), performance.now()] as const;
  for await (const batch of new NodeLoader({ sampler, features, labels: null, batches, threads: 1 })) {
    if (batch.features) losses.push(await run.train({ ...batch, features: batch.features }));
    releaseBlocks(batch.blocks, batch.seeds);
  }
  const after = [cpuSeconds(), performance.now()] as const;
  ready.clear();
  if (isTimed) {
    cpu.push((after[0] - before[0]) / steps);
    wall.push((after[1] - before[1]) / 1000 / steps);
  }
  return (await fleet.cpuSeconds()) - elsewhere;
}

const source = seedBatches(data, batchSize, seed);
const samplerSeconds: number[] = [];
for (let i = 0; i <= rounds; i++) {
  const batches = Array.from({ length: steps }, () => source.next().value);
  // Other work on the machine hits all of them alike: they take turns. The first and cold round is left out.
  for (const way of wayNames) {
    const spent = await round(way, batches, i > 0);
    if (i > 0 && way === "samplers") samplerSeconds.push(spent / steps);
  }
}
const [reference, ...others] = Object.values(ways).map(({ losses }) => losses.join());
if (others.some((losses) => losses !== reference)) throw new Error("The ways do not learn by the same bits.");

const next = source.next().value;
const blocks = await own.sample(next.seeds, next);
const bytesPerBatch = encodeBlocks(blocks).reduce((sum, { byteLength }) => sum + byteLength, 0);
await fleet.close();
if (!values.graph) await rm(dir, { recursive: true });

const round4 = (value: number) => Number(value.toPrecision(4));
const cpu = (way: Way) => median(ways[way].cpu);
const perWay = (of: (way: Way) => number) => Object.fromEntries(wayNames.map((way) => [way, round4(of(way))]));
const ratios = ways.own.cpu.map((seconds, i) => seconds / (ways.samplers.cpu[i] ?? seconds));
console.log(
  JSON.stringify({
    topic: "remote-samplers",
    figure: round4(cpu("own") / cpu("samplers")),
    unit: "of the steps per CPU second of a rank that draws its batches itself",
    better: "higher",
    ceiling: round4(cpu("own") / cpu("ready")),
    details: {
      graph: values.graph ?? `${values.data} x ${isSmall ? 0.001 : values.scale}`,
      model: name,
      fanouts,
      batchSize,
      samplers: Number(values.samplers),
      steps,
      rounds,
      spread: [round4(Math.min(...ratios)), round4(Math.max(...ratios))],
      rankCpuSecondsPerStep: perWay(cpu),
      samplerCpuSecondsPerStep: round4(median(samplerSeconds)),
      bytesPerBatch,
      stepsPerSecond: perWay((way) => 1 / median(ways[way].wall)),
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
    },
  }),
);
