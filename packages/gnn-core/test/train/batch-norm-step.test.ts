import { beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory, type Tensor2D, tidy, variableGrads } from "../../src/backends/tf.ts";
import type { Collective } from "../../src/dist/collective.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { edgelessBlock } from "../../src/graph/edgeless-block.ts";
import { gcn } from "../../src/models/gcn.model.ts";
import { mlp } from "../../src/models/mlp.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel, LayerInput } from "../../src/nn/model.ts";
import { composeColumnMoments } from "../../src/ops/column-moments.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { withDegrees } from "../../src/sampling/with-degrees.ts";
import { batchNormStep } from "../../src/train/batch-norm-step.ts";
import type { TrainBatch } from "../../src/train/train-step.ts";
import { expectClose } from "../support/check-op.ts";
import { type DenseGraph, denseGraph } from "../support/dense-graph.ts";

const dim = 6;
const outDim = 3;
const context = { training: true, seed: 3, epoch: 1, step: 2 };
let graph: DenseGraph;
beforeAll(async () => {
  await selectBackend("native");
  graph = await denseGraph(30, dim, false);
});

const labelOf = (node: number) => node % outDim;
const lossOf = (outputs: Tensor2D, seeds: Int32Array) => crossEntropySum(outputs, seeds.map(labelOf), null);

async function batchOf(model: GnnModel, seeds: Int32Array): Promise<TrainBatch> {
  const fanouts = model.layers.map(() => 2);
  const sampler = withDegrees(
    createBlockSampler({ graph: graph.graph, fanouts, replace: false, seed: 1 }),
    graph.graph,
  );
  const blocks = model.usesNeighbors && seeds.length > 0 ? await sampler.sample(seeds, context) : [];
  const ids = blocks[0]?.srcIds ?? seeds;
  const values = Float32Array.from([...ids].flatMap((id) => graph.x[id]!));
  const features = { kind: "dense", numRows: ids.length, dim, values } as const;
  return { ...context, seeds, blocks, inputNodes: ids, features, labels: null, sampleMs: 0, gatherMs: 0 };
}

interface Found {
  readonly loss: number;
  readonly gradients: readonly Float32Array[];
  readonly running: readonly Float32Array[];
}

async function stepOf(model: GnnModel, seeds: Int32Array, collective: Collective): Promise<Found> {
  const gradients = model.variables.map(({ variable }) => new Float32Array(variable.size));
  const loss = await batchNormStep(
    {
      model,
      collective,
      lossSum: (outputs) => lossOf(outputs, seeds),
      addGradient: (i, part) => part.forEach((value, at) => (gradients[i]![at]! += value)),
    },
    await batchOf(model, seeds),
    context,
  );
  const running = (model.buffers ?? []).map(({ variable }) => variable.dataSync<"float32">().slice());
  return { loss, gradients, running };
}

/** The step on one tape, which the gradients run through as in plain tfjs. */
async function onOneTape(model: GnnModel, seeds: Int32Array) {
  const batch = await batchOf(model, seeds);
  return tidy(() => {
    const { value, grads } = variableGrads(
      () => {
        let x: LayerInput = batch.features;
        for (const [i, layer] of model.layers.entries()) {
          const block = batch.blocks[i] ?? edgelessBlock(seeds);
          const cut = layer.batchNorm;
          const z: Tensor2D | undefined = cut?.before(block, x, context);
          x =
            cut && z
              ? cut.after(block, x, z, composeColumnMoments(z, seeds.length), context)
              : layer.forward(block, x, context);
        }
        return lossOf(x as Tensor2D, seeds);
      },
      model.variables.map(({ variable }) => variable),
    );
    return {
      loss: value.dataSync<"float32">()[0]!,
      gradients: model.variables.map(({ variable }) => grads[variable.name]!.dataSync<"float32">().slice()),
    };
  });
}

const options = { hiddenFeats: 5, numLayers: 3, norm: "batch", dropout: 0.3 };
const models: readonly (readonly [string, () => GnnModel])[] = [
  ["GCN", () => gcn.create(gcn.options.parse(options), { inDim: dim, outDim, seed: 2 }, nn)],
  [
    "GraphSAGE with residuals",
    () => sage.create(sage.options.parse({ ...options, residual: true }), { inDim: dim, outDim, seed: 2 }, nn),
  ],
  ["an MLP", () => mlp.create(mlp.options.parse(options), { inDim: dim, outDim, seed: 2 }, nn)],
];
const seeds = Int32Array.of(0, 3, 4, 9, 11, 14, 20, 21, 22, 28, 29);

describe.each(models)("batch normalisation in %s", (_title, create) => {
  test("has on one rank the loss and gradients of a single tape, and keeps nothing", async () => {
    const model = create();
    const before = memory().numTensors;
    const found = await stepOf(model, seeds, loopbackGroup(1)[0]!);
    expect(memory().numTensors).toBe(before);
    const expected = await onOneTape(model, seeds);
    expectClose([found.loss], [expected.loss], 1e-5);
    for (const [i, gradient] of found.gradients.entries()) expectClose(gradient, expected.gradients[i]!, 1e-4);
    model.dispose();
  });

  test.each([2, 4])("gives %i ranks, one of them without a seed, the step of one", async (worldSize) => {
    const one = create();
    const whole = await stepOf(one, seeds, loopbackGroup(1)[0]!);
    const slices = Array.from({ length: worldSize }, (_, rank) => {
      const [from, to] = [rank, rank + 1].map((i) => Math.ceil((seeds.length * i) / (worldSize - 1)));
      return seeds.subarray(from, to);
    });
    const many = slices.map(() => create());
    const found = await Promise.all(
      loopbackGroup(worldSize).map((collective, rank) => stepOf(many[rank]!, slices[rank]!, collective)),
    );
    expectClose([found.reduce((sum, { loss }) => sum + loss, 0)], [whole.loss], 1e-5);
    for (const [i, gradient] of whole.gradients.entries()) {
      const sum = gradient.map((_, at) => found.reduce((total, { gradients }) => total + gradients[i]![at]!, 0));
      expectClose(sum, gradient, 1e-4);
    }
    for (const { running } of found) {
      expect(running).toEqual(found[0]!.running); // the same bits on every rank
      for (const [i, values] of running.entries()) expectClose(values, whole.running[i]!, 1e-5);
    }
    for (const model of [one, ...many]) model.dispose();
  });
});

test("running averages move a tenth of the way to the batch's mean and unbiased variance", async () => {
  const model = mlp.create(
    mlp.options.parse({ ...options, numLayers: 2, dropout: 0 }),
    { inDim: dim, outDim, seed: 2 },
    nn,
  );
  const { running } = await stepOf(model, seeds, loopbackGroup(1)[0]!);
  const [weight] = model.variables.map(({ variable }) => variable.dataSync<"float32">());
  const z = [...seeds].map((node) =>
    Array.from({ length: 5 }, (_, j) => graph.x[node]!.reduce((sum, value, k) => sum + value * weight![k * 5 + j]!, 0)),
  );
  const mean = z[0]!.map((_, j) => z.reduce((sum, row) => sum + row[j]!, 0) / z.length);
  const variance = mean.map((value, j) => z.reduce((sum, row) => sum + (row[j]! - value) ** 2, 0) / (z.length - 1));
  expectClose(
    running[0]!,
    mean.map((value) => 0.1 * value),
    1e-5,
  );
  expectClose(
    running[1]!,
    variance.map((value) => 0.9 + 0.1 * value),
    1e-5,
  );
  model.dispose();
});
