import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tidy, variableGrads } from "../../src/backends/tf.ts";
import { loopback } from "../../src/dist/loopback.ts";
import { mlp } from "../../src/models/mlp.model.ts";
import { sage } from "../../src/models/sage.model.ts";
import { nn } from "../../src/nn/index.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { createBlockSampler } from "../../src/sampling/block-sampler.ts";
import { batchNormPass } from "../../src/train/batch-norm-pass.ts";
import { batchNormStep } from "../../src/train/batch-norm-step.ts";
import type { TrainBatch } from "../../src/train/train-step.ts";
import { expectClose } from "../support/check-op.ts";
import { type DenseGraph, denseGraph } from "../support/dense-graph.ts";

const [dim, outDim] = [6, 3];
const context = { training: true, seed: 3, epoch: 1, step: 2 };
const seeds = Int32Array.of(3, 9, 14, 20, 27);
let graph: DenseGraph;
beforeAll(async () => {
  await selectBackend("native");
  graph = await denseGraph(30, dim, false);
});

async function batchOf(model: GnnModel): Promise<TrainBatch> {
  const sampler = createBlockSampler({ graph: graph.graph, fanouts: [2, 2], replace: false, seed: 1 });
  const blocks = model.usesNeighbors ? await sampler.sample(seeds, context) : [];
  const ids = blocks[0]?.srcIds ?? seeds;
  const values = Float32Array.from([...ids].flatMap((id) => graph.x[id]!));
  const features = { kind: "dense", numRows: ids.length, dim, values } as const;
  return { ...context, seeds, blocks, inputNodes: ids, features, labels: null, sampleMs: 0, gatherMs: 0 };
}

const lossOf = (outputs: Tensor2D) =>
  crossEntropySum(
    outputs,
    seeds.map((node) => node % outDim),
    null,
  );
const options = { hiddenFeats: 4, numLayers: 2, dropout: 0.3, norm: "batch" };
const shape = { inDim: dim, outDim, seed: 5 };
const models = {
  sage: () => sage.create(sage.options.parse(options), shape, nn),
  mlp: () => mlp.create(mlp.options.parse(options), shape, nn),
};

test.each(Object.keys(models) as (keyof typeof models)[])(
  "loss, gradients and running averages of %s on one tape are those of the step in segments",
  async (name) => {
    const expected = models[name]();
    const gradients = expected.variables.map(({ variable }) => new Float32Array(variable.size));
    const addGradient = (i: number, part: Float32Array) => part.forEach((value, at) => (gradients[i]![at]! += value));
    const parts = { model: expected, collective: loopback(), lossSum: lossOf, addGradient };
    const loss = await batchNormStep(parts, await batchOf(expected), context);

    const found = models[name]();
    const batch = await batchOf(found);
    const { forward } = batchNormPass(found);
    tidy(() => {
      const variables = found.variables.map(({ variable }) => variable);
      const { value, grads } = variableGrads(() => lossOf(forward(batch, context)), variables);
      expect(Math.abs(value.dataSync()[0]! / loss - 1)).toBeLessThan(1e-5);
      for (const [i, variable] of variables.entries())
        expectClose(grads[variable.name]!.dataSync(), gradients[i]!, 1e-5);
    });
    for (const [i, { variable }] of (found.buffers ?? []).entries())
      expectClose(variable.dataSync(), expected.buffers![i]!.variable.dataSync(), 1e-5);
    expect(found.buffers).toHaveLength(2);
    for (const model of [expected, found]) model.dispose();
  },
);
