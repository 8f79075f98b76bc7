import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { memory } from "../../src/backends/tf.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { graphFromRelations } from "../../src/graph/graph-from-relations.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import { VerySparseRows } from "../../src/structural/very-sparse-rows.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { expectClose } from "../support/check-op.ts";
import * as reference from "../support/reference-ops.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { communityData } from "./support/community-data.ts";

const [numNodes, dim, seed] = [30, 20, 5];
const random = seededRandom(5);
const draw = (below: number) => Math.floor(random() * below);
// Node 29 has no edges.
const drawnPairs = Array.from({ length: 60 }, () => [draw(numNodes - 1), draw(numNodes - 1)] as const);
const distinct = new Map(drawnPairs.filter(([a, b]) => a < b).map((pair) => [pair.join(" "), pair]));
const pairs = [...distinct.values()];
const src = pairs.flatMap(([a, b]) => [a, b]);
const dst = pairs.flatMap(([a, b]) => [b, a]);
const weights = Float32Array.from(pairs.flatMap(() => Array(2).fill(0.5 + random())));

beforeAll(() => selectBackend("native"));

interface Asked {
  readonly iterationWeights: number[];
  readonly ownWeight: number;
  readonly normalizationStrength: number;
  readonly normalizeHops: boolean;
}

/** Σ α_k·P^k·L·R with P = D^-1·A as a full matrix, in double precision. */
function formula(weightOf: (edge: number) => number, asked: Asked): Float64Array {
  const matrix = new Float64Array(numNodes * numNodes);
  const degrees = new Float64Array(numNodes);
  dst.forEach((to, edge) => {
    matrix[to * numNodes + src[edge]!]! += weightOf(edge);
    degrees[to]! += weightOf(edge);
  });
  const walk = matrix.map((value, i) => (value === 0 ? 0 : value / degrees[Math.floor(i / numNodes)]!));
  const graph = { numNodes, numEdges: src.length } as CscGraph;
  const drawn = new VerySparseRows(graph, { numRows: numNodes, dim, seed, normalizationStrength: 0 }).gather(
    Int32Array.from({ length: numNodes }, (_, node) => node),
  );
  const mean = src.length / numNodes;
  let hop: ReturnType<typeof reference.matMul> = Float64Array.from(drawn.values, (value, i) => {
    const degree = degrees[Math.floor(i / dim)]! || 1;
    return value * (degree / mean) ** asked.normalizationStrength;
  });
  const lengthened = (rows: typeof hop) =>
    rows.map((value, i) => {
      const row = rows.subarray(Math.floor(i / dim) * dim, (Math.floor(i / dim) + 1) * dim);
      const length = Math.hypot(...row);
      return asked.normalizeHops && length > 0 ? value / length : value;
    });
  const sum = lengthened(hop).map((value) => asked.ownWeight * value);
  for (const weight of asked.iterationWeights) {
    hop = reference.matMul(numNodes, numNodes, dim, walk, hop);
    lengthened(hop).forEach((value, i) => {
      sum[i]! += weight * value;
    });
  }
  return sum;
}

const bare = (graph: CscGraph): TrainingData => ({
  graph,
  features: noFeatures(graph.numNodes),
  labels: null,
  split: new Int8Array(graph.numNodes),
});

const optionsOf = (options: Partial<Asked>, width = dim): TrainerOptions => ({
  task: { type: "fastRp", dim: width },
  model: { type: "fastRp", options },
  train: { epochs: 1, seed },
});

async function rowsOf(data: TrainingData, options: TrainerOptions) {
  const trainer = await Trainer.create({ data, options });
  const result = await trainer.fit();
  const { logits } = await trainer.infer();
  trainer.dispose();
  return { rows: logits, result };
}

test.each<[boolean, Asked]>([
  [false, { iterationWeights: [0, 1, 1], ownWeight: 0, normalizationStrength: 0, normalizeHops: true }],
  [false, { iterationWeights: [0.5], ownWeight: 0.3, normalizationStrength: -0.9, normalizeHops: false }],
  [true, { iterationWeights: [1, -2, 4, 0.5], ownWeight: 1, normalizationStrength: 0.4, normalizeHops: false }],
  [true, { iterationWeights: [0, 1, 7.81], ownWeight: 0, normalizationStrength: -0.5, normalizeHops: true }],
])("rows are the dense formula; edges with weights: %s, %j", async (isWeighted, asked) => {
  const graph = await graphFromEdges({ src, dst, numNodes, duplicates: "keep", ...(isWeighted && { weights }) });
  const before = memory().numTensors;
  const { rows, result } = await rowsOf(bare(graph), optionsOf(asked));
  expect(memory().numTensors).toBe(before);
  expectClose(
    rows,
    formula((edge) => (isWeighted ? weights[edge]! : 1), asked),
    1e-5,
  );
  expect(result).toMatchObject({ epochs: 1, steps: 0, best: null, metrics: {} });
});

test("types of edges are not told apart: a typed graph has the rows of one that forgot them", async () => {
  const untyped = await graphFromEdges({ src, dst, numNodes, duplicates: "keep" });
  const half = src.length / 2;
  const typed = await graphFromRelations({
    numNodes,
    relations: {
      cites: { src: Int32Array.from(src.slice(0, half)), dst: Int32Array.from(dst.slice(0, half)) },
      likes: { src: Int32Array.from(src.slice(half)), dst: Int32Array.from(dst.slice(half)) },
    },
  });
  const dropped = await rowsOf(bare(typed), optionsOf({}));
  const expected = await rowsOf(bare(untyped), optionsOf({}));
  // The two orders of summation differ in their last bits.
  expectClose(dropped.rows, Float64Array.from(expected.rows), 1e-5);
});

test("a sixth of the numbers is √3, a sixth −√3, the others 0; columns, nodes and seeds have nothing in common", () => {
  const graph = { numNodes: 2000, numEdges: 1 } as CscGraph;
  const drawn = (key: number) =>
    new VerySparseRows(graph, { numRows: 2000, dim: 50, seed: key, normalizationStrength: 0 }).gather(
      Int32Array.from({ length: 2000 }, (_, node) => node),
    ).values;
  const one = drawn(1);
  const share = (value: number) => one.filter((each) => Math.abs(each - value) < 1e-6).length / one.length;
  // 100,000 draws: 5 deviations of a share of 1/6 are 0.006.
  for (const value of [Math.sqrt(3), -Math.sqrt(3)]) expect(Math.abs(share(value) - 1 / 6)).toBeLessThan(0.006);
  expect(share(0) + share(Math.sqrt(3)) + share(-Math.sqrt(3))).toBe(1);
  const correlation = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0) / a.length;
  const column = (c: number) => one.filter((_, i) => i % 50 === c);
  // Products have variance 1, so 5 deviations of the mean are 5/√n.
  expect(Math.abs(correlation(one, drawn(2)))).toBeLessThan(5 / Math.sqrt(one.length));
  for (const c of [1, 7, 8, 9, 33])
    expect(Math.abs(correlation(column(0), column(c)))).toBeLessThan(5 / Math.sqrt(2000));
  expect(Math.abs(correlation(one.slice(50), one.slice(0, -50)))).toBeLessThan(5 / Math.sqrt(one.length));
});

const communities = communityData({ numNodes: 120, numClasses: 3, dim: 12, numTrain: 30, numParts: 2 });

test("two and three ranks have one rank's bits, and the report says what a linear probe reads of them", async () => {
  const data = await communities;
  const one = await rowsOf(data, optionsOf({}, 64));
  // Three classes: a third is chance.
  expect(one.result.metrics["test/probeAccuracy"]).toBeGreaterThan(0.6);
  expect(one.result.metrics["val/probeAccuracy"]).toBeGreaterThan(0.6);
  for (const worldSize of [2, 3]) {
    const sharedRows = sharedRowsInMemory();
    const ranks = await Promise.all(
      loopbackGroup(worldSize).map(async (collective, rank) => {
        const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
        const trainer = await Trainer.create({ data, options: optionsOf({}, 64), rank: context, sharedRows });
        const { metrics } = await trainer.fit();
        return { metrics, rows: (await trainer.infer()).logits.slice() };
      }),
    );
    for (const { metrics, rows } of ranks) {
      expect(metrics).toEqual(one.result.metrics);
      expect(rows).toEqual(one.rows);
    }
  }
});

test("model, sampler and epochs that are left out follow from the task", async () => {
  const data = await communities;
  const trainer = await Trainer.create({ data, options: { task: { type: "fastRp", dim } } });
  expect((await trainer.fit()).steps).toBe(0);
  expect(trainer.model.variables).toEqual([]);
});

test("what does not go with learning nothing is refused by its place", async () => {
  const data = await communities;
  const refused = async (changed: TrainerOptions, pointer: string) => {
    const creating = Trainer.create({ data, options: { ...optionsOf({}), ...changed } });
    await expect(creating).rejects.toMatchObject({ code: "SPEC_INVALID", place: { pointer } });
  };
  await refused({ model: { type: "sage" } }, "/model/type");
  await refused({ task: { target: "label" } }, "/model/type");
  await refused({ train: { epochs: 2 } }, "/train/epochs");
  await refused({ train: { epochs: 1, earlyStopping: {} } }, "/train/earlyStopping");
  await refused({ train: { epochs: 1, evaluate: { mode: "sampled" } } }, "/train/evaluate/mode");
  await refused({ sampling: { type: "neighbor", options: { fanouts: [2, 2, 2] } } }, "/sampling/type");
  await refused({ task: { type: "fastRp", dim, inductive: true } }, "/task/inductive");
  await refused({ features: { embedding: { dim } } }, "/features/embedding");
  await refused({ features: { structural: {} } }, "/features/structural");
  await refused({ features: { transforms: ["rowNormalize"] } }, "/features/transforms");
});
