import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { memory, tensor1d, tensor2d, tidy, variable } from "../../src/backends/tf.ts";
import type { NamedVariable } from "../../src/nn/variables.ts";
import { Adagrad } from "../../src/optim/adagrad.ts";
import { AdamW } from "../../src/optim/adam.ts";
import { Sgd } from "../../src/optim/sgd.ts";
import { expectClose } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

/** The published updates in double precision: the weight after each gradient of a list. */
const published = {
  sgd: (start: number, gradients: readonly number[], lr = 0.1, momentum = 0.9, decay = 0.01) => {
    let w = start;
    let b = 0;
    for (const gradient of gradients) {
      b = momentum * b + gradient + decay * w;
      w -= lr * b;
    }
    return w;
  },
  adamw: (start: number, gradients: readonly number[], lr = 0.02, decay = 0.3) => {
    let w = start;
    let m = 0;
    let v = 0;
    for (const [i, g] of gradients.entries()) {
      w -= lr * decay * w;
      m = 0.8 * m + 0.2 * g;
      v = 0.95 * v + 0.05 * g * g;
      w -= (lr * (m / (1 - 0.8 ** (i + 1)))) / (Math.sqrt(v / (1 - 0.95 ** (i + 1))) + 1e-7);
    }
    return w;
  },
  adagrad: (start: number, gradients: readonly number[], lr = 0.5, decay = 0.01) => {
    let w = start;
    let s = 0;
    for (const gradient of gradients) {
      const g = gradient + decay * w;
      s += g * g;
      w -= (lr * g) / (Math.sqrt(s) + 1e-10);
    }
    return w;
  },
};

const optimizers = {
  sgd: (variables: readonly NamedVariable[]) => new Sgd(variables, { lr: 0.1, momentum: 0.9, weightDecay: 0.01 }),
  adamw: (variables: readonly NamedVariable[]) =>
    new AdamW(variables, { lr: 0.02, beta1: 0.8, beta2: 0.95, epsilon: 1e-7, weightDecay: 0.3 }),
  adagrad: (variables: readonly NamedVariable[]) => new Adagrad(variables, { lr: 0.5, weightDecay: 0.01 }),
};
type Name = keyof typeof optimizers;
const names = ["sgd", "adamw", "adagrad"] as const;

describe.each(["cpu", "native"] as const)("on the backend %s", (backend: BackendName) => {
  const initial = randomFloats(6, 1);
  const gradientOf = (step: number) => randomFloats(6, 10 + step);
  let variables: NamedVariable[];
  let numTensors: number;

  const fresh = (values: Float32Array) =>
    tidy(() => [{ name: "weight", variable: variable(tensor2d(values.slice(), [2, 3])) }]);
  const values = (of = variables) => [...(of[0] as NamedVariable).variable.dataSync<"float32">()];
  const steps = (optimizer: ReturnType<(typeof optimizers)[Name]>, from: number, to: number, lr?: number) => {
    for (let step = from; step <= to; step++) optimizer.step({ slot: () => gradientOf(step) }, lr);
  };

  beforeEach(async () => {
    await selectBackend(backend);
    numTensors = memory().numTensors;
    variables = fresh(initial);
  });
  afterEach(() => {
    for (const each of variables) each.variable.dispose();
    expect(memory().numTensors).toBe(numTensors);
  });

  test.each(names)("ten steps of %s follow the published update", (name) => {
    steps(optimizers[name](variables), 1, 10);
    const gradients = (i: number) => Array.from({ length: 10 }, (_, step) => gradientOf(step + 1)[i] as number);
    const expected = Array.from(initial, (start, i) => published[name](start, gradients(i)));
    expectClose(values(), expected, 1e-5);
  });

  test("two steps by hand: momentum carries on, Adagrad slows down, AdamW decays apart from the gradient", () => {
    for (const each of variables) each.variable.dispose();
    const one = (Optimizer: typeof Sgd | typeof Adagrad | typeof AdamW, options: object) => {
      variables = tidy(() => [{ name: "w", variable: variable(tensor1d([1])) }]);
      const optimizer = new Optimizer(variables, { lr: 0.1, ...options });
      const seen = [2, 1].map((gradient) => {
        optimizer.step({ slot: () => Float32Array.of(gradient) });
        return values()[0] as number;
      });
      variables[0]?.variable.dispose();
      return seen;
    };
    expectClose(one(Sgd, { momentum: 0.5 }), [0.8, 0.6], 1e-6); // b = 2, then ½·2 + 1 = 2
    expectClose(one(Adagrad, {}), [0.9, 0.9 - 0.1 / Math.sqrt(5)], 1e-6); // 2/√4, then 1/√(4 + 1)
    // The first step of Adam has length lr whatever the gradient; before it 1 shrinks to 1 − 0.1·0.5.
    expectClose(one(AdamW, { weightDecay: 0.5 }).slice(0, 1), [0.85], 1e-6);
    variables = fresh(initial);
  });

  test.each(names)("training with %s resumed from a saved state gives the bits of training that went on", (name) => {
    const whole = optimizers[name](variables);
    steps(whole, 1, 4);
    const saved = { weights: Float32Array.from(values()), state: whole.state() };
    steps(whole, 5, 8);
    const copies = fresh(saved.weights);
    const resumed = optimizers[name](copies);
    resumed.restore(saved.state, 4);
    steps(resumed, 5, 8);
    expect(values(copies)).toEqual(values());
    copies[0]?.variable.dispose();
  });

  test.each(names)("a learning rate given to a step of %s takes the place of its own", (name) => {
    steps(optimizers[name](variables), 1, 1, 0);
    expect(values()).toEqual([...initial]);
  });
});
