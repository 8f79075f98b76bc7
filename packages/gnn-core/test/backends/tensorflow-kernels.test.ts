import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import {
  engine,
  type Rank,
  type Scalar,
  setBackend,
  type Tensor2D,
  tensor2d,
  tidy,
  variable,
  variableGrads,
} from "../../src/backends/tf.ts";
import type { NamedVariable } from "../../src/nn/variables.ts";
import { crossEntropySum } from "../../src/ops/cross-entropy.ts";
import { regressionLossSum } from "../../src/ops/regression-loss.ts";
import { sigmoidCrossEntropySum } from "../../src/ops/sigmoid-cross-entropy.ts";
import { tryBackend } from "../../src/ops/try-backend.ts";
import { Adagrad } from "../../src/optim/adagrad.ts";
import { Adam, AdamW } from "../../src/optim/adam.ts";
import type { Optimizer } from "../../src/optim/optimizer.ts";
import { Sgd } from "../../src/optim/sgd.ts";
import { expectClose } from "../support/check-op.ts";
import { modelVariants, trainOnBatch } from "../support/train-models.ts";

/** The kernels of tfjs-node under tfjs' own arithmetic; it cannot be installed everywhere. */
const standIn = new URL("../../../../test/support/tfjs-node/stand-in.mjs", import.meta.url).href;
const options = { lr: 0.001, weightDecay: 0.01 };
const optimizers: [name: string, make: (variables: readonly NamedVariable[]) => Optimizer][] = [
  ["Adam", (variables) => new Adam(variables, options)],
  ["AdamW", (variables) => new AdamW(variables, options)],
  ["Adagrad", (variables) => new Adagrad(variables, options)],
  ["momentum", (variables) => new Sgd(variables, { ...options, momentum: 0.9 })],
];
const targets = Float32Array.of(1, 0, 0.5, 1, Number.NaN, -1);
const known = Float32Array.of(1, 0, 0, 1, 1, 0);
const weights = Float32Array.of(1, 2, 0.5);
const lossSums: [name: string, sum: (logits: Tensor2D) => Scalar][] = [
  ["cross-entropy", (logits) => crossEntropySum(logits, Int32Array.of(0, -1, 1), weights)],
  ["sigmoid cross-entropy", (logits) => sigmoidCrossEntropySum(logits, known, weights)],
  ["squared error", (logits) => regressionLossSum(logits, targets, "mse", 1)],
  ["Huber loss", (logits) => regressionLossSum(logits, targets, "huber", 1)],
];
let calledKernels: Set<string>;

beforeAll(async () => {
  await selectBackend("cpu"); // has the kernels that the stand-in takes
  ({ calledKernels } = await import(standIn));
});

afterAll(async () => {
  await selectBackend("native"); // other files may share this process
  engine().removeBackend("tensorflow");
});

async function losses(backend: "cpu" | "native" | "tensorflow", model: (typeof modelVariants)[number]) {
  if (backend === "tensorflow") await setBackend(backend);
  else await selectBackend(backend);
  // Plain descent: what differs in the last bits of a gradient differs as little in the next loss.
  return trainOnBatch(model, 3, (variables) => new Sgd(variables, { lr: 0.02 })).losses;
}

function valueAndGradient(lossSum: (logits: Tensor2D) => Scalar): number[] {
  const found: number[] = [];
  tidy(() => {
    const logits = variable<Rank.R2>(tensor2d([0.5, -1, 2, 0.25, 1, -0.5], [3, 2]));
    const { value, grads } = variableGrads(() => lossSum(logits), [logits]);
    for (const each of [value, grads[logits.name]!]) found.push(...each.dataSync<"float32">());
    logits.dispose();
  });
  return found;
}

describe("the kernels of @tensorflow/tfjs-node", () => {
  test.each(modelVariants)("suffice to train $name $options, with the losses of the native backend", async (model) => {
    const native = await losses("native", model);
    const limited = await losses("tensorflow", model);
    expectClose(limited, native, 1e-4);
    expect(limited.at(-1)!).toBeLessThan(limited[0]!);
    expectClose(await losses("cpu", model), native, 1e-4);
  });

  test.each(optimizers)("suffice to update by %s, as the native backend does", async (_name, optimizerOf) => {
    const model = modelVariants[0]!;
    await selectBackend("native");
    const native = trainOnBatch(model, 2, optimizerOf).losses;
    await setBackend("tensorflow");
    expectClose(trainOnBatch(model, 2, optimizerOf).losses, native, 1e-4);
  });

  test.each(lossSums)("suffice for the %s and its gradient, as the native backend does", async (_name, lossSum) => {
    await selectBackend("native");
    const native = valueAndGradient(lossSum);
    await setBackend("tensorflow");
    expectClose(valueAndGradient(lossSum), native, 1e-4);
  });

  test("were used, and one that they lack is refused by name", async () => {
    await setBackend("tensorflow");
    expect([...calledKernels]).toEqual(expect.arrayContaining(["BatchMatMul", "GatherV2", "UnsortedSegmentSum"]));
    expect(calledKernels.size).toBeGreaterThan(30);
    expect(() => engine().runKernel("SpmmMean", {}, {})).toThrow(/SpmmMean/);
  });
});

describe.each(["native", "cpu", "tensorflow"] as const)("before a worker announces itself, %s", (backend) => {
  test("computes a sum and its gradient as they are known", async () => {
    if (backend === "tensorflow") await setBackend(backend);
    else await selectBackend(backend);
    await expect(tryBackend()).resolves.toBeUndefined();
  });
});
