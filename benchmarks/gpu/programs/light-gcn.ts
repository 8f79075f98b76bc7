/**
 * Steps of LightGCN, three hops of 64 columns, on a graph of gowalla's size: each takes its links out of the whole
 * graph. The aim is what the device needs to move a step's bytes at the rate at which it copies: six hops read a row
 * for each edge and write one for each node, the rows that are learned and their optimizer's state are read and written
 * once, what is left of the graph is made by 76 bytes an edge, and scores of links are written and read ten times. The
 * first epoch warms up.
 */
import { activeCuda } from "../../../packages/gnn-core/src/backends/active-cuda.ts";
import type { CudaBackend } from "../../../packages/gnn-core/src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../../packages/gnn-core/src/backends/select-backend.ts";
import { points } from "../../../packages/gnn-core/src/dist/points.ts";
import type { StepEvent } from "../../../packages/gnn-core/src/spec/index.ts";
import { Trainer } from "../../../packages/gnn-core/src/train/trainer.ts";
import { device, isSmall, rounded, tell } from "./arguments.ts";
import { gowallaSized, visits } from "./visits.ts";

const shape = isSmall ? { numUsers: 24, numPlaces: 40, numVisits: 300, dim: 8, perLink: 8 } : gowallaSized;
const batchSizes = isSmall ? [60] : [8192, 32_768];
const numEpochs = isSmall ? 1 : 3;
const numHops = 3;

await selectBackend("cuda", device);
const { addon } = activeCuda() as CudaBackend;
const startedAt = performance.now();
const given = await visits(shape);
const { numNodes, numEdges } = given.data.graph;
tell({ numNodes, numEdges, seconds: rounded((performance.now() - startedAt) / 1000) });
for (const batchSize of batchSizes) tell(await timeSteps(batchSize));

async function timeSteps(batchSize: number) {
  const options = {
    model: { type: "lightGcn", options: { numHops } },
    sampling: { type: "full", options: {} },
    features: { embedding: { dim: shape.dim, optimizer: { type: "sparseAdam" as const, options: { lr: 0.02 } } } },
    train: { epochs: numEpochs + 2, batchSize, evaluate: { everyEpochs: numEpochs + 2 } },
  };
  const trainer = await Trainer.create({ ...given, options, threads: 2 });
  const stop = new AbortController();
  const perEpoch = Math.ceil(given.links.split.train.src.length / batchSize);
  const spent: number[] = [];
  let [since, cpu, counted] = [performance.now(), process.cpuUsage(), addon.deviceCounters()];
  let numSteps = 0;
  const countStep = () => numSteps++;
  const figures = { host: 0, uploaded: 0, waits: 0, launches: 0 };
  const onEvent = (event: StepEvent) => {
    if (event.type !== "metrics") return;
    const now = addon.deviceCounters();
    const { user, system } = process.cpuUsage(cpu);
    spent.push((performance.now() - since) / perEpoch);
    figures.host = (user + system) / 1000 / perEpoch;
    figures.uploaded = (now.uploadedBytes - counted.uploadedBytes) / perEpoch;
    // The sums of an epoch are waited for behind its last step.
    figures.waits = now.synchronizations - counted.synchronizations;
    figures.launches = (now.launches - counted.launches) / perEpoch;
    [since, cpu, counted] = [performance.now(), process.cpuUsage(), now];
    if (spent.length === numEpochs + 1) stop.abort();
  };
  points.sampled.subscribe(countStep);
  await trainer.fit({ signal: stop.signal, onEvent }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  points.sampled.unsubscribe(countStep);
  trainer.dispose();
  if (figures.waits > 0) throw new Error(`The host waited ${figures.waits} times for the device in an epoch's steps.`);
  const bytes = bytesOfStep(batchSize);
  return {
    pairs: batchSize,
    steps: numSteps,
    millisecondsAStep: rounded(Math.min(...spent.slice(1))),
    aimMilliseconds: rounded((1000 * bytes) / copiedPerSecond()),
    gigabytesAStep: rounded(bytes / 1e9),
    hostMillisecondsAStep: rounded(figures.host),
    launchesAStep: rounded(figures.launches),
    uploadedBytesAStep: Math.round(figures.uploaded),
  };
}

function bytesOfStep(pairs: number): number {
  const rowBytes = shape.dim * 4;
  const ofHops = 2 * numHops * (numEdges * (rowBytes + 8) + numNodes * rowBytes);
  const ofRows = 2 * 4 * numNodes * rowBytes;
  return ofHops + ofRows + 76 * numEdges + 10 * 4 * pairs * shape.perLink;
}

/** Bytes read and written */
function copiedPerSecond(): number {
  const count = isSmall ? 1000 : 2 ** 27;
  const [from, to] = [addon.makeFloats(count), addon.makeFloats(count)];
  const repeats = 20;
  addon.fill(0, from);
  addon.copy(from, to);
  addon.synchronize();
  const began = performance.now();
  for (let i = 0; i < repeats; i++) addon.copy(from, to);
  addon.synchronize();
  const seconds = (performance.now() - began) / 1000;
  for (const array of [from, to]) addon.giveBack(array);
  return (2 * 4 * count * repeats) / seconds;
}
