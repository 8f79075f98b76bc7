import { expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tidy, variableGrads } from "../../src/backends/tf.ts";
import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { nn } from "../../src/nn/index.ts";
import type { LayerInput } from "../../src/nn/model.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { Adam } from "../../src/optim/adam.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { expectClose } from "../support/check-op.ts";
import { randomBlock, randomCsr } from "../support/random-block.ts";

const shape = { inDim: 9, outDim: 3, seed: 7 };
const features: FeatureRows = randomCsr(16, shape.inDim, 0.5, 3);
const labels = Int32Array.from({ length: 6 }, (_, i) => i % 3);
const registry = await loadRegistry();

const variants: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  sage: [
    {},
    { aggregator: "concat", l2Normalize: true },
    { aggregator: "gcn", norm: "layer" },
    { aggregator: "pool", norm: "batch", residual: true },
  ],
  gin: [{ residual: true }, { learnEpsilon: false, activation: "elu" }],
  gat: [{ merge: "mean", residual: true, hiddenFeats: 8 }],
  gcn: [{ norm: "batch" }],
  appnp: [{ numHops: 3 }],
};
const models = registry
  .list("model")
  .flatMap(({ name }) => (variants[name] ?? [{}]).map((options) => ({ name, options })));

/** Degrees as if some in-edges had not been drawn, and blocks whose src rows are the dst rows of the one before. */
function nestedBlocks(numHops: number): Block[] {
  return Array.from({ length: numHops }, (_, hop) => {
    const sizes = [hop, hop + 1].map((i) => Math.round(16 + ((6 - 16) * i) / numHops)) as [number, number];
    return { ...randomBlock(...sizes, 4, hop), srcDegrees: new Float32Array(sizes[0]).fill(5) };
  });
}

/** The loss of each step of a training on the same batch, and the gradients of the first. */
async function train(backend: BackendName, { name, options }: (typeof models)[number], numSteps: number) {
  await selectBackend(backend);
  const component = registry.get("model", name);
  const small = "hiddenFeats" in component.options.shape ? { hiddenFeats: 6 } : {};
  const chosen = component.options.parse({ ...small, dropout: 0.2, ...options });
  const model = component.create(chosen, shape, nn);
  const blocks = nestedBlocks(component.numHops(chosen));
  const alone = { ...randomBlock(16, 6, 0, 1) };
  const optimizer = new Adam(model.variables, { lr: 0.03 });
  const losses: number[] = [];
  let first: Float32Array[] = [];
  for (let step = 0; step < numSteps; step++) {
    tidy(() => {
      // One mask for all steps: the loss of the same function must fall.
      const context = { training: true, seed: 1, epoch: 0, step: 0 };
      const { value, grads } = variableGrads(
        () => {
          let x: LayerInput = features;
          if (model.forward) x = model.forward(blocks, x, context);
          else for (const [i, layer] of model.layers.entries()) x = layer.forward(blocks[i] ?? alone, x, context);
          return crossEntropySum(x as Tensor2D, labels, null);
        },
        model.variables.map(({ variable }) => variable),
      );
      losses.push(value.dataSync<"float32">()[0]!);
      const slots = model.variables.map(
        ({ variable }) => grads[variable.name]?.dataSync<"float32">().slice() ?? new Float32Array(variable.size),
      );
      if (step === 0) first = slots;
      optimizer.step({ slot: (i) => slots[i]! });
    });
  }
  model.dispose();
  return { losses, first };
}

test.each(models)("$name $options trains from stock ops alone, and as on the native backend", async (model) => {
  const numSteps = 4;
  const composed = await train("cpu", model, numSteps);
  const native = await train("native", model, numSteps);
  expect(native.first.length).toBe(composed.first.length);
  for (const [i, gradient] of native.first.entries()) expectClose(gradient, composed.first[i]!, 2e-4);
  expectClose(native.losses.slice(0, 1), composed.losses.slice(0, 1), 1e-4);
  // Adam's first steps are signs of the gradient: where an entry is near 0, the two go different ways.
  expectClose(native.losses, composed.losses, 0.02);
  expect(composed.losses.at(-1)!).toBeLessThan(composed.losses[0]!);
});
