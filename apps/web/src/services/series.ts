import { by, curveOrder, type Judged, titleOf } from "./metrics.ts";

/** One metric over epochs or steps, as it is drawn: parallel arrays, steps ascending. */
export interface SeriesData {
  readonly name: string;
  readonly axis: string;
  readonly steps: readonly number[];
  readonly values: readonly (number | null)[];
  /** When each was measured, in milliseconds since 1970 */
  readonly times: readonly number[];
}

/** A recorded point as an event carries it. */
export interface SeriesPoint {
  readonly name: string;
  readonly axis: string;
  readonly step: number;
  readonly value: number | null;
  readonly time: number;
}

/** More points than these no curve needs: of a longer series every second one goes, the newest never. */
const mostPoints = 4000;

/** Adds a point; a step that is already there is overwritten (a later attempt repeats steps from its checkpoint). */
export function withPoint(series: readonly SeriesData[], point: SeriesPoint): readonly SeriesData[] {
  const index = series.findIndex((one) => one.name === point.name);
  const found = series[index];
  if (!found) {
    const { name, axis, step, value, time } = point;
    return [...series, { name, axis, steps: [step], values: [value], times: [time] }];
  }
  return series.with(index, thinned(insert(found, point)));
}

/** A page that is left open for days holds no more than this, and draws no more. */
function thinned(series: SeriesData): SeriesData {
  const count = series.steps.length;
  if (count <= mostPoints) return series;
  const isKept = (_: unknown, i: number) => (count - 1 - i) % 2 === 0;
  const { steps, values, times } = series;
  return { ...series, steps: steps.filter(isKept), values: values.filter(isKept), times: times.filter(isKept) };
}

function insert(series: SeriesData, { step, value, time }: SeriesPoint): SeriesData {
  const last = series.steps.at(-1);
  if (last === undefined || step > last) {
    const { steps, values, times } = series;
    return { ...series, steps: [...steps, step], values: [...values, value], times: [...times, time] };
  }
  const at = series.steps.findIndex((one) => one >= step);
  const replaced = series.steps[at] === step ? 1 : 0;
  return {
    ...series,
    steps: series.steps.toSpliced(at, replaced, step),
    values: series.values.toSpliced(at, replaced, value),
    times: series.times.toSpliced(at, replaced, time),
  };
}

export interface SeriesGroup {
  readonly metric: string;
  readonly title: string;
  readonly axis: string;
  readonly series: SeriesData[];
}

/** The charts of a job: one per last word of the metric name, so that train/loss and val/loss share axes. */
export function groupSeries(series: readonly SeriesData[], task: Judged): SeriesGroup[] {
  const groups = new Map<string, SeriesGroup>();
  for (const one of series) {
    const metric = one.name.split("/").at(-1) ?? one.name;
    const key = `${metric} ${one.axis}`;
    const group = groups.get(key) ?? { metric, title: titleOf(metric, task), axis: one.axis, series: [] };
    group.series.push(one);
    groups.set(key, group);
  }
  const drawn = withoutSinglePoints([...groups.values()]).map((group) => ({
    ...group,
    series: group.series.toSorted(bySplit),
  }));
  return drawn.toSorted(by(curveOrder(task), ({ metric }) => metric));
}

/** The charts whose title or lines contain a text, in any case; a blank text fits all. */
export function matchingGroups(groups: readonly SeriesGroup[], search: string): readonly SeriesGroup[] {
  const text = search.trim().toLowerCase();
  return groups.filter(({ title, series }) =>
    [title, ...series.map(({ name }) => name)].some((name) => name.toLowerCase().includes(text)),
  );
}

/** What was measured once, at the end, is a figure of the result and no curve. */
function withoutSinglePoints<Group extends { series: readonly SeriesData[] }>(
  groups: readonly Group[],
): readonly Group[] {
  const curves = groups.filter((group) => group.series.some((one) => one.steps.length > 1));
  return curves.length > 0 ? curves : groups;
}

/** train, val, test, then the others. */
function bySplit(a: SeriesData, b: SeriesData): number {
  const rank = ({ name }: SeriesData) => splitIndex(name) >>> 0;
  return rank(a) - rank(b) || a.name.localeCompare(b.name);
}

const splits = ["train", "val", "test"];

function splitIndex(name: string): number {
  return splits.indexOf(name.split("/")[0] ?? "");
}

/** Which colour of the palette a line has: one colour means the same split in every chart. */
export function colorIndex(name: string, index: number): number {
  const known = splitIndex(name);
  return known < 0 ? splits.length + index : known;
}
