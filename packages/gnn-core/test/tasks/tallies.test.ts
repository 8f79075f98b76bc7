import { describe, expect, test } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { labelSetsOf } from "../../src/graph/label-sets.ts";
import type { NodeTargets } from "../../src/graph/node-targets.ts";
import { baseLogOdds } from "../../src/tasks/base-log-odds.ts";
import { logit, multiLabelTask } from "../../src/tasks/node-multi-label.task.ts";
import { regressionTask } from "../../src/tasks/node-regression.task.ts";
import type { NodeTask } from "../../src/tasks/node-task.ts";
import { positiveWeights } from "../../src/tasks/positive-weights.ts";
import { ScoreTable } from "../../src/tasks/score-table.ts";
import { fitTargetScaling, noScaling } from "../../src/tasks/target-scaling.ts";
import { taskKit } from "../../src/tasks/task-kit.ts";

const ones = (n: number) => new Float32Array(n).fill(1);
const unknown = Number.NaN;
/** These tests name the nodes to count themselves. */
const noSeeds = () => new Int32Array(0);

function tallied(task: NodeTask, outputs: Float32Array, nodes: readonly number[]) {
  const tally = task.tally();
  for (const node of nodes) if (task.isLabelled(node)) tally.addRow(outputs, node, node);
  return tally;
}

describe("several labels per node", () => {
  // σ(ln 3) = ¾, σ(−ln 3) = ¼, σ(0) = ½
  //   node  labels  outputs            p
  //   0     a, b    ln3   0    −ln3   ¾ ½ ¼
  //   1     c       ln3  −ln3   ln3   ¾ ¼ ¾
  //   2     (none)  −ln3 −ln3  −ln3   ¼ ¼ ¼
  //   3     not known
  const ln3 = Math.log(3);
  const sets = labelSetsOf([[1, 0], [2], [], null], 3);
  const outputs = Float32Array.of(ln3, 0, -ln3, ln3, -ln3, ln3, -ln3, -ln3, -ln3, 9, 9, 9);
  const several = (weights: Float32Array, threshold: number, start?: Float32Array) =>
    multiLabelTask(sets, { weights, threshold, ...(start && { start }) }, noSeeds, taskKit);
  const cost = { quarter: Math.log(4), half: Math.log(2), threeQuarters: Math.log(4 / 3) };

  test("loss and F1 of a table by hand; a node whose labels are not known stays out", () => {
    const { metrics } = tallied(several(ones(3), 0.5), outputs, [0, 1, 2, 3]);
    // entries on the right side of ½ by ¼: −ln ¾; on it: −ln ½; on the wrong side: −ln ¼ (node 1's a)
    expect(metrics["loss"]).toBeCloseTo((7 * cost.threeQuarters + cost.half + cost.quarter) / 9, 6);
    // predicted: {a, b}, {a, c}, {}; F1 of a = 2·1/(2 + 1), b and c = 1; micro = 2·3/(4 + 3)
    expect(metrics["macroF1"]).toBeCloseTo((2 / 3 + 1 + 1) / 3, 12);
    expect(metrics["microF1"]).toBeCloseTo(6 / 7, 12);
  });

  test("a higher threshold predicts fewer labels", () => {
    const { metrics } = tallied(several(ones(3), 0.7), outputs, [0, 1, 2]);
    expect(metrics["microF1"]).toBeCloseTo((2 * 2) / (3 + 3), 12); // {a}, {a, c}, {}
    expect(metrics["macroF1"]).toBeCloseTo((2 / 3 + 0 + 1) / 3, 12);
  });

  test("weights of members weigh the loss of what a node has, not of what it lacks", () => {
    const { metrics } = tallied(several(Float32Array.of(5, 1, 1), 0.5), outputs, [0]);
    expect(metrics["loss"]).toBeCloseTo((5 * cost.threeQuarters + cost.half + cost.threeQuarters) / 3, 6);
  });

  test("balanced weights are others / members among the training nodes", () => {
    expect([...positiveWeights("balanced", sets, Int32Array.of(0, 1, 2))]).toEqual([2, 2, 2]);
    expect([...positiveWeights("balanced", sets, Int32Array.of(0))]).toEqual([0, 0, 1]);
    expect([...positiveWeights("none", sets, Int32Array.of(0))]).toEqual([1, 1, 1]);
  });

  test("outputs that start at the log-odds of the labels are counted and weighed as logits with them added", () => {
    const start = baseLogOdds(Float64Array.of(1, 3, 0), 4, Float32Array.of(1, 1, 2));
    // ln((1 + ½)/(3 + ½)), ln((3 + ½)/(1 + ½)), ln(2·½/(4 + ½))
    for (const [c, odds] of [1.5 / 3.5, 3.5 / 1.5, 1 / 4.5].entries()) expect(Math.exp(start[c]!)).toBeCloseTo(odds, 6);
    const without = outputs.map((logit, i) => logit - start[i % 3]!);
    const task = several(ones(3), 0.5, start);
    const { metrics } = tallied(task, without, [0, 1, 2]);
    const expected = tallied(several(ones(3), 0.5), outputs, [0, 1, 2]).metrics;
    for (const [name, value] of Object.entries(expected)) expect(metrics[name]).toBeCloseTo(value!, 5);
    expect(task.scaling?.mean).toEqual([...start]);
    expect(task.count(without.subarray(3, 6), Int32Array.of(1))).toMatchObject({ hits: 2, trials: 3 });
  });

  test("tallies of ranks add up, and ranking looks at each label alone", async () => {
    const task = several(ones(3), 0.5);
    const even = tallied(task, outputs, [0, 2]);
    const odd = tallied(task, outputs, [1]);
    even.assign(even.flat().map((value, i) => value + odd.flat()[i]!));
    const whole = tallied(task, outputs, [0, 1, 2]).metrics;
    expect(even.metrics).toEqual({ ...whole, loss: expect.closeTo(whole["loss"]!, 6) });
    const table = new ScoreTable(Int32Array.of(0, 1, 2), task.ranking!, new Float32Array(9));
    for (const node of [0, 1, 2]) table.addRow(outputs, node, node);
    const [collective] = loopbackGroup(1);
    const rank = { rank: 0, worldSize: 1, localRank: 0, device: "cpu", threads: 1, collective: collective! } as const;
    // a: member 0 ties with 1, above 2: (½ + 1)/2; b and c: the member is on top
    const metrics = await table.metrics(rank, () => {});
    expect(metrics.rocAuc).toBeCloseTo((0.75 + 1 + 1) / 3, 6);
    expect(metrics.averagePrecision).toBeCloseTo((1 / 2 + 1 + 1) / 3, 6);
  });

  test("the threshold and its logit belong together", () => {
    expect(1 / (1 + Math.exp(-logit(0.2)))).toBeCloseTo(0.2, 12);
  });
});

describe("numbers", () => {
  // Two targets; node 2 knows the second only, node 3 none.
  const targets: NodeTargets = {
    names: ["age", "height"],
    values: Float32Array.of(10, 1, 20, 3, unknown, 5, unknown, unknown),
  };
  const loss = { loss: "mse", huberDelta: 1 } as const;

  test("mae, rmse and r² of a table by hand, each the mean over the targets", () => {
    const outputs = Float32Array.of(12, 1, 19, 4, 99, 3, 0, 0); // errors: age 2, −1; height 0, 1, −2
    const { metrics } = tallied(
      regressionTask(targets, { ...loss, scaling: noScaling(2) }, noSeeds, taskKit),
      outputs,
      [0, 1, 2, 3],
    );
    expect(metrics["mae"]).toBeCloseTo((3 / 2 + 3 / 3) / 2, 5);
    expect(metrics["rmse"]).toBeCloseTo((Math.sqrt(5 / 2) + Math.sqrt(5 / 3)) / 2, 5);
    expect(metrics["r2"]).toBeCloseTo((1 - 5 / 50 + (1 - 5 / 8)) / 2, 5); // Σ(t − mean)²: 2·5², 2² + 0 + 2²
    expect(metrics["loss"]).toBeCloseTo((4 + 1 + 0 + 1 + 4) / 5, 5);
  });

  test("standardising learns deviations from the training mean and reports in the targets' units", () => {
    const scaling = fitTargetScaling(targets, Int32Array.of(0, 1));
    expect(scaling).toEqual({ mean: [15, 2], scale: [5, 1] });
    const task = regressionTask(targets, { ...loss, scaling }, noSeeds, taskKit);
    const outputs = Float32Array.of(-0.6, -1, 0.8, 2); // predictions 12, 1 and 19, 4
    const { metrics } = tallied(task, outputs, [0, 1]);
    expect(metrics["mae"]).toBeCloseTo((3 / 2 + 1 / 2) / 2, 5);
    expect(metrics["loss"]).toBeCloseTo((0.4 ** 2 + 0.2 ** 2 + 0 + 1) / 4, 5);
  });

  test("r² of large numbers that vary little survives the sum over ranks in float32", () => {
    const values = Float32Array.from({ length: 1000 }, (_, i) => 1e6 + (i % 10));
    const far: NodeTargets = { names: ["x"], values };
    const outputs = values.map((value, i) => value + (i % 2));
    const tally = tallied(regressionTask(far, { ...loss, scaling: noScaling(1) }, noSeeds, taskKit), outputs, [
      ...values.keys(),
    ]);
    tally.assign(tally.flat());
    expect(tally.metrics["r2"]).toBeCloseTo(1 - 500 / (1000 * 8.25), 4); // variance of 0 … 9 is 8.25
  });

  test("a target that never varies has no r² and is not divided by nothing", () => {
    const flat: NodeTargets = { names: ["x"], values: Float32Array.of(7, 7) };
    const scaling = fitTargetScaling(flat, Int32Array.of(0, 1));
    expect(scaling).toEqual({ mean: [7], scale: [1] });
    const { metrics } = tallied(
      regressionTask(flat, { ...loss, scaling }, noSeeds, taskKit),
      Float32Array.of(0, 0),
      [0, 1],
    );
    expect(metrics).toEqual({ loss: 0, mae: 0, rmse: 0, r2: null });
  });
});
