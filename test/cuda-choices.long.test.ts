import { problemFrom, resolveJobSpec } from "@hopwise/contracts";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { describe, expect, test } from "vitest";
import { activeCuda } from "../packages/gnn-core/src/backends/active-cuda.ts";
import { selectBackend } from "../packages/gnn-core/src/backends/select-backend.ts";
import { points } from "../packages/gnn-core/src/dist/points.ts";
import { Trainer } from "../packages/gnn-core/src/train/trainer.ts";
import type { TrainerOptions } from "../packages/gnn-core/src/train/trainer-setup.ts";
import { emulated, useEmulatedDevice } from "../packages/gnn-core/test/support/cuda-emulated.ts";
import { models, samplers, setupFor, tasks, trainOf } from "./support/every-choice.ts";

useEmulatedDevice();

const registry = await loadRegistry();

type Options = TrainerOptions & { readonly task: Record<string, unknown> };

/** The place at which a job that asks for a GPU is refused at submit; null: it is accepted. */
function refusedAt(options: Options): string | null {
  const job = { version: 1, kind: "train", dataset: "ds_1", resources: { device: "cuda" } };
  try {
    resolveJobSpec({ ...job, ...options }, registry);
    return null;
  } catch (error) {
    const { code, pointer } = problemFrom(error);
    expect(code).toBe("JOB_SPEC_INVALID");
    return pointer ?? "";
  }
}

interface Trained {
  readonly loss: number;
  /** What the host waited for in a step, and ran itself */
  readonly readBacks: number;
  readonly scriptKernels: readonly string[];
}

async function trained(options: Options): Promise<Trained> {
  const trainer = await Trainer.create({ ...(await setupFor(options.task)), options, threads: 1 });
  const cuda = activeCuda();
  const seen: { readBacks: number; scriptKernels: string[] }[] = [];
  const note = () => {
    if (!cuda) return;
    seen.push({ readBacks: cuda.readBacks, scriptKernels: [...cuda.scriptKernels.keys()] });
    cuda.scriptKernels.clear();
  };
  points.sampled.subscribe(note);
  let loss = Number.NaN;
  try {
    const onEvent: NonNullable<Parameters<Trainer["fit"]>[0]>["onEvent"] = (event) => {
      if (event.type === "metrics" && "train/loss" in event.values) loss = event.values["train/loss"] as number;
    };
    await trainer.fit({ onEvent });
  } finally {
    points.sampled.unsubscribe(note);
    trainer.dispose();
  }
  // Between the beginning of one step and that of the next.
  const [first, second] = seen;
  if (cuda) expect(seen.length).toBeGreaterThan(1);
  return {
    loss,
    readBacks: (second?.readBacks ?? 0) - (first?.readBacks ?? 0),
    scriptKernels: second?.scriptKernels ?? [],
  };
}

async function expectNativesLoss(options: Options): Promise<void> {
  await selectBackend("native");
  const native = await trained(options);
  await selectBackend("cuda", emulated);
  const { loss, readBacks, scriptKernels } = await trained(options);
  expect(Number.isFinite(native.loss)).toBe(true);
  expect(Math.abs(loss - native.loss)).toBeLessThan(1e-4 * (1 + Math.abs(native.loss)));
  expect({ readBacks, scriptKernels }).toEqual({ readBacks: 0, scriptKernels: [] });
}

const choiceOf = (all: typeof models, type: string, options: object = {}) => {
  const found = all.find((each) => each.type === type)!;
  return { type, options: { ...found.options, ...options } };
};
/** What scores the receiving node hardly matters to a softmax over its edges: Adam makes steps of its rounding. */
const trainOfModel = (type: string, task: Record<string, unknown>): NonNullable<Options["train"]> =>
  ["simpleHgn", "rgat"].includes(type) ? { ...trainOf(task), optimizer: { type: "sgd", options: {} } } : trainOf(task);
const taskOf = (type: string) => tasks.find((each) => each["type"] === type)!;
const classes = taskOf("nodeClassification");

describe("whatever can be chosen is refused at submit for a GPU, or trains on it as on a CPU without a wait:", () => {
  // Each model meets each task, and with the tasks each of the samplers that are accepted for both.
  const rows = models.flatMap((model, m) =>
    tasks
      .filter(({ type }) => type !== "fastRp")
      .map((task, t) => [model.type, task["type"], model, task, m + t] as const),
  );
  test.each(rows)("%s for %s", async (_model, _task, model, task, turn) => {
    const accepted = samplers
      .map((sampling): Options => ({ model, task, sampling, train: trainOfModel(model.type, task) }))
      .filter((options) => refusedAt(options) === null);
    const options = accepted[turn % accepted.length];
    expect(options).toBeDefined();
    if (options) await expectNativesLoss(options);
  });

  const links = taskOf("linkPrediction");
  const decoders = [
    ...["cosine", "distMult", "complEx", "rotatE", "transE"].map((type) => ({ type })),
    { type: "transE", norm: 1 },
    { type: "mlp", input: "concat" },
  ];
  const losses = [
    { type: "binaryCrossEntropy", adversarial: 1 },
    { type: "softmax" },
    { type: "infoNce" },
    { type: "bpr" },
    { type: "margin" },
  ];
  const ofTasks = [
    ...decoders.map((decoder) => ({ ...links, decoder })),
    ...losses.map((loss) => ({ ...links, loss, negatives: { type: "joint", perLink: 2 } })),
    { ...taskOf("deepGraphInfomax"), activation: "elu" },
    { ...taskOf("nodeMultiLabel"), classWeights: "balanced", threshold: 0.3 },
    { ...taskOf("nodeRegression"), loss: "huber" },
    { ...classes, classWeights: "balanced" },
  ];
  test.each(ofTasks)("$type $decoder $loss $activation $classWeights", async (task) => {
    const neighbor = choiceOf(samplers, "neighbor");
    const options: Options = { model: choiceOf(models, "gcn"), task, sampling: neighbor, train: trainOf(task) };
    expect(refusedAt(options)).toBeNull();
    await expectNativesLoss(options);
  });

  test("links that are learnt from what was there before each", async () => {
    const task = { ...links, split: { type: "time" } };
    const sampling = choiceOf(samplers, "temporal");
    const options: Options = { model: choiceOf(models, "gcn"), task, sampling, train: trainOf(task) };
    expect(refusedAt(options)).toBeNull();
    await expectNativesLoss(options);
  });

  test("learned rows alone by random walks", async () => {
    const task = taskOf("node2vec");
    const features = { embedding: { dim: 6 } };
    const options: Options = { model: { type: "shallow", options: {} }, task, features, train: trainOf(task) };
    expect(refusedAt(options)).toBeNull();
    await expectNativesLoss(options);
  });

  test("rows without training", async () => {
    const task = taskOf("fastRp");
    const sampling = { type: "full", options: {} };
    const options: Options = { model: { type: "fastRp", options: {} }, task, sampling, train: { epochs: 1 } };
    expect(refusedAt(options)).toBeNull();
    const rowsOn = async () => {
      const trainer = await Trainer.create({ ...(await setupFor(task)), options });
      const { steps } = await trainer.fit();
      expect(steps).toBe(0);
      return (await trainer.infer()).logits;
    };
    await selectBackend("native");
    const native = await rowsOn();
    await selectBackend("cuda", emulated);
    for (const [i, value] of (await rowsOn()).entries()) expect(value).toBeCloseTo(native[i]!, 5);
  });

  test.each([
    ["shallow", { loss: { type: "oneVsAll", labelSmoothing: 0.1 }, penalty: { type: "n3" } }],
    ["lightGcn", { loss: { type: "oneVsAll", labelSmoothing: 0.1 }, penalty: { type: "n3" } }],
    ["shallow", { loss: { type: "kVsAll", labelSmoothing: 0.1 } }],
    ["lightGcn", { loss: { type: "kVsAll", each: "softmax" } }],
  ] as const)("learned rows alone, links among all nodes: %s, %o", async (type, objective) => {
    const task = { ...links, decoder: { type: "distMult" }, ...objective, dim: 6 };
    const features = { embedding: { dim: 6 } };
    const sampling = { type: "full", options: {} };
    // A batch of kVsAll counts queries, which are fewer than links.
    const train = { ...trainOf(task), batchSize: objective.loss.type === "kVsAll" ? 8 : 32 };
    const options: Options = { model: { type, options: {} }, task, features, sampling, train };
    expect(refusedAt(options)).toBeNull();
    await expectNativesLoss(options);
  });

  const sage = choiceOf(models, "sage");
  const neighbor = choiceOf(samplers, "neighbor");
  const others: Omit<Options, "task">[] = [
    ...["gcn", "concat", "pool"].map((aggregator) => ({
      model: choiceOf(models, "sage", { aggregator, norm: "layer" }),
    })),
    { model: choiceOf(models, "sage", { norm: "batch", residual: true }) },
    ...["gcn", "mlp", "gat"].map((type) => ({ model: choiceOf(models, type, { norm: "batch" }) })),
    { model: choiceOf(models, "gat", { merge: "mean", projectionDropout: 0.3, activation: "leakyRelu" }) },
    { model: choiceOf(models, "gin", { learnEpsilon: false, activation: "tanh" }) },
    { model: choiceOf(models, "rgcn", { decomposition: "blocks", numBases: 2 }) },
    { sampling: choiceOf(samplers, "controlVariate") },
    { model: choiceOf(models, "gcn", { norm: "layer" }), sampling: choiceOf(samplers, "controlVariate") },
    { sampling: { type: "neighbor", options: { fanouts: [3, 2], edgeDir: "both", replace: true } } },
    { features: { embedding: { dim: 4 } } },
    { features: { structural: { dim: 4 } } },
    { features: { transforms: ["standardize"] } },
    ...(["adamw", "sgd", "adagrad"] as const).map((type) => ({ train: { optimizer: { type }, gradClipNorm: 0.5 } })),
    { train: { evaluate: { mode: "sampled" } } },
  ];
  test.each(others)("$model $sampling $features $train", async (chosen) => {
    const all = { model: sage, sampling: neighbor, ...chosen, train: { ...trainOf(classes), ...chosen.train } };
    const options: Options = { ...all, task: classes };
    expect(refusedAt(options)).toBeNull();
    await expectNativesLoss(options);
  });
});
