import { expect, test } from "vitest";
import { EarlyStopping } from "../../src/train/early-stopping.ts";

const accuracy = { metric: "val/accuracy", mode: "max" } as const;

test("stops after `patience` evaluations that did not beat the best", () => {
  const stopping = new EarlyStopping(accuracy, 2);
  const seen = [0.5, 0.7, 0.7, 0.6].map((metric, epoch) => [stopping.update(epoch, metric), stopping.shouldStop]);
  expect(seen).toEqual([
    [true, false],
    [true, false],
    [false, false], // equal is not better
    [false, true],
  ]);
  expect(stopping.state.best).toEqual({ epoch: 1, metric: 0.7 });
});

test("an improvement sets the count back", () => {
  const stopping = new EarlyStopping(accuracy, 2);
  for (const [epoch, metric] of [0.5, 0.4, 0.6, 0.5].entries()) stopping.update(epoch, metric);
  expect(stopping.state).toEqual({ best: { epoch: 2, metric: 0.6 }, badEvaluations: 1 });
});

test("a loss is minimised", () => {
  const stopping = new EarlyStopping({ metric: "val/loss", mode: "min" }, 1);
  expect([stopping.update(0, 2), stopping.update(1, 1), stopping.update(2, 3)]).toEqual([true, true, false]);
  expect(stopping.shouldStop).toBe(true);
});

test("without patience the best accuracy is remembered and nothing stops", () => {
  const stopping = new EarlyStopping(accuracy);
  stopping.update(0, 0.9);
  for (let epoch = 1; epoch < 1000; epoch++) stopping.update(epoch, 0.1);
  expect([stopping.metric, stopping.shouldStop, stopping.state.best?.epoch]).toEqual(["val/accuracy", false, 0]);
});

test("evaluations without validation nodes are not counted", () => {
  const stopping = new EarlyStopping(accuracy, 1);
  expect([stopping.update(0, null), stopping.shouldStop, stopping.state.best]).toEqual([false, false, null]);
});

test("a restored state goes on where it was", () => {
  const whole = new EarlyStopping(accuracy, 2);
  const first = new EarlyStopping(accuracy, 2);
  const second = new EarlyStopping(accuracy, 2);
  for (const metric of [0.5, 0.4, 0.3]) whole.update(0, metric);
  for (const metric of [0.5, 0.4]) first.update(0, metric);
  second.restore(JSON.parse(JSON.stringify(first.state)));
  second.update(0, 0.3);
  expect([second.state, second.shouldStop]).toEqual([whole.state, true]);
});
