/**
 * How long does the event loop of a program stand still while it trains?
 *
 * Figure: the 99th percentile, in milliseconds, of the time between two turns of a 1 ms timer (perf_hooks'
 * monitorEventLoopDelay) while `trainInWorker` takes over a graph, trains and hands back embeddings. Ceiling: the same
 * of an idle loop in the same run, which is what the machine and its load allow. Beside it `Trainer.fit` on the loop
 * itself.
 *
 *   ours.ts [--scale 0.02] [--epochs 3] [--batch 1024] [--fanouts 15,10,5] [--threads N] [--small]
 */
import { availableParallelism } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  DenseFeatureStore,
  graphShapes,
  scaleShape,
  shapedGraph,
  Trainer,
  type TrainerOptions,
  trainInWorker,
} from "@hopwise/gnn-core";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "0.02" },
    epochs: { type: "string", default: "3" },
    batch: { type: "string", default: "1024" },
    fanouts: { type: "string", default: "15,10,5" },
    threads: { type: "string", default: String(availableParallelism()) },
    small: { type: "boolean", default: false },
  },
});
const threads = Number(values.threads);
const fanouts = values.small ? [3, 3] : values.fanouts.split(",").map(Number);
const idleMs = values.small ? 200 : 2000;

const shape = scaleShape(graphShapes["products-shaped"], values.small ? 0.001 : Number(values.scale));
const { features, featureDim, ...rest } = await shapedGraph(shape, 1, { threads });
const data = { ...rest, features: new DenseFeatureStore(featureDim, [features]) };
const options: TrainerOptions = {
  model: { type: "sage", options: { hiddenFeats: values.small ? 16 : 256, numLayers: fanouts.length, dropout: 0.5 } },
  sampling: { type: "neighbor", options: { fanouts } },
  train: { epochs: values.small ? 1 : Number(values.epochs), batchSize: Number(values.batch) },
};

const round = (value: number) => Number(value.toPrecision(3));

async function delaysOf(work: () => Promise<unknown>) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const startedAt = performance.now();
  delays.enable();
  await work();
  delays.disable();
  const ms = (nanoseconds: number) => round(nanoseconds / 1e6);
  return {
    p50: ms(delays.percentile(50)),
    p99: ms(delays.percentile(99)),
    max: ms(delays.max),
    seconds: round((performance.now() - startedAt) / 1000),
  };
}

const idle = await delaysOf(() => sleep(idleMs));
let steps = 0;
const worker = await delaysOf(async () => {
  ({ steps } = await trainInWorker({ data, options, threads, infer: true }));
});
const onLoop = await delaysOf(async () => {
  const trainer = await Trainer.create({ data, options });
  await trainer.fit();
  await trainer.infer();
  trainer.dispose();
});

console.log(
  JSON.stringify({
    topic: "event-loop",
    figure: worker.p99,
    unit: "ms p99 while training",
    better: "lower",
    ceiling: idle.p99,
    details: { idle, worker, onLoop, threads, steps, numNodes: shape.numNodes, numEdges: data.graph.numEdges, fanouts },
  }),
);
