/**
 * Training steps on sampled batches, as an epoch makes them: sample, gather, forward, backward, optimizer.
 *
 * Figure: CPU seconds per full batch (all threads of the process, phases one after the other), the median.
 * Ceiling: the step's floating-point operations at the rate of our own sgemm plus the bytes it must move at the rate
 * of a copy, both measured in the same run. Beside it DGL's figure for the same file, model and batch (README.md).
 *
 *   ours.ts --data products-shaped|reddit-shaped --scale S | --graph DIR
 *           [--model sage] [--fanouts 15,10,5] [--batch 1024] [--hidden 256] [--dropout 0.5] [--threads 1]
 *           [--batches 15] [--seed 1] [--save DIR] [--small]
 */
import { cpus } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { loopback } from "../../packages/gnn-core/src/dist/loopback.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { type GraphShapeName, graphShapes, scaleShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";
import { type ShapedGraph, shapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import { readShapedGraph, writeShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import { layerDims } from "../../packages/gnn-core/src/models/layer-dims.ts";
import { sage } from "../../packages/gnn-core/src/models/sage.model.ts";
import { nn } from "../../packages/gnn-core/src/nn/index.ts";
import { Adam } from "../../packages/gnn-core/src/optim/adam.ts";
import { splitCode } from "../../packages/gnn-core/src/partition/split-nodes.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { epochSeeds } from "../../packages/gnn-core/src/sampling/seed-split.ts";
import { GradientBucket } from "../../packages/gnn-core/src/train/gradient-bucket.ts";
import type { StepPhase } from "../../packages/gnn-core/src/train/step-clock.ts";
import { trainStep } from "../../packages/gnn-core/src/train/train-step.ts";
import { measureCeilings } from "./ceilings.ts";
import { CpuClock, median } from "./cpu-clock.ts";
import { floorSeconds, sageWork } from "./floor.ts";
import { dglFigure } from "./peers.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "products-shaped" },
    scale: { type: "string", default: "0.1" },
    graph: { type: "string" },
    model: { type: "string", default: "sage" },
    fanouts: { type: "string", default: "15,10,5" },
    batch: { type: "string", default: "1024" },
    hidden: { type: "string", default: "256" },
    dropout: { type: "string", default: "0.5" },
    threads: { type: "string", default: "1" },
    batches: { type: "string", default: "15" },
    seed: { type: "string", default: "1" },
    save: { type: "string" },
    small: { type: "boolean", default: false },
  },
});
const isSmall = values.small;
const fanouts = values.fanouts.split(",").map(Number);
const [batchSize, hidden, numBatches] = isSmall
  ? [32, 16, 2]
  : [Number(values.batch), Number(values.hidden), Number(values.batches)];
const [dropout, seed] = [Number(values.dropout), Number(values.seed)];
const warmUp = 3;

async function loadData(): Promise<ShapedGraph> {
  if (values.graph) return readShapedGraph(values.graph);
  const shape = graphShapes[values.data as GraphShapeName];
  if (!shape) throw new Error(`--data ${values.data}: expected ${Object.keys(graphShapes).join(" or ")}.`);
  const data = await shapedGraph(scaleShape(shape, isSmall ? 0.001 : Number(values.scale)), seed);
  if (values.save) await writeShapedGraph(values.save, data);
  return data;
}

/** Full batches of training nodes, epoch after epoch. */
function* seedBatches({ split }: ShapedGraph): Generator<{ epoch: number; step: number; seeds: Int32Array }> {
  const trainNodes = Int32Array.from(split.keys()).filter((node) => split[node] === splitCode.train);
  if (trainNodes.length < batchSize) throw new Error(`There are ${trainNodes.length} training nodes; lower --batch.`);
  for (let epoch = 0; ; epoch++) {
    const batches = epochSeeds(trainNodes, { seed, epoch, batchSize, rank: 0, worldSize: 1 });
    for (const [step, seeds] of batches.entries()) {
      if (seeds.length === batchSize) yield { epoch, step, seeds };
    }
  }
}

if (values.model !== "sage") throw new Error(`--model ${values.model}: expected sage.`);
await selectBackend("native");
const addon = loadAddon();
addon.setThreads(Number(values.threads));
const data = await loadData();
const shape = { inDim: data.featureDim, outDim: data.numClasses, seed };
// The peers drop hidden rows only: none of the features.
const options = { hiddenFeats: hidden, numLayers: fanouts.length, dropout, inputDropout: 0 };
const model = sage.create(sage.options.parse(options), shape, nn);
const features = new DenseFeatureStore(data.featureDim, [data.features]);
const sampler = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed });
const clock = new CpuClock();
const parts = {
  model,
  bucket: new GradientBucket(model.variables.map(({ name, variable }) => ({ name, shape: variable.shape }))),
  collective: loopback(),
  optimizer: new Adam(model.variables, { lr: 0.003 }),
  classWeights: new Float32Array(data.numClasses).fill(1),
  gradClipNorm: null,
  clock,
  signal: new AbortController().signal,
};

interface Batch {
  readonly phases: Partial<Record<StepPhase, number>>;
  readonly numEdges: number;
  readonly inputNodes: number;
  readonly loss: number;
}

async function runBatch({ epoch, step, seeds }: { epoch: number; step: number; seeds: Int32Array }) {
  clock.start();
  const blocks = await sampler.sample(seeds, { epoch, step });
  clock.lap("sample");
  const inputNodes = (blocks[0] as Block).srcIds;
  const rows = await features.gatherAsync(inputNodes);
  clock.lap("gather");
  const labels = seeds.map((node) => data.labels[node] as number);
  const batch = { epoch, step, seeds, blocks, inputNodes, features: rows, labels, sampleMs: 0, gatherMs: 0 };
  const sums = await trainStep(parts, batch, { training: true, seed, epoch, step });
  const numEdges = blocks.reduce((sum, { indices }) => sum + indices.length, 0);
  const done: Batch = {
    phases: clock.seconds,
    numEdges,
    inputNodes: inputNodes.length,
    loss: sums.lossSum / sums.weightSum,
  };
  return { done, blocks };
}

const source = seedBatches(data);
const nextSeeds = () => source.next().value as { epoch: number; step: number; seeds: Int32Array };
for (let i = 0; i < warmUp; i++) await runBatch(nextSeeds());
const batches: Batch[] = [];
let lastBlocks: readonly Block[] = [];
const wallStart = performance.now();
for (let i = 0; i < numBatches; i++) {
  const { done, blocks } = await runBatch(nextSeeds());
  batches.push(done);
  lastBlocks = blocks;
}
const wallSeconds = (performance.now() - wallStart) / 1000 / numBatches;
const peakRssMiB = process.resourceUsage().maxRSS / 1024;

const round = (value: number) => Number(value.toPrecision(4));
const totals = batches.map(({ phases }) => Object.values(phases).reduce((sum, seconds) => sum + seconds, 0));
const figure = median(totals);
const phaseNames = ["sample", "gather", "forward", "backward", "allReduce", "optimizer"] as const;
const split = phaseNames.map((name) => [name, round(median(batches.map(({ phases }) => phases[name] ?? 0)))] as const);
const ceilings = measureCeilings(isSmall);
const work = sageWork(lastBlocks, layerDims(shape, hidden, fanouts.length));
const sampleSeconds = median(batches.map(({ phases, numEdges }) => (phases.sample ?? 0) / numEdges));
const isPeerSetting = batchSize === 1024 && hidden === 256 && Number(values.threads) === 1;
const graphName = values.graph ? basename(values.graph) : `${values.data} x ${isSmall ? 0.001 : values.scale}`;

console.log(
  JSON.stringify({
    topic: "epoch",
    figure: round(figure),
    unit: "CPU s per batch",
    better: "lower",
    ceiling: round(floorSeconds(work, ceilings)),
    details: {
      graph: { name: graphName, numNodes: data.graph.numNodes, numEdges: data.graph.numEdges },
      model: `sage ${data.featureDim}-${hidden}-${data.numClasses}`,
      fanouts,
      batchSize,
      dropout,
      threads: addon.threads(),
      isa: addon.isa(),
      split: Object.fromEntries(split),
      spread: [round(Math.min(...totals)), round(Math.max(...totals))],
      wallSeconds: round(wallSeconds),
      inputNodes: Math.round(median(batches.map(({ inputNodes }) => inputNodes))),
      sampledEdges: Math.round(median(batches.map(({ numEdges }) => numEdges))),
      samplerMillionEdgesPerSecond: round(1 / sampleSeconds / 1e6),
      peakRssMiB: Math.round(peakRssMiB),
      lastLoss: round(batches.at(-1)?.loss ?? Number.NaN),
      floor: { gflop: round(work.gflop), gigabytes: round(work.gigabytes) },
      ceilings: { sgemmGflops: round(ceilings.sgemmGflops), copyGBs: round(ceilings.copyGBs) },
      dgl: dglFigure({ shape: graphName, fanouts: values.fanouts, dropout, isPeerSetting }, ceilings),
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
