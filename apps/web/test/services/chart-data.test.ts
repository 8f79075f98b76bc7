import { expect, test } from "vitest";
import { chartDataOf, plainView, spanOfMost, spanOfOne } from "../../src/services/chart-data.ts";
import { smoothed } from "../../src/services/smoothing.ts";

const loss = { name: "train/loss", axis: "epoch", steps: [1, 2, 3], values: [4, 2, 1], times: [1000, 2000, 4000] };
const val = { name: "val/loss", axis: "epoch", steps: [2, 4], values: [3, 0], times: [2500, 5000] };

test("lines of different steps share one axis, with null where one has no point", () => {
  const { columns, lines } = chartDataOf([loss, val], plainView, 0);
  expect(columns).toEqual([
    [1, 2, 3, 4],
    [4, 2, 1, null],
    [null, 3, null, 0],
  ]);
  expect(lines.map(({ kind }) => kind)).toEqual(["line", "line"]);
});

test("on the time axis a point stands at the seconds since the start", () => {
  const { columns } = chartDataOf([loss], { ...plainView, xAxis: "time" }, 1000);
  expect(columns[0]).toEqual([0, 1, 3]);
});

test("the axis of one value has that value in its middle", () => {
  expect(spanOfOne(0.92)).toEqual([expect.closeTo(0.828), expect.closeTo(1.012)]);
  expect(spanOfOne(-4)).toEqual([-4.4, -3.6]);
  expect(spanOfOne(0)).toEqual([-1, 1]);
});

test("a logarithm leaves out what is not above zero", () => {
  expect(chartDataOf([val], { ...plainView, yScale: "log" }, 0).columns[1]).toEqual([3, null]);
});

test("a smoothed line is drawn over the measured one, in its colour", () => {
  const { lines, columns } = chartDataOf([loss], { ...plainView, smoothing: 0.5 }, 0);
  expect(lines.map(({ kind, color }) => [kind, color])).toEqual([
    ["raw", 0],
    ["smoothed", 0],
  ]);
  expect(columns[1]).toEqual([4, 2, 1]);
  // (0.5·4 + 2) / (0.5 + 1) and (0.25·4 + 0.5·2 + 1) / (0.25 + 0.5 + 1)
  expect(columns[2]).toEqual([4, expect.closeTo(4 / 1.5), expect.closeTo(3 / 1.75)]);
});

test("what was measured once is a dot, smoothed or not", () => {
  const once = { name: "test/accuracy", axis: "epoch", steps: [3], values: [0.8], times: [4000] };
  expect(chartDataOf([once], { ...plainView, smoothing: 0.9 }, 0).lines).toEqual([
    { label: "test/accuracy", color: 2, kind: "dot" },
  ]);
});

test("a constant stays what it is however strongly it is smoothed, and a gap stays a gap", () => {
  expect(smoothed([3, null, 3, 3], 0.97)).toEqual([expect.closeTo(3), null, expect.closeTo(3), expect.closeTo(3)]);
});

test("without outliers the axis spans 1 % to 99 % of the values of all lines", () => {
  const values = Array.from({ length: 101 }, (_, i) => i);
  expect(spanOfMost({ columns: [values, values.with(100, 1e9), [null, ...values.slice(1)]] })).toEqual([1, 99]);
  expect(
    spanOfMost({
      columns: [
        [1, 2],
        [3, 3],
      ],
    }),
  ).toBeNull();
  expect(spanOfMost({ columns: [[]] })).toBeNull();
});
