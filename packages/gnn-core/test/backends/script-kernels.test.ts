import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { NativeBackend } from "../../src/backends/native/native-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { backend, elu, grads, sum, type Tensor2D, tensor1d, tensor2d, tidy } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { complExDecoder } from "../../src/links/decoders/compl-ex.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkDecoder } from "../../src/links/decoders/link-decoder.ts";
import { mlpDecoder } from "../../src/links/decoders/mlp.ts";
import { rotatEDecoder } from "../../src/links/decoders/rotat-e.ts";
import { transEDecoder } from "../../src/links/decoders/trans-e.ts";
import { gat } from "../../src/models/gat.model.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { mlp } from "../../src/models/mlp.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { sgc } from "../../src/models/sgc.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { Adam } from "../../src/optim/adam.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { classificationTask } from "../../src/tasks/node-classification.task.ts";
import { taskKit } from "../../src/tasks/task-kit.ts";
import { GradientBucket } from "../../src/train/gradient-bucket.ts";
import { StepClock } from "../../src/train/step-clock.ts";
import { trainStep } from "../../src/train/train-step.ts";
import { randomFloats } from "../support/seeded-random.ts";

/** The seeds are given step by step. */
const noSeeds = () => new Int32Array(0);

const shape = { inDim: 5, outDim: 3, seed: 1 };
const hidden = { hiddenFeats: 8 };
const models: Readonly<Record<string, () => GnnModel>> = {
  sage: () => sage.create(sage.options.parse(hidden), shape, nn),
  gcn: () => gcn.create(gcn.options.parse(hidden), shape, nn),
  gat: () => gat.create(gat.options.parse({ ...hidden, heads: 2 }), shape, nn),
  sgc: () => sgc.create(sgc.options.parse({ dropout: 0.3 }), shape, nn),
  mlp: () => mlp.create(mlp.options.parse(hidden), shape, nn),
};
const ends = { dim: 4, seed: 3, numRelations: 3 };
const decoders: Readonly<Record<string, () => LinkDecoder>> = {
  dot: dotDecoder,
  mlp: () => mlpDecoder({ ...ends, input: "concat", hiddenFeats: 8 }),
  distMult: () => distMultDecoder(ends),
  complEx: () => complExDecoder(ends),
  transE: () => transEDecoder({ ...ends, norm: 2, margin: 1 }),
  rotatE: () => rotatEDecoder({ ...ends, margin: 1 }),
};
/** Stock kernels in JavaScript that take hundreds of nanoseconds an element where columns are moved */
const placing: ReadonlySet<string> = new Set(["Concat", "GatherV2", "PadV2", "Slice", "Tile", "Transpose"]);
const numNodes = 12;
const seeds = Int32Array.of(1, 4, 7);
const context = { training: true, seed: 3, epoch: 0, step: 0 };

beforeAll(() => selectBackend("native"));
afterEach(() => scriptKernels().clear());

function scriptKernels(): Map<string, number> {
  return (backend() as NativeBackend).scriptKernels;
}

/** Forward, backward, metrics and optimizer on a sampled batch. */
async function step(model: GnnModel): Promise<void> {
  const edges = Int32Array.from({ length: 40 }, (_, i) => i);
  const graph = await graphFromEdges({
    numNodes,
    src: edges.map((i) => (i * 7) % numNodes),
    dst: edges.map((i) => (i * 5 + 1) % numNodes),
  });
  const plain = createBlockSampler({ graph, fanouts: [3, 2], replace: false, seed: 1 });
  const sampler = model.usesDegrees ? withDegrees(plain, graph) : plain;
  const blocks = await sampler.sample(seeds, { epoch: 0, step: 0 });
  const inputNodes = model.usesNeighbors ? (blocks[0]?.srcIds as Int32Array) : seeds;
  const features = await new DenseFeatureStore(5, [randomFloats(numNodes * 5, 2)]).gatherAsync(inputNodes);
  const labels = Int32Array.from({ length: numNodes }, (_, i) => i % 3);
  const parts = {
    model,
    bucket: new GradientBucket(model.variables.map(({ name, variable }) => ({ name, shape: variable.shape }))),
    collective: loopbackGroup(1)[0] as ReturnType<typeof loopbackGroup>[number],
    optimizer: new Adam(model.variables, { lr: 0.01 }),
    task: classificationTask(labels, new Float32Array(3).fill(1), noSeeds, taskKit),
    gradClipNorm: 1,
    clock: new StepClock(),
    signal: new AbortController().signal,
  };
  const batch = { ...context, seeds, blocks, inputNodes, features, labels: null, sampleMs: 0, gatherMs: 0 };
  await trainStep(parts, batch, context);
}

describe("a training step runs native kernels alone", () => {
  test.each(Object.keys(models))("of %s", async (name) => {
    const model = (models[name] as () => GnnModel)();
    scriptKernels().clear();
    await step(model);
    expect([...scriptKernels()]).toEqual([]);
    model.dispose();
  });

  test.each(Object.keys(decoders))("no kernel that works out the place of each element scores links by %s", (name) => {
    const decoder = (decoders[name] as () => LinkDecoder)();
    const [src, dst] = [6, 7].map((seed) => tensor2d(randomFloats(5 * 4, seed), [5, 4])) as [Tensor2D, Tensor2D];
    scriptKernels().clear();
    tidy(() =>
      grads((a, b) => sum(decoder.score(a as Tensor2D, b as Tensor2D, Int32Array.of(0, 1, 1, 0, 2))))([src, dst]),
    );
    expect([...scriptKernels().keys()].filter((kernel) => placing.has(kernel))).toEqual([]);
  });

  test("a stock kernel is counted by its name", () => {
    scriptKernels().clear();
    tidy(() => elu(tensor1d([1, -1])));
    expect([...scriptKernels()]).toEqual([["Elu", 1]]);
  });
});
