import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uniformRows } from "../../src/dist-store/initializers.ts";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readSafetensors } from "../../src/io/safetensors.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { readModelInfo } from "../../src/spec/model-info.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { argMax } from "../../src/tasks/metrics.ts";
import { tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";
import { type RankStepOptions, runStepRanks } from "../support/run-step-ranks.ts";
import { communityData } from "../train/support/community-data.ts";

let temp: Awaited<ReturnType<typeof tempDir>>;
let parts: ArtifactDir;
const events: StepEvent[] = [];
let model: ArtifactDir;

const options = {
  task: { target: "label" },
  features: { transforms: ["standardize"] },
  model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.3 } },
  sampling: { type: "neighbor", options: { fanouts: [4, 4] } },
  train: { epochs: 5, batchSize: 32, optimizer: { options: { lr: 0.02 } } },
};

beforeAll(async () => {
  temp = await tempDir();
  parts = await runStep(
    partitionStep,
    { graph: await writeGraphArtifact(join(temp.dir, "graph"), await smallGraph()) },
    { partition: { type: "random", options: { numParts: 2 } } },
  );
  model = await runStepRanks(trainStep, { parts }, options, { onEvent: (event) => events.push(event) });
});
afterAll(() => temp.remove());

/** The graph of the trainer's tests, as rows. */
async function smallGraph() {
  const numNodes = 300;
  const dim = 6;
  const data = await communityData({ numNodes, numClasses: 3, dim, numTrain: 90 });
  const [part] = data.graph.parts;
  const { values } = data.features.gather(Int32Array.from({ length: numNodes }, (_, node) => node));
  const edges = Array.from({ length: numNodes }, (_, dst) =>
    [...part!.indices.subarray(Number(part!.indptr[dst]), Number(part!.indptr[dst + 1]))].map(
      (src) => [src, dst] as const,
    ),
  ).flat();
  const rows = Array.from({ length: numNodes }, (_, node) => [...values.subarray(node * dim, (node + 1) * dim)]);
  return {
    numNodes,
    edges,
    labels: [...data.labels],
    split: [...data.split],
    features: { kind: "dense", rows } as const,
  };
}

test("the model artifact holds the weights by name and what is needed to build it again", async () => {
  const { tensors } = await readSafetensors(join(model.dir, "model.safetensors"));
  expect([...tensors].map(([name, { shape }]) => [name, shape])).toEqual([
    ["layers.0.weightSelf", [6, 8]],
    ["layers.0.weightNeigh", [6, 8]],
    ["layers.0.bias", [8]],
    ["layers.1.weightSelf", [8, 3]],
    ["layers.1.weightNeigh", [8, 3]],
    ["layers.1.bias", [3]],
  ]);
  expect(model.manifest.info).toMatchObject({
    model: options.model,
    shape: { inDim: 6, outDim: 3, seed: 0 },
    epochs: 5,
    steps: 5 * Math.ceil(90 / 32),
    transforms: ["standardize"],
  });
  expect(model.manifest.blobs.map(({ name }) => name)).toEqual(["model.safetensors", "transforms.safetensors"]);
});

test("the model artifact reports how labels and predictions of the test nodes go together", () => {
  const { metrics, confusion } = readModelInfo(model);
  expect(confusion!.classes).toHaveLength(3);
  const counts = confusion!.counts.flat();
  const correct = confusion!.counts.reduce((sum, row, label) => sum + row[label]!, 0);
  expect(correct / counts.reduce((sum, count) => sum + count, 0)).toBeCloseTo(metrics["test/accuracy"]!, 6);
  for (const name of ["macroF1", "microF1", "rocAuc", "averagePrecision"]) {
    expect(metrics[`test/${name}`]).toBeGreaterThan(0.2);
    expect(metrics[`test/${name}`]).toBeLessThanOrEqual(1);
  }
});

test("checkpoints come after every epoch, resume within the step, and lead to the same model", async () => {
  const checkpoints = events.filter((event) => event.type === "checkpoint");
  expect(checkpoints.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5]);
  const { dir, info } = checkpoints[2]!;
  const resume = { dir, manifest: { ...model.manifest, kind: "checkpoint", info } };
  const resumed = await runStepRanks(trainStep, { parts }, options, { resume });
  expect(resumed.manifest.digest).toBe(model.manifest.digest);
});

test("the model artifact carries the weights of as many best evaluations as were asked for", async () => {
  const train = { ...options.train, checkpoint: { keepBest: 2 } };
  const kept = await runStepRanks(trainStep, { parts }, { ...options, train });
  expect(kept.manifest.blobs.map(({ name }) => name)).toContain("best-1.safetensors");
  const { tensors } = await readSafetensors(join(kept.dir, "best-1.safetensors"));
  expect([...tensors.keys()]).toContain("layers.1.bias");
  const info = kept.manifest.info as { best: unknown; kept: unknown[] };
  expect(info.kept).toHaveLength(2);
  expect(info.kept[0]).toEqual(info.best);
});

test("every rank reports where its time goes", () => {
  const reports = events.filter((event) => event.type === "rank");
  expect(new Set(reports.map(({ rank }) => rank))).toEqual(new Set([0, 1]));
  const last = reports.findLast(({ rank }) => rank === 0)!;
  expect(last.localRows).toBeGreaterThan(0);
  expect(last.remoteRows).toBeGreaterThan(0);
  expect(last.rssBytes).toBeGreaterThan(1e6);
});

test("inference gives the metrics that training reported, whatever the number of ranks", async () => {
  const two = await runStepRanks(inferStep, { parts, model }, { chunkSize: 50 });
  const one = await runStepRanks(inferStep, { parts, model }, {}, { worldSize: 1 });
  const logits = await readNpy(join(two.dir, "logits.npy"), "float32");
  const embeddings = await readNpy(join(two.dir, "embeddings.npy"), "float32");
  expect([logits.shape, embeddings.shape]).toEqual([
    [300, 3],
    [300, 8],
  ]);
  const single = await readNpy(join(one.dir, "logits.npy"), "float32");
  const worst = single.values.reduce((max, value, i) => Math.max(max, Math.abs(value - logits.values[i]!)), 0);
  expect(worst).toBeLessThan(1e-5);
  const { labels, split } = loadParts(parts);
  const test = [...labels.keys()].filter((node) => split[node] === 3);
  const correct = test.filter((node) => argMax(logits.values, node, 3) === labels[node]).length;
  const { metrics } = model.manifest.info as { metrics: Record<string, number> };
  expect(correct / test.length).toBeCloseTo(metrics["test/accuracy"]!, 6);
});

test.each([
  ["gin", { hiddenFeats: 8, norm: "batch" }],
  ["appnp", { hiddenFeats: 8, numHops: 2 }],
])("a model %s %o comes back from its artifact whole, running averages too", async (type, chosen) => {
  const trained = await runStepRanks(trainStep, { parts }, { ...options, model: { type, options: chosen } });
  const inferred = await runStepRanks(inferStep, { parts, model: trained }, { chunkSize: 70 });
  const logits = await readNpy(join(inferred.dir, "logits.npy"), "float32");
  const { labels, split } = loadParts(parts);
  const test = [...labels.keys()].filter((node) => split[node] === 3);
  const correct = test.filter((node) => argMax(logits.values, node, 3) === labels[node]).length;
  expect(correct / test.length).toBeCloseTo(readModelInfo(trained).metrics["test/accuracy"]!, 6);
});

async function partsWithoutFeatures(name: string): Promise<ArtifactDir> {
  const { features: _, ...bare } = await smallGraph();
  const graph = await writeGraphArtifact(join(temp.dir, name), bare);
  return runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });
}

test.each(["no features", "features"])("learned rows beside %s come back with the model", async (columns) => {
  const inputs = { parts: columns === "features" ? parts : await partsWithoutFeatures("learned") };
  const trained = await runStepRanks(trainStep, inputs, { ...options, features: { embedding: { dim: 5 } } });
  expect((await readNpy(join(trained.dir, "node_embedding.npy"), "float32")).shape).toEqual([300, 5]);
  const inferred = await runStepRanks(inferStep, { ...inputs, model: trained }, { chunkSize: 70 });
  const logits = await readNpy(join(inferred.dir, "logits.npy"), "float32");
  const { labels, split } = loadParts(inputs.parts);
  const test = [...labels.keys()].filter((node) => split[node] === 3);
  const correct = test.filter((node) => argMax(logits.values, node, 3) === labels[node]).length;
  expect(correct / test.length).toBeCloseTo(readModelInfo(trained).metrics["test/accuracy"]!, 6);
});

describe("learned rows where ranks hold a part each", () => {
  const embedding = { dim: 5 };
  const rowsIn = async (artifact: ArtifactDir, name: string) =>
    (await readNpy(join(artifact.dir, `${name}.npy`), "float32")).values;
  const worst = (found: Float32Array, expected: Float32Array) => {
    expect(found.length).toBe(expected.length);
    return found.reduce((max, value, i) => Math.max(max, Math.abs(value - expected[i]!)), 0);
  };

  async function trained(inputs: Record<string, ArtifactDir>, further: object, ranks: RankStepOptions) {
    const told: StepEvent[] = [];
    const asked = { ...options, features: { embedding }, ...further };
    const artifact = await runStepRanks(trainStep, inputs, asked, { ...ranks, onEvent: (event) => told.push(event) });
    const losses = told.flatMap((event) => (event.type === "metrics" ? (event.values["train/loss"] ?? []) : []));
    const checkpoints = told
      .filter((event) => event.type === "checkpoint")
      .map(({ dir, info }) => ({
        dir,
        manifest: { ...artifact.manifest, kind: "checkpoint", info },
      }));
    return { artifact, losses, checkpoints, learned: await rowsIn(artifact, "node_embedding") };
  }

  test.each([
    ["no features, evaluated by sampling", "sampled"],
    ["features, evaluated exactly", "layerwise"],
  ])("beside %s: losses, rows and embeddings are those of one rank that holds all", async (_, mode) => {
    const inputs = { parts: mode === "layerwise" ? parts : await partsWithoutFeatures("apart") };
    const train = { ...options.train, evaluate: { mode } };
    const alone = await trained(inputs, { train }, { worldSize: 1 });
    const apart = await trained(inputs, { train, graph: "partitioned" }, { worldSize: 2 });
    expect(alone.losses).toHaveLength(5);
    for (const [epoch, loss] of alone.losses.entries())
      expect(Math.abs(apart.losses[epoch]! - loss)).toBeLessThan(1e-5);
    expect(worst(apart.learned, alone.learned)).toBeLessThan(1e-5);
    const inferred = [
      await runStepRanks(inferStep, { ...inputs, model: alone.artifact }, {}, { worldSize: 1 }),
      await runStepRanks(inferStep, { ...inputs, model: apart.artifact }, { graph: "partitioned", chunkSize: 70 }),
    ] as const;
    for (const name of ["embeddings", "logits"]) {
      expect(worst(await rowsIn(inferred[1], name), await rowsIn(inferred[0], name))).toBeLessThan(1e-5);
    }
    const [found, expected] = [apart, alone].map(({ artifact }) => readModelInfo(artifact).metrics);
    for (const name of ["val/accuracy", "test/accuracy"]) expect(found![name]).toBeCloseTo(expected![name]!, 5);
  });

  test("two ranks learn by the same bits whoever owns a row, and rows that no batch reads keep theirs", async () => {
    const { graph, split } = loadParts(parts);
    const model = { type: "sage", options: { hiddenFeats: 8, numLayers: 1, dropout: 0 } };
    const sampling = { type: "neighbor", options: { fanouts: [2] } };
    const shared = await trained({ parts }, { model, sampling }, {});
    const apart = await trained({ parts }, { model, sampling, graph: "partitioned" }, {});
    expect(apart.losses).toEqual(shared.losses);
    expect(apart.learned).toEqual(shared.learned);
    // With one layer a batch reads its seeds and in-neighbours of them.
    const read = new Set<number>();
    for (const { firstNode, numNodes, indptr, indices } of graph.parts) {
      for (let i = 0; i < numNodes; i++) {
        if (split[firstNode + i] !== 1) continue;
        for (const node of [firstNode + i, ...indices.subarray(Number(indptr[i]), Number(indptr[i + 1]))])
          read.add(node);
      }
    }
    expect(read.size).toBeLessThan(300);
    const initial = uniformRows(-1 / Math.sqrt(embedding.dim), 1 / Math.sqrt(embedding.dim), 0);
    for (let node = 0; node < 300; node++) {
      const row = new Float32Array(embedding.dim);
      initial.fill(node, row);
      const now = apart.learned.subarray(node * embedding.dim, (node + 1) * embedding.dim);
      if (!read.has(node)) expect([...now]).toEqual([...row]);
      else if (split[node] === 1) expect([...now]).not.toEqual([...row]);
    }
  });

  test.each([1, 2])("resume after a cut with the bits of the undisturbed run; ranks on %i hosts", async (numHosts) => {
    const further = { graph: "partitioned", train: { ...options.train, checkpoint: { keepBest: 2 } } };
    const whole = await trained({ parts }, further, { worldSize: 2, numHosts });
    expect(whole.checkpoints).toHaveLength(5);
    const [, resume] = whole.checkpoints;
    const again = await trained({ parts }, further, { worldSize: 2, numHosts, resume: resume! });
    expect(again.artifact.manifest.digest).toBe(whole.artifact.manifest.digest);
    const onOne = await trained({ parts }, further, { worldSize: 1, resume: resume! });
    expect(worst(onOne.learned, whole.learned)).toBeLessThan(1e-5);
    // Every owner has written its range, and nothing else is left.
    expect((await readdir(whole.artifact.dir)).filter((name) => name.includes("node_embedding"))).toEqual([
      "node_embedding.npy",
    ]);
  });
});

test("a graph without features is refused with the place in the spec", async () => {
  const bareParts = await partsWithoutFeatures("bare");
  await expect(runStepRanks(trainStep, { parts: bareParts }, options)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/features/structural" },
  });
});

test("a step that is missing an input says so", async () => {
  await expect(runStepRanks(inferStep, { parts }, {})).rejects.toMatchObject({ code: "MANIFEST_INVALID" });
});

test("inference sends messages along the edges that training did", async () => {
  const sampling = (edgeDir: string) => ({ type: "neighbor", options: { fanouts: [4, 4], edgeDir } });
  const trained = await runStepRanks(trainStep, { parts }, { ...options, sampling: sampling("out") });
  const logitsWith = async (info: unknown) => {
    const asked = { ...trained, manifest: { ...trained.manifest, info: info as Record<string, unknown> } };
    const inferred = await runStepRanks(inferStep, { parts, model: asked }, {});
    return (await readNpy(join(inferred.dir, "logits.npy"), "float32")).values;
  };
  const { info } = trained.manifest;
  const logits = await logitsWith(info);
  const { labels, split } = loadParts(parts);
  const test = [...labels.keys()].filter((node) => split[node] === 3);
  const loss = test.reduce((sum, node) => {
    const row = [...logits.subarray(node * 3, (node + 1) * 3)];
    return sum + Math.log(row.reduce((total, value) => total + Math.exp(value), 0)) - row[labels[node]!]!;
  }, 0);
  const { metrics } = info as { metrics: Record<string, number> };
  expect(loss / test.length).toBeCloseTo(metrics["test/loss"]!, 4);
  expect(await logitsWith({ ...(info as object), sampling: sampling("in") })).not.toEqual(logits);
});

// Those that need times of links have a job of their own: test/links/temporal-job.integration.test.ts.
const samplers = (await loadRegistry())
  .list("sampler")
  .filter(({ needsTimes }) => !needsTimes)
  .map(({ name }) => name);

test.each(samplers)("the sampler %s of the catalogue trains on two ranks, as it comes", async (type) => {
  const train = { ...options.train, epochs: 2 };
  const trained = await runStepRanks(trainStep, { parts }, { ...options, sampling: { type, options: {} }, train });
  const { epochs, metrics } = readModelInfo(trained);
  expect(epochs).toBe(2);
  expect(metrics["test/loss"]).toBeLessThan(1.5); // ln 3 = 1.1 by chance, before two epochs of one or two steps
});
