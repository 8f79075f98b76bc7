/**
 * Training steps on sampled batches, as an epoch makes them: sample, gather, forward, backward, optimizer.
 *
 * Figure: CPU seconds per full batch (all threads of the process, phases one after the other), the median.
 * Ceiling: the step's floating-point operations at the rate of our own sgemm plus the bytes it must move at the rate
 * of a copy, both measured between the batches. Beside it DGL's figure for the same file, model and batch (README.md).
 *
 *   ours.ts --data products-shaped|reddit-shaped --scale S | --graph DIR
 *           [--model sage|gcn|gat] [--fanouts 15,10,5] [--batch 1024] [--hidden 256 | 16 for gat]
 *           [--dropout 0.5 | 0.6 for gat] [--threads 1] [--batches 15] [--infer] [--seed 1] [--save DIR] [--small]
 *
 * --infer times the layer-wise inference of all nodes as well.
 *
 * --typed compares R-SAGE on four relations with SAGE of as many drawn edges, in turn: the figure is CPU seconds per
 * drawn edge of the one by those of the other. --into 1, 2 or 4 of the relations lead into each node; --fanouts 16,12,8
 * are those of all its relations together. It has no ceiling.
 */
import { cpus } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../packages/gnn-core/src/features/dense-feature-store.ts";
import { type GraphShapeName, graphShapes, scaleShape } from "../../packages/gnn-core/src/generate/graph-shape.ts";
import { type ShapedGraph, shapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph.ts";
import { readShapedGraph, writeShapedGraph } from "../../packages/gnn-core/src/generate/shaped-graph-files.ts";
import { layerDims } from "../../packages/gnn-core/src/models/layer-dims.ts";
import { countParameters } from "../../packages/gnn-core/src/optim/flat-gradients.ts";
import { createBlockSampler } from "../../packages/gnn-core/src/sampling/block-sampler.ts";
import { withDegrees } from "../../packages/gnn-core/src/sampling/with-degrees.ts";
import { type BatchFigures, BatchRun } from "./batch-run.ts";
import { benchmarkModel, type ModelName, modelNames, usualHidden } from "./benchmark-model.ts";
import { CeilingProbe } from "./ceilings.ts";
import { median } from "./cpu-clock.ts";
import { floorSeconds, stepWork } from "./floor.ts";
import { memoryFloor } from "./memory-floor.ts";
import { dglFigure, dglInferenceFigure, dglRssMiB } from "./peers.ts";
import { seedBatches } from "./seed-batches.ts";
import { timeInference } from "./time-inference.ts";
import { typedLine } from "./typed-line.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: "products-shaped" },
    scale: { type: "string", default: "0.1" },
    graph: { type: "string" },
    model: { type: "string", default: "sage" },
    fanouts: { type: "string" },
    batch: { type: "string", default: "1024" },
    hidden: { type: "string" },
    dropout: { type: "string" },
    threads: { type: "string", default: "1" },
    batches: { type: "string", default: "15" },
    infer: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    save: { type: "string" },
    small: { type: "boolean", default: false },
    typed: { type: "boolean", default: false },
    into: { type: "string", default: "4" },
  },
});
const isSmall = values.small;
const modelName = values.model as ModelName;
if (!modelNames.includes(modelName)) throw new Error(`--model ${modelName}: expected ${modelNames.join(", ")}.`);
const fanoutList = values.fanouts ?? (values.typed ? "16,12,8" : "15,10,5");
const fanouts = fanoutList.split(",").map(Number);
const [batchSize, numBatches] = isSmall ? [32, 2] : [Number(values.batch), Number(values.batches)];
const hidden = Number(values.hidden ?? (isSmall ? 16 : usualHidden[modelName]));
const dropout = Number(values.dropout ?? (modelName === "gat" ? 0.6 : 0.5));
const seed = Number(values.seed);
const warmUp = 3;

async function loadData(): Promise<ShapedGraph> {
  if (values.graph) return readShapedGraph(values.graph);
  const shape = graphShapes[values.data as GraphShapeName];
  if (!shape) throw new Error(`--data ${values.data}: expected ${Object.keys(graphShapes).join(" or ")}.`);
  const data = await shapedGraph(scaleShape(shape, isSmall ? 0.001 : Number(values.scale)), seed);
  if (values.save) await writeShapedGraph(values.save, data);
  return data;
}

await selectBackend("native");
const addon = loadAddon();
addon.setThreads(Number(values.threads));
const idleMiB = process.memoryUsage.rss() / 2 ** 20;
const data = await loadData();
if (values.typed) {
  const into = Number(values.into);
  if (![1, 2, 4].includes(into)) throw new Error(`--into ${values.into}: expected 1, 2 or 4.`);
  if (fanouts.some((fanout) => fanout % into !== 0)) throw new Error(`--fanouts: expected multiples of ${into}.`);
  const typed = { data, seed, hidden, dropout, fanouts, into, batchSize, numBatches };
  console.log(JSON.stringify(await typedLine(typed, await CeilingProbe.start(isSmall))));
  process.exit(0);
}
const shape = { inDim: data.featureDim, outDim: data.numClasses, seed };
const model = benchmarkModel({ name: modelName, hidden, numLayers: fanouts.length, dropout }, shape);
const features = new DenseFeatureStore(data.featureDim, [data.features]);
const plain = createBlockSampler({ graph: data.graph, fanouts, replace: false, seed });
const sampler = model.usesDegrees ? withDegrees(plain, data.graph) : plain;
const parts = { data, model, sampler, features, seed };
const run = new BatchRun(parts);
const source = seedBatches(data, batchSize, seed);

for (let i = 0; i < warmUp; i++) await run.run(source.next().value);
const probe = await CeilingProbe.start(isSmall);
const batches: BatchFigures[] = [];
let wallMs = 0;
for (let i = 0; i < numBatches; i++) {
  const started = performance.now();
  batches.push(await run.run(source.next().value));
  wallMs += performance.now() - started;
  await probe.measure();
}
const peakRssMiB = process.resourceUsage().maxRSS / 1024;
const inferSeconds = values.infer ? await timeInference(parts, 5) : null;
const ceilings = probe.close();

const round = (value: number) => Number(value.toPrecision(4));
const totals = batches.map(({ phases }) => Object.values(phases).reduce((sum, seconds) => sum + seconds, 0));
const figure = median(totals);
const phaseNames = ["sample", "gather", "forward", "backward", "allReduce", "optimizer"] as const;
const split = phaseNames.map((name) => [name, round(median(batches.map(({ phases }) => phases[name] ?? 0)))] as const);
const dims = layerDims(shape, hidden, fanouts.length);
const work = stepWork(modelName, run.blocks, dims);
const sampleSeconds = median(batches.map(({ phases, numEdges }) => (phases.sample ?? 0) / numEdges));
const memory = memoryFloor({
  idleMiB,
  graphBytes: 8 * (data.graph.numNodes + 1) + 4 * data.graph.numEdges,
  featureBytes: 4 * data.graph.numNodes * data.featureDim,
  model: modelName,
  blocks: run.blocks,
  dims,
  dropout,
  numParameters: countParameters(model.variables),
});
const peerRun = {
  graph: values.graph ? basename(values.graph) : `${values.data} x ${isSmall ? 0.001 : values.scale}`,
  model: modelName,
  fanouts: fanoutList,
  dropout,
  isPeerSetting: batchSize === 1024 && hidden === usualHidden[modelName] && Number(values.threads) === 1,
};

console.log(
  JSON.stringify({
    topic: "epoch",
    figure: round(figure),
    unit: "CPU s per batch",
    better: "lower",
    ceiling: round(floorSeconds(work, ceilings)),
    details: {
      graph: { name: peerRun.graph, numNodes: data.graph.numNodes, numEdges: data.graph.numEdges },
      model: `${modelName} ${data.featureDim}-${hidden}-${data.numClasses}`,
      fanouts,
      batchSize,
      dropout,
      threads: addon.threads(),
      isa: addon.isa(),
      split: Object.fromEntries(split),
      spread: [round(Math.min(...totals)), round(Math.max(...totals))],
      wallSeconds: round(wallMs / 1000 / numBatches),
      inputNodes: Math.round(median(batches.map(({ inputNodes }) => inputNodes))),
      sampledEdges: Math.round(median(batches.map(({ numEdges }) => numEdges))),
      samplerMillionEdgesPerSecond: round(1 / sampleSeconds / 1e6),
      lastLoss: round(batches.at(-1)?.loss ?? Number.NaN),
      floor: { gflop: round(work.gflop), gigabytes: round(work.gigabytes) },
      ceilings: { sgemmGflops: round(ceilings.sgemmGflops), copyGBs: round(ceilings.copyGBs) },
      dgl: dglFigure(peerRun, figure, ceilings),
      inference:
        inferSeconds === null
          ? null
          : { cpuSeconds: round(inferSeconds), dgl: dglInferenceFigure(peerRun, inferSeconds, ceilings) },
      memory: {
        peakRssMiB: Math.round(peakRssMiB),
        dglRssMiB: dglRssMiB(peerRun),
        formulaMiB: memory.formula,
        ratio: round(peakRssMiB / memory.totalMiB),
      },
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
