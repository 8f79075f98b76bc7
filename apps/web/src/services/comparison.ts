import type { comparedJobQuery } from "./documents/compared-jobs.ts";
import type { ResultOf } from "./graphql.ts";
import { metricOf } from "./metrics.ts";
import { runColor } from "./run-color.ts";
import type { SeriesData } from "./series.ts";

type QueriedJob = NonNullable<ResultOf<typeof comparedJobQuery>["job"]>;
/** A job with what it is compared by. */
export type ComparedJob = Omit<QueriedJob, "series"> & { readonly series: readonly SeriesData[] };

/** More than these no page of curves tells apart. */
export const mostCompared = 100;

/** The jobs that an address names, each once. */
export function namedJobs(text: unknown): readonly string[] {
  if (typeof text !== "string") return [];
  return [...new Set(text.split(",").filter((id) => /^[\w-]{1,80}$/.test(id)))].slice(0, mostCompared);
}

/** Runs that are compared as one: alike but for their seeds, or a single one. */
export interface RunGroup {
  readonly id: string;
  readonly name: string;
  readonly jobs: readonly ComparedJob[];
  /** Which colour of the palette it has: that of its first run, on every page */
  readonly color: number;
  /** How many groups of this colour come before it: dashes tell them apart */
  readonly dash: number;
}

/** @param bySeed whether runs that differ in their seeds alone are one group */
export function groupsOf(jobs: readonly ComparedJob[], bySeed: boolean): readonly RunGroup[] {
  const groups = new Map<string, ComparedJob[]>();
  for (const job of jobs) {
    const key = bySeed ? JSON.stringify(withoutSeeds(parametersOf(job.spec))) : job.id;
    groups.set(key, [...(groups.get(key) ?? []), job]);
  }
  const used = new Map<number, number>();
  return [...groups.values()].map((members) => {
    const [first] = members as [ComparedJob, ...ComparedJob[]];
    const name = first.name || first.id;
    const color = runColor(first.id);
    const dash = used.get(color) ?? 0;
    used.set(color, dash + 1);
    const title = members.length > 1 ? `${name} (${members.length} runs)` : name;
    return { id: first.id, jobs: members, color, dash, name: title };
  });
}

/** The settings of a job by their places, such as `train.epochs`; lists are one value. */
export function parametersOf(spec: unknown): ReadonlyMap<string, unknown> {
  return new Map(leaves(spec, "").filter(([path]) => !labels.has(path.split(".")[0] ?? "")));
}

/** What names a job and ranks it in the queue says nothing of what it computes. */
const labels: ReadonlySet<string> = new Set(["name", "tags", "priority", "project", "version", "kind"]);

function leaves(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, child]) => leaves(child, path === "" ? name : `${path}.${name}`));
}

function withoutSeeds(parameters: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...parameters].filter(([path]) => !/(^|\.)seed$/i.test(path)).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A setting with its value in each group; a group whose runs have several lists them all. */
export interface ParameterRow {
  readonly path: string;
  readonly values: readonly (readonly unknown[])[];
  /** Whether some group has it otherwise than another */
  readonly differs: boolean;
}

export function parameterRows(groups: readonly RunGroup[]): readonly ParameterRow[] {
  const byGroup = groups.map(({ jobs }) => jobs.map(({ spec }) => parametersOf(spec)));
  const paths = [...new Set(byGroup.flat().flatMap((parameters) => [...parameters.keys()]))];
  return paths.map((path) => {
    const values = byGroup.map((jobs) => unique(jobs.map((parameters) => parameters.get(path))));
    return { path, values, differs: unique(values).length > 1 };
  });
}

function unique(values: readonly unknown[]): readonly unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value ?? null), value])).values()];
}

export interface Spread {
  readonly mean: number;
  /** Sample standard deviation, n − 1 in the divisor; null for a single value */
  readonly deviation: number | null;
  readonly count: number;
}

/** @returns null when there is no value */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  const count = known.length;
  if (count === 0) return null;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  if (count === 1) return { mean, deviation: null, count };
  const squares = known.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (count - 1)), count };
}

/** A final metric with its spread in each group. */
export interface MetricRow {
  readonly name: string;
  readonly spreads: readonly (Spread | null)[];
}

export function metricRows(groups: readonly RunGroup[]): readonly MetricRow[] {
  const names = groups.flatMap(({ jobs }) => jobs.flatMap(({ model }) => Object.keys(recordOf(model?.metrics))));
  const place = (name: string) => ["test", "val", "train"].indexOf(name.split("/")[0] ?? "") >>> 0;
  return [...new Set(names)]
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((name) => ({
      name,
      spreads: groups.map(({ jobs }) => spreadOf(jobs.map(({ model }) => metricOf(model?.metrics, name)))),
    }));
}

function recordOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** A curve of a group: the mean of its runs where they have a point, and how far they lie apart. */
export interface GroupCurve {
  readonly group: RunGroup;
  readonly steps: readonly number[];
  readonly spreads: readonly Spread[];
}

export function groupCurves(groups: readonly RunGroup[], metric: string): readonly GroupCurve[] {
  return groups.flatMap((group): GroupCurve[] => {
    const values = new Map<number, (number | null)[]>();
    for (const { series } of group.jobs) {
      const found = series.find(({ name }) => name === metric);
      for (const [i, step] of found?.steps.entries() ?? []) {
        values.set(step, [...(values.get(step) ?? []), found?.values[i] ?? null]);
      }
    }
    const points = [...values]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([step, at]): [number, Spread][] => {
        const spread = spreadOf(at);
        return spread ? [[step, spread]] : [];
      });
    return points.length === 0
      ? []
      : [{ group, steps: points.map(([step]) => step), spreads: points.map(([, spread]) => spread) }];
  });
}

/** Names of the curves that any of the jobs has, those of validation nodes first. */
export function curveNames(jobs: readonly ComparedJob[]): readonly string[] {
  const place = (name: string) => ["val", "train", "test"].indexOf(name.split("/")[0] ?? "") >>> 0;
  const names = new Set(
    jobs.flatMap(({ series }) => series.filter(({ steps }) => steps.length > 1)).map(({ name }) => name),
  );
  return [...names].toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}
