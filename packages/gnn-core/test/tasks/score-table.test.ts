import { expect, test } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { classificationTask } from "../../src/tasks/node-classification.task.ts";
import { reliabilityOf } from "../../src/tasks/reliability.ts";
import { ScoreTable } from "../../src/tasks/score-table.ts";
import { taskKit } from "../../src/tasks/task-kit.ts";
import { randomFloats } from "../support/seeded-random.ts";

/** The seeds are given step by step. */
const noSeeds = () => new Int32Array(0);

/** Evaluates `nodes` of a graph with these logits on some ranks, each of which writes its share of the rows. */
async function metricsOn(...run: Parameters<typeof filledTables>) {
  return Promise.all(filledTables(...run).map(({ table, context }) => table.metrics(context, () => {})));
}

function filledTables(worldSize: number, nodes: number[], labels: number[], logits: Float32Array) {
  const numClasses = logits.length / labels.length;
  const { ranking } = classificationTask(
    Int32Array.from(labels),
    new Float32Array(numClasses).fill(1),
    noSeeds,
    taskKit,
  );
  const shared = new Float32Array(nodes.length * numClasses);
  const tables = loopbackGroup(worldSize).map((collective, rank) => ({
    table: new ScoreTable(Int32Array.from(nodes), ranking!, shared),
    context: { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const,
  }));
  for (const [rank, { table }] of tables.entries()) {
    const [first, end] = [rank, rank + 1].map((r) => Math.floor((labels.length * r) / worldSize)) as [number, number];
    for (const node of nodes) if (node >= first && node < end) table.addRow(logits, node, node);
  }
  return tables;
}

test("any number of ranks leaves the same rows to calibrate by, whose probabilities are those of the logits", () => {
  const logits = randomFloats(9 * 3, 5).map((value) => 3 * value);
  const nodes = [0, 2, 3, 5, 8];
  const labels = [0, 1, 2, 2, 1, 0, 1, 2, 0];
  const [one, ...many] = [1, 3].flatMap((ranks) => filledTables(ranks, nodes, labels, logits));
  for (const { table } of many) expect(table.scored).toEqual(one!.table.scored);
  const rows = nodes.flatMap((node) => [...logits.subarray(3 * node, 3 * node + 3)]);
  const own = { logits: Float32Array.from(rows), labels: Int32Array.of(0, 2, 2, 0, 0), numClasses: 3 };
  expect(one!.table.scored!.labels).toEqual(own.labels);
  const [found, expected] = [one!.table.scored!, own].map((scored) => reliabilityOf(scored, 1)!);
  expect(found!.nll).toBeCloseTo(expected!.nll, 5);
  expect(found!.ece).toBeCloseTo(expected!.ece, 5);
});

test("of two classes the second is ranked; nodes that are not evaluated do not count", async () => {
  // z₁ − z₀ of nodes 0, 1, 3, 4: 0.1, 0.4, 0.35, 0.8 with labels 0, 0, 1, 1: three of four pairs in order
  const logits = Float32Array.of(0, 0.1, 1, 1.4, 9, -9, 0, 0.35, -1, -0.2);
  const [result] = await metricsOn(1, [0, 1, 3, 4], [0, 0, 1, 1, 1], logits);
  expect(result!.rocAuc).toBe(0.75);
  expect(result!.averagePrecision).toBeCloseTo(1 / 2 + 1 / 3, 6);
});

test("of more classes each is ranked against the rest, and classes that do not occur are left out of the mean", async () => {
  // class:   0   1   2   3        log-softmax keeps the order of p₀ = e/(e+3), 1/(e+3), 1/(e+3) …
  const logits = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0);
  const [result] = await metricsOn(1, [0, 1, 2], [0, 1, 1], logits);
  // class 0: node 0 (high) against 1 (low) and 2 (high, a tie): (1 + ½)/2; class 1: 1 above 0, 2 ties with 0: (1 + ½)/2
  expect(result!.rocAuc).toBeCloseTo(0.75, 6);
  // class 0: one member among the two highest: ½; class 1: 1/1 at the top, then 2/3 of all: (1 + 2/3)/2
  expect(result!.averagePrecision).toBeCloseTo((1 / 2 + 5 / 6) / 2, 6);
});

test("probabilities that round to 1 are still told apart", async () => {
  const logits = Float32Array.of(0, 40, 0, 50, 0, 60);
  const [result] = await metricsOn(1, [0, 1, 2], [0, 1, 1], logits);
  expect(result!.rocAuc).toBe(1);
});

test("any number of ranks gives every rank the same metrics", async () => {
  const numNodes = 60;
  const numClasses = 5;
  const labels = Array.from({ length: numNodes }, (_, i) => (i * 7) % numClasses);
  const nodes = [...labels.keys()].filter((node) => node % 3 !== 0);
  const logits = randomFloats(numNodes * numClasses, 3);
  const [one] = await metricsOn(1, nodes, labels, logits);
  for (const ranks of [2, 3, 8]) {
    for (const result of await metricsOn(ranks, nodes, labels, logits)) expect(result).toEqual(one);
  }
});

test("without evaluated members there is nothing to rank", async () => {
  const [result] = await metricsOn(1, [0], [0, 1], Float32Array.of(1, 0, 0, 1));
  expect(result).toEqual({ rocAuc: null, averagePrecision: null });
});
