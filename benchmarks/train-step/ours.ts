/**
 * One training step of GraphSAGE: forward, backward, Adam, with the feature rows at hand.
 *
 *   batch 1,024, fanouts [25, 10] without deduplication: 1,024 seeds ← 26,624 rows ← 292,864 feature rows
 *   100 features → 256 hidden → 47 classes, no dropout (its cost is in the details)
 *
 * Figure: CPU milliseconds of a step, all threads of the process, so that a busy machine does not change it.
 * Ceiling: the step's multiplications at the rate of our sgemm plus the bytes it must move at the rate of a copy,
 * both measured in the same run.
 *
 *   ours.ts [--threads N] [--small]   small: a batch of 16, which only shows that the benchmark runs
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { loadAddon } from "../../packages/gnn-core/src/backends/native/addon.ts";
import { selectBackend } from "../../packages/gnn-core/src/backends/select-backend.ts";
import { memory, type Tensor2D, tidy, variableGrads } from "../../packages/gnn-core/src/backends/tf.ts";
import type { FeatureRows } from "../../packages/gnn-core/src/features/feature-store.ts";
import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import { sage } from "../../packages/gnn-core/src/models/sage.model.ts";
import { nn } from "../../packages/gnn-core/src/nn/index.ts";
import type { GnnModel, LayerInput } from "../../packages/gnn-core/src/nn/model.ts";
import { crossEntropySum } from "../../packages/gnn-core/src/ops/cross-entropy.ts";
import { Adam } from "../../packages/gnn-core/src/optim/adam.ts";
import { countParameters, flattenGradients } from "../../packages/gnn-core/src/optim/flat-gradients.ts";

const isSmall = process.argv.includes("--small");
const [batchSize, fanouts] = [isSmall ? 16 : 1024, [25, 10]] as const;
const inDim = 100;
const hidden = 256;
const classes = 47;
const numHidden = batchSize * 26;
const numInput = batchSize * 26 * 11;
const [repeats, stepsPerRepeat] = isSmall ? [2, 1] : [5, 6];

/** Every dst row has `fanout` src rows of its own, scattered over the block as sampled rows are. */
function fanOutBlock(numDst: number, fanout: number): Block {
  const numSrc = numDst * (1 + fanout);
  const numEdges = numDst * fanout;
  const indptr = Int32Array.from({ length: numDst + 1 }, (_, v) => v * fanout);
  const stride = 104_729; // prime, so that i * stride mod numEdges visits every row once
  const indices = Int32Array.from({ length: numEdges }, (_, e) => numDst + ((e * stride) % numEdges));
  const reverseIndptr = Int32Array.from({ length: numSrc + 1 }, (_, u) => Math.max(0, u - numDst));
  const edges = new Int32Array(numEdges);
  for (const [e, src] of indices.entries()) edges[src - numDst] = e;
  const reverse = { indptr: reverseIndptr, indices: edges.map((e) => Math.floor(e / fanout)), edges };
  const srcIds = Int32Array.from({ length: numSrc }, (_, i) => i);
  return { device: "cpu", numSrc, numDst, indptr, indices, srcIds, weights: null, reverse };
}

function makeStep(dropout: number): () => void {
  const options = sage.options.parse({ hiddenFeats: hidden, dropout, inputDropout: 0 });
  const model = sage.create(options, { inDim, outDim: classes, seed: 1 }, nn);
  const variables = model.variables.map(({ variable }) => variable);
  const adam = new Adam(model.variables, { lr: 0.003 });
  const flat = new Float32Array(countParameters(model.variables));
  let offset = 0;
  const slots = variables.map(({ size }) => flat.subarray(offset, (offset += size)));
  let step = 0;
  return () => {
    step++;
    tidy(() => {
      const { grads } = variableGrads(() => crossEntropySum(forward(model, step), labels, null), variables);
      flattenGradients(model.variables, grads, flat);
      adam.step({ slot: (i) => slots[i] as Float32Array });
    });
  };
}

function forward(model: GnnModel, step: number): Tensor2D {
  let x: LayerInput = rows;
  for (const [i, layer] of model.layers.entries()) {
    x = layer.forward(blocks[i] as Block, x, { training: true, seed: 1, epoch: 0, step });
  }
  return x as Tensor2D;
}

/** CPU milliseconds of one call, after a warm-up: the median of several rounds. */
function cpuMs(work: () => void, count: number): number {
  work();
  const rounds = Array.from({ length: repeats }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / count;
  });
  return rounds.toSorted((a, b) => a - b)[Math.floor(repeats / 2)] as number;
}

/** 10⁹ floating-point operations per CPU second, for the step's largest product. */
function sgemmGflops(): number {
  const [a, b, c] = [numHidden * inDim, inDim * hidden, numHidden * hidden].map((n) => new Float32Array(n).fill(0.5));
  const work = () =>
    addon.sgemm(false, false, numHidden, hidden, inDim, a as Float32Array, b as Float32Array, c as Float32Array);
  return (2 * numHidden * inDim * hidden) / cpuMs(work, 10) / 1e6;
}

/** 10⁹ bytes read and written per CPU second by a copy that does not fit any cache of the core. */
function copyGBs(): number {
  const from = new Float32Array(2 ** 25).fill(1);
  const to = new Float32Array(2 ** 25).fill(1);
  return (2 * from.byteLength) / cpuMs(() => to.set(from), 2) / 1e6;
}

// Two products per layer forward, two more for the weights' gradients, and in the second layer two for its input's.
const gflop = (2 * (4 * numHidden * inDim * hidden + 6 * batchSize * hidden * classes)) / 1e9;
// Each array once per pass that needs it: the features; the aggregate and the own rows (write, read; read); the hidden
// rows (write, read, mask) and their gradient (write, read).
const gigabytes = (4 * (numInput * inDim + 3 * numHidden * inDim + 5 * numHidden * hidden)) / 1e9;

const { values } = parseArgs({ options: { threads: { type: "string", default: "1" }, small: { type: "boolean" } } });
await selectBackend("native");
const addon = loadAddon();
addon.setThreads(Number(values.threads));

const blocks = [fanOutBlock(numHidden, fanouts[1]), fanOutBlock(batchSize, fanouts[0])];
const features = new Float32Array(numInput * inDim);
for (let i = 0; i < features.length; i++) features[i] = (i % 13) / 13 - 0.5;
const rows: FeatureRows = { kind: "dense", numRows: numInput, dim: inDim, values: features };
const labels = Int32Array.from({ length: batchSize }, (_, i) => i % classes);

const step = makeStep(0);
step();
const numTensors = memory().numTensors;
const figure = cpuMs(step, stepsPerRepeat);
const leakedTensors = memory().numTensors - numTensors;
const wallStart = performance.now();
for (let i = 0; i < stepsPerRepeat; i++) step();
const wallMs = (performance.now() - wallStart) / stepsPerRepeat;
const withDropout = cpuMs(makeStep(0.5), stepsPerRepeat);
const gflops = sgemmGflops();
const gbs = copyGBs();
const ceiling = (gflop / gflops + gigabytes / gbs) * 1000;

console.log(
  JSON.stringify({
    topic: "train-step",
    figure: Number(figure.toFixed(2)),
    unit: "ms CPU per step",
    better: "lower",
    ceiling: Number(ceiling.toFixed(2)),
    details: {
      model: "sage 100-256-47",
      batchSize,
      fanouts,
      inputRows: numInput,
      threads: addon.threads(),
      isa: addon.isa(),
      wallMs: Number(wallMs.toFixed(2)),
      withDropoutMs: Number(withDropout.toFixed(2)),
      leakedTensors,
      gflop: Number(gflop.toFixed(3)),
      gigabytes: Number(gigabytes.toFixed(3)),
      sgemmGflops: Number(gflops.toFixed(1)),
      copyGBs: Number(gbs.toFixed(1)),
      ceilingMeans: "gflop at the measured sgemm rate plus gigabytes at the measured copy rate",
      cpu: cpus()[0]?.model ?? "unknown",
    },
  }),
);
