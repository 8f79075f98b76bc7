import { afterEach, beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { matMul, memory, type Tensor2D, tensor2d, tidy, variable } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { featuresToTensor } from "../../src/ops/features-to-tensor.ts";
import { Adam } from "../../src/optim/adam.ts";
import { classificationTask } from "../../src/tasks/node-classification.task.ts";
import { taskKit } from "../../src/tasks/task-kit.ts";
import { GradientBucket } from "../../src/train/gradient-bucket.ts";
import { StepClock, type StepPhase } from "../../src/train/step-clock.ts";
import { type TrainBatch, type TrainStepParts, trainStep } from "../../src/train/train-step.ts";

/** The seeds are given step by step. */
const noSeeds = () => new Int32Array(0);

const models: GnnModel[] = [];
const context = { training: true, seed: 0, epoch: 3, step: 5 };

beforeAll(() => selectBackend("native"));
afterEach(() => {
  for (const model of models.splice(0)) model.dispose();
});

/** logits = x · W, W = 0 [1, 2]: both classes have probability 1/2. */
function linearModel(): GnnModel {
  const weight = tidy(() => variable(tensor2d([0, 0], [1, 2])));
  const model: GnnModel = {
    layers: [
      {
        outDim: 2,
        forward: (_block, x) =>
          tidy(() => matMul<Tensor2D>("kind" in x ? featuresToTensor(x) : x, weight as unknown as Tensor2D)),
      },
    ],
    variables: [{ name: "weight", variable: weight }],
    usesNeighbors: false,
    dispose: () => weight.dispose(),
  };
  models.push(model);
  return model;
}

class RecordingClock extends StepClock {
  readonly phases: StepPhase[] = [];
  override lap(phase: StepPhase): void {
    this.phases.push(phase);
    super.lap(phase);
  }
}

/** Node 0 is of class 0, node 1 of class 1, which weighs three times as much. */
const task = classificationTask(Int32Array.of(0, 1), Float32Array.of(1, 3), noSeeds, taskKit);

/** One seed per rank, with one feature: [x, label]; none for a rank without a share. */
function batchOf(seed: readonly [x: number, label: number] | null): TrainBatch {
  const seeds = seed ? [seed[1]] : [];
  return {
    epoch: 3,
    step: 5,
    seeds: Int32Array.from(seeds),
    inputNodes: Int32Array.from(seeds),
    blocks: [],
    features: { kind: "dense", numRows: seeds.length, dim: 1, values: Float32Array.from(seed ? [seed[0]] : []) },
    labels: null,
    sampleMs: 0,
    gatherMs: 0,
  };
}

function ranks(count: number, options: Partial<Pick<TrainStepParts, "gradClipNorm">> = {}) {
  return loopbackGroup(count).map((collective) => {
    const model = linearModel();
    const bucket = new GradientBucket([{ name: "weight", shape: [1, 2] }]);
    bucket.values.fill(99); // what an earlier step left
    const optimizer = new Adam(model.variables, { lr: 0.1 });
    const clock = new RecordingClock();
    const signal = new AbortController().signal;
    return { model, bucket, collective, optimizer, task, gradClipNorm: null, clock, signal, ...options };
  });
}

// Gradient of the sum of w·CE at W = 0 is w·x·(1/2 − [label]):
//   rank 0: x 1, label 0, weight 1 → [−1/2,  1/2]
//   rank 1: x 3, label 1, weight 3 → [ 9/2, −9/2]
//   sum [4, −4], weights 1 + 3 = 4, mean [1, −1], norm √2
const shares = [batchOf([1, 0]), batchOf([3, 1])] as const;

test("zero, forward, backward, all-reduce, divide, clip, optimizer: in this order", async () => {
  const group = ranks(2, { gradClipNorm: 1 });
  await Promise.all(group.map((parts, rank) => trainStep(parts, shares[rank] as TrainBatch, context)));
  for (const { bucket, clock, optimizer, model } of group) {
    // Clipping before the sum would leave ±0.05, before the division ±1/(4√2), not at all ±1.
    expect(bucket.gradient[0]).toBeCloseTo(1 / Math.SQRT2, 6);
    expect(bucket.gradient[1]).toBeCloseTo(-1 / Math.SQRT2, 6);
    expect(clock.phases).toEqual(["forward", "backward", "allReduce", "optimizer"]);
    expect(optimizer.numSteps).toBe(1);
    // Adam's first update is lr · sign(gradient).
    expect([...model.variables[0]!.variable.dataSync()].map((w) => Number(w.toFixed(5)))).toEqual([-0.1, 0.1]);
  }
});

test("every rank learns the sums of the global batch", async () => {
  const sums = await Promise.all(ranks(2).map((parts, rank) => trainStep(parts, shares[rank] as TrainBatch, context)));
  for (const { lossSum, ...rest } of sums) {
    expect(lossSum).toBeCloseTo((1 + 3) * Math.log(2), 5);
    expect(rest).toEqual({ weightSum: 1 + 3, hits: 1, trials: 2 }); // logits are equal: class 0 is predicted
  }
});

test("a rank without seeds takes part in the step and gets the same weights", async () => {
  const [alone] = ranks(1);
  await trainStep(alone!, shares[1], context);
  const group = ranks(2);
  await Promise.all(group.map((parts, rank) => trainStep(parts, rank === 0 ? shares[1] : batchOf(null), context)));
  for (const { model } of group) {
    expect([...model.variables[0]!.variable.dataSync()]).toEqual([...alone!.model.variables[0]!.variable.dataSync()]);
  }
});

test("when one rank is told to stop, all stop at that step and no weight has changed", async () => {
  const stop = new AbortController();
  stop.abort();
  const group = ranks(2).map((parts, rank) => (rank === 1 ? { ...parts, signal: stop.signal } : parts));
  const ends = await Promise.allSettled(
    group.map((parts, rank) => trainStep(parts, shares[rank] as TrainBatch, context)),
  );
  expect(ends.map((end) => end.status === "rejected" && end.reason.code)).toEqual(["CANCELLED", "CANCELLED"]);
  for (const { model } of group) expect([...model.variables[0]!.variable.dataSync()]).toEqual([0, 0]);
});

test("a value that is not a number on one rank ends all of them, naming tensor, epoch and step", async () => {
  const group = ranks(2);
  const bad = [batchOf([Number.NaN, 0]), shares[1]] as const;
  const ends = await Promise.allSettled(group.map((parts, rank) => trainStep(parts, bad[rank] as TrainBatch, context)));
  for (const end of ends) {
    expect(end).toMatchObject({ status: "rejected", reason: { code: "TRAIN_DIVERGED" } });
    expect(String((end as PromiseRejectedResult).reason.message)).toContain(
      "In epoch 3, step 5, a feature of the input nodes is not a finite number",
    );
  }
});

test("a step leaves no tensor behind", async () => {
  const [parts] = ranks(1);
  await trainStep(parts!, shares[1], context);
  const before = memory().numTensors;
  for (let i = 0; i < 3; i++) await trainStep(parts!, shares[1], context);
  expect(memory().numTensors).toBe(before);
});
