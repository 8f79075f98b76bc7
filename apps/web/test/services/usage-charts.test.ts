import { expect, test } from "vitest";
import { usageCharts } from "../../src/services/usage-charts.ts";

const series = (name: string) => ({ name, axis: "time", steps: [1], values: [2], times: [1] });

test("each measure is a chart in the order of the page, with a line for each process that told it", () => {
  const charts = usageCharts([
    series("rank 0/memoryBytes"),
    series("rank 1/memoryBytes"),
    series("rank 0/cores"),
    series("rank 0/unheardOf"),
  ]);
  expect(charts.map(({ title, series: lines }) => [title, lines.map(({ name }) => name)])).toEqual([
    ["Processor, busy cores", ["rank 0"]],
    ["Memory", ["rank 0", "rank 1"]],
  ]);
});

test("a device may have a slash in its name", () => {
  const [chart] = usageCharts([series("0 A100/40/utilization")]);
  expect(chart?.series[0]?.name).toBe("0 A100/40");
  expect(chart?.format(0.5)).toBe("50.0 %");
});

test("what a device draws is told in watts", () => {
  const [chart] = usageCharts([series("0 H100/watts")]);
  expect([chart?.title, chart?.format(349.6)]).toEqual(["GPU power", "349.6 W"]);
});

test("the figures of an axis of bytes are round in its units, and differ", () => {
  const [memory, cores] = ["memoryBytes", "cores"].map((name) => usageCharts([series(`rank 0/${name}`)])[0]);
  const { format, increments } = memory!.amounts;
  const step = increments!.find((size) => 24 * 2 ** 30 <= 5 * size) ?? 0;
  expect([0, 1, 2, 3].map((n) => format(n * step))).toEqual(["0 B", "8.0 GiB", "16.0 GiB", "24.0 GiB"]);
  expect(cores!.amounts.increments).toBeNull();
});
