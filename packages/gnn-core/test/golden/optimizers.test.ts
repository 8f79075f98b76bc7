import { beforeAll, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, variable } from "../../src/backends/tf.ts";
import type { NamedVariable } from "../../src/nn/variables.ts";
import { Adagrad } from "../../src/optim/adagrad.ts";
import { Adam, AdamW } from "../../src/optim/adam.ts";
import type { Optimizer } from "../../src/optim/optimizer.ts";
import { Sgd } from "../../src/optim/sgd.ts";
import { GoldenCase } from "./golden-file.ts";

const adam = { lr: 0.05, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0 };
const sgd = { lr: 0.1, momentum: 0, weightDecay: 0 };
const adagrad = { lr: 0.1, epsilon: 1e-10, weightDecay: 0 };

const cases: Record<string, (variables: readonly NamedVariable[]) => Optimizer> = {
  sgd: (variables) => new Sgd(variables, sgd),
  "sgd-momentum": (variables) => new Sgd(variables, { ...sgd, momentum: 0.9 }),
  "sgd-momentum-decay": (variables) => new Sgd(variables, { ...sgd, momentum: 0.9, weightDecay: 0.05 }),
  adam: (variables) => new Adam(variables, adam),
  "adam-eps": (variables) => new Adam(variables, { ...adam, epsilon: 0.1 }),
  "adam-decay": (variables) => new Adam(variables, { ...adam, weightDecay: 0.05 }),
  adamw: (variables) => new AdamW(variables, { ...adam, weightDecay: 0.05 }),
  adagrad: (variables) => new Adagrad(variables, adagrad),
  "adagrad-eps": (variables) => new Adagrad(variables, { ...adagrad, epsilon: 0.1 }),
};

describe.each(["cpu", "native"] as const)(
  "optimizers move weights as PyTorch's do, on the backend %s",
  (name: BackendName) => {
    beforeAll(() => selectBackend(name));

    test.each(Object.entries(cases))("%s, five steps", (which, make) => {
      const golden = new GoldenCase("optimizers", which);
      const { values, shape } = golden.get("param");
      const start = tensor2d(Float32Array.from(values), shape as [number, number]);
      const weights = variable<Tensor2D["rankType"]>(start);
      start.dispose();
      const optimizer = make([{ name: "weight", variable: weights }]);
      const size = values.length;
      const grads = golden.get("grads").values;
      const expected = golden.get("params_f64").values;
      for (let step = 0; step < 5; step++) {
        const gradient = Float32Array.from(grads.subarray(step * size, (step + 1) * size));
        optimizer.step({ slot: () => gradient });
        const wanted = expected.subarray(step * size, (step + 1) * size);
        // By the movement, not by the value: an update that is wrong by a percent would hide behind a large weight.
        const moved = wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - values[i]!)), 0);
        const found = weights.dataSync<"float32">();
        const error = wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i]!)), 0);
        expect(error / moved, `step ${step}`).toBeLessThan(1e-5);
      }
      weights.dispose();
    });
  },
);
