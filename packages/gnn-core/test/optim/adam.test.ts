import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BackendName, selectBackend } from "../../src/backends/select-backend.ts";
import { memory, tensor1d, tensor2d, tidy, variable } from "../../src/backends/tf.ts";
import type { NamedVariable } from "../../src/nn/variables.ts";
import { Adam } from "../../src/optim/adam.ts";
import { flattenGradients } from "../../src/optim/flat-gradients.ts";
import { expectClose } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

const options = { lr: 0.02, beta1: 0.8, beta2: 0.95, epsilon: 1e-7, weightDecay: 0.1 };
const initial = [randomFloats(6, 1), randomFloats(3, 2)] as const;
const gradientsOf = (step: number) => [randomFloats(6, 10 + step), randomFloats(3, 50 + step)] as const;
const slots = (step: number) => ({ slot: (i: number) => gradientsOf(step)[i] as Float32Array });

describe.each(["cpu", "native"] as const)("Adam on the backend %s", (backend: BackendName) => {
  let variables: NamedVariable[];
  let numTensors: number;

  beforeEach(async () => {
    await selectBackend(backend);
    numTensors = memory().numTensors;
    variables = tidy(() => [
      { name: "weight", variable: variable(tensor2d(initial[0].slice(), [2, 3])) },
      { name: "bias", variable: variable(tensor1d(initial[1].slice())) },
    ]);
  });
  afterEach(() => {
    for (const each of variables) each.variable.dispose();
    expect(memory().numTensors).toBe(numTensors);
  });

  const values = () => variables.flatMap((each) => [...each.variable.dataSync<"float32">()]);

  test("ten steps follow the paper's algorithm with L2 decay", () => {
    const adam = new Adam(variables, options);
    for (let step = 1; step <= 10; step++) adam.step(slots(step));
    expectClose(values(), reference(10), 1e-5);
    expect(adam.numSteps).toBe(10);
  });

  test("training resumed from a saved state gives the bits of training that went on", () => {
    const adam = new Adam(variables, options);
    for (let step = 1; step <= 4; step++) adam.step(slots(step));
    const saved = { weights: variables.map((each) => each.variable.dataSync().slice()), state: adam.state() };
    for (let step = 5; step <= 8; step++) adam.step(slots(step));
    const undisturbed = values();

    for (const [i, { variable: each }] of variables.entries()) {
      tidy(() =>
        each.assign(
          i === 0 ? tensor2d(saved.weights[0] as Float32Array, [2, 3]) : tensor1d(saved.weights[1] as Float32Array),
        ),
      );
    }
    const resumed = new Adam(variables, options);
    resumed.restore(saved.state, 4);
    for (let step = 5; step <= 8; step++) resumed.step(slots(step));
    expect(values()).toEqual(undisturbed);
  });

  test("an array that was assigned to a variable stays as it was", () => {
    const mine = randomFloats(3, 77);
    tidy(() => variables[1]?.variable.assign(tensor1d(mine)));
    const before = mine.slice();
    new Adam(variables, options).step(slots(1));
    expect(mine).toEqual(before);
    expect(variables[1]?.variable.dataSync()).not.toEqual(before);
  });

  test("a state that does not fit is refused by the name of its array", () => {
    const adam = new Adam(variables, options);
    const state = adam.state().filter(({ name }) => name !== "bias.variance");
    expect(() => adam.restore(state, 1)).toThrow(
      expect.objectContaining({ code: "CHECKPOINT_INVALID", message: expect.stringContaining("bias.variance") }),
    );
  });

  test("a gradient of the wrong size is refused before anything is updated", () => {
    const adam = new Adam(variables, options);
    const before = values();
    const wrong = { slot: (i: number) => new Float32Array(i === 0 ? 6 : 2) };
    expect(() => adam.step(wrong)).toThrow(expect.objectContaining({ code: "SHAPE_MISMATCH" }));
    expect(values()).toEqual(before);
    expect(adam.numSteps).toBe(0);
  });

  test("gradients are laid one after the other, zeros where a variable has none", () => {
    tidy(() => {
      const flat = new Float32Array(11).fill(9);
      flattenGradients(variables, { [variables[1]?.variable.name as string]: tensor1d([1, 2, 3]) }, flat);
      expect([...flat]).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3, 9, 9]);
    });
  });
});

/** Kingma and Ba's Algorithm 1 in double precision. */
function reference(numSteps: number): number[] {
  const { lr, beta1, beta2, epsilon, weightDecay } = options;
  return initial.flatMap((start, which) =>
    Array.from(start, (at, i) => {
      let w = at;
      let m = 0;
      let v = 0;
      for (let t = 1; t <= numSteps; t++) {
        const g = (gradientsOf(t)[which]?.[i] as number) + weightDecay * w;
        m = beta1 * m + (1 - beta1) * g;
        v = beta2 * v + (1 - beta2) * g * g;
        w -= (lr * (m / (1 - beta1 ** t))) / (Math.sqrt(v / (1 - beta2 ** t)) + epsilon);
      }
      return w;
    }),
  );
}
