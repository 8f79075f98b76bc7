import { colorIndex, type SeriesData } from "./series.ts";
import { smoothed } from "./smoothing.ts";

/** How charts of curves are drawn; the same for all of one page. */
export interface ChartView {
  readonly yScale: "linear" | "log";
  /** `time`: seconds since the job started */
  readonly xAxis: "steps" | "time";
  /** Weight of the past, 0 … below 1; 0: the measured line alone */
  readonly smoothing: number;
  /** The vertical axis spans what most values are, whatever a few of them come to */
  readonly leavesOutliers: boolean;
}

export const plainView: ChartView = { yScale: "linear", xAxis: "steps", smoothing: 0, leavesOutliers: false };

/** A line of a chart as the plotting library takes it. */
export interface ChartLine {
  readonly label: string;
  readonly color: number;
  /** `raw`: measured, and drawn faintly under its smoothed line; `dot`: measured once */
  readonly kind: "line" | "raw" | "smoothed" | "dot";
}

export interface ChartData {
  readonly lines: readonly ChartLine[];
  /** [xs, ys of each line…] with null where a line has no point */
  readonly columns: [number[], ...(number | null)[][]];
}

/** @param startMs when the job started, from which its time counts */
export function chartDataOf(series: readonly SeriesData[], view: ChartView, startMs: number): ChartData {
  const drawn = series.flatMap((one, index) => linesOf(one, index, view, startMs));
  const xs = [...new Set(drawn.flatMap(({ x }) => x))].toSorted((a, b) => a - b);
  const rows = new Map(xs.map((x, row) => [x, row]));
  const columns = drawn.map(({ x, y }) => {
    const column: (number | null)[] = Array.from({ length: xs.length }, () => null);
    for (const [i, at] of x.entries()) column[rows.get(at) ?? 0] = onScale(y[i] ?? null, view);
    return column;
  });
  return { lines: drawn.map(({ line }) => line), columns: [xs, ...columns] };
}

interface DrawnLine {
  readonly line: ChartLine;
  readonly x: readonly number[];
  readonly y: readonly (number | null)[];
}

function linesOf(series: SeriesData, index: number, view: ChartView, startMs: number): DrawnLine[] {
  const { name: label, values } = series;
  const x = placesOf(series, view, startMs);
  const color = colorIndex(label, index);
  if (values.length === 1) return [{ line: { label, color, kind: "dot" }, x, y: values }];
  if (view.smoothing === 0) return [{ line: { label, color, kind: "line" }, x, y: values }];
  return [
    { line: { label, color, kind: "raw" }, x, y: values },
    { line: { label, color, kind: "smoothed" }, x, y: smoothed(values, view.smoothing) },
  ];
}

/** From 1 % to 99 % of the values of all lines; null where all are the same or there are none. */
export function spanOfMost({ columns: [, ...lines] }: Pick<ChartData, "columns">): readonly [number, number] | null {
  const known = lines
    .flat()
    .filter((value) => value !== null)
    .toSorted((a, b) => a - b);
  const last = known.length - 1;
  const [low, high] = [known[Math.ceil(last * 0.01)], known[Math.floor(last * 0.99)]];
  return low === undefined || high === undefined || low >= high ? null : [low, high];
}

/** Where the points of a series stand on the horizontal axis. */
export function placesOf({ steps, times }: SeriesData, { xAxis }: ChartView, startMs: number): readonly number[] {
  return xAxis === "time" ? times.map((at) => Math.max(0, (at - startMs) / 1000)) : steps;
}

/** A logarithm has no place for what is not above zero. */
function onScale(value: number | null, { yScale }: ChartView): number | null {
  return yScale === "log" && value !== null && value <= 0 ? null : value;
}

/** What a linear vertical axis spans where all values are one: a tenth of it on either side, in place of from 0 on. */
export function spanOfOne(value: number): [low: number, high: number] {
  const room = Math.abs(value) / 10 || 1;
  return [value - room, value + room];
}
