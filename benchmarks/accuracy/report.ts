import { describeAim, judge, spreadOf, type Verdict } from "./judge.ts";
import type { Row } from "./row.ts";
import type { Run } from "./run-row.ts";

/** A row with its runs, one per seed; `untaught` where it is compared with what is told without learning. */
export interface Measured {
  readonly row: Row;
  readonly runs: readonly Run[];
  readonly untaught: Untaught | null;
}

/** A baseline that is no row, and its metric on the same data */
export interface Untaught {
  readonly name: string;
  readonly share: number;
}

export interface Judged extends Measured {
  readonly mean: number;
  readonly std: number;
  /** null: a baseline */
  readonly verdict: Verdict | null;
}

/** A row, and beside it the one by another metric of its trainings, where it has one. */
export function alsoMeasured(asked: Measured): readonly Measured[] {
  const measured = asked.row.judgedBy === "meanCurve" ? atBestEpoch(asked) : asked;
  const { row, runs } = measured;
  if (!row.also) return [measured];
  const { metric, aim } = row.also;
  const shares = runs.map((run) => ({ ...run, test: run.metrics[`test/${metric}`] ?? Number.NaN, val: null }));
  return [measured, { row: { ...row, name: `${row.name}-${metric}`, metric, aim }, runs: shares, untaught: null }];
}

/**
 * All runs after the one epoch in which the mean of what they hold out is best: the protocol of ten folds in Xu et al.
 * 2019 (arXiv:1810.00826), section 7.
 */
export function atBestEpoch({ runs, ...measured }: Measured): Measured {
  const curves = runs.map(({ curve = [] }) => curve);
  const count = Math.min(...curves.map(({ length }) => length));
  const means = Array.from(
    { length: count },
    (_, epoch) => spreadOf(curves.map((curve) => curve[epoch] as number)).mean,
  );
  const best = means.indexOf(Math.max(...means));
  const judged = runs.map((run, i) => ({ ...run, test: curves[i]?.[best] ?? Number.NaN, epochs: best + 1 }));
  return { ...measured, runs: judged };
}

/** Holds every row to its aim; rows that others are compared with are among them. */
export function judgeAll(measured: readonly Measured[]): readonly Judged[] {
  const means = new Map(measured.map(({ row, runs }) => [row.name, spreadOf(runs.map(({ test }) => test)).mean]));
  return measured.map((each) => {
    const meanOf = (name: string) =>
      (name === each.untaught?.name ? each.untaught.share : means.get(name)) ?? Number.NaN;
    const spread = spreadOf(each.runs.map(({ test }) => test));
    return { ...each, ...spread, verdict: each.row.aim && judge(spread.mean, each.row.aim, meanOf) };
  });
}

export const percent = (share: number) => Number((100 * share).toFixed(2));

export function lineOf({ row, mean, std, runs, verdict }: Judged): string {
  const figure = `${row.name}: ${percent(mean)} ± ${percent(std)} over ${runs.length} seeds`;
  if (!row.aim || !verdict) return `${figure}${valOf(runs)}; no aim`;
  const outcome = `${verdict.reached ? "reached by" : "MISSED by"} ${Math.abs(verdict.margin).toFixed(2)} points`;
  return `${figure}; ${describeAim(row.aim)}: ${outcome}`;
}

function valOf(runs: readonly Run[]): string {
  const vals = runs.flatMap(({ val }) => (val === null ? [] : [val]));
  return vals.length > 0 ? `, validation ${percent(spreadOf(vals).mean)}` : "";
}

/** What the details hold of a row: metrics in percent, margins in points */
export function detailsOf({ row, runs, mean, std, verdict, untaught }: Judged): object {
  const vals = runs.flatMap(({ val }) => (val === null ? [] : [val]));
  const meanOf = (numbers: readonly number[]) => spreadOf(numbers).mean;
  const metrics = Object.keys(runs[0]?.metrics ?? {}).map((name) => {
    const values = runs.flatMap((run) => run.metrics[name] ?? []);
    return [name, Number(meanOf(values).toFixed(4))] as const;
  });
  return {
    metric: row.metric,
    mean: percent(mean),
    std: percent(std),
    runs: runs.map(({ test }) => percent(test)),
    aim: row.aim ? describeAim(row.aim) : "a baseline",
    ...(verdict && {
      needed: percent(verdict.aim),
      margin: Number(verdict.margin.toFixed(2)),
      reached: verdict.reached,
    }),
    ...(untaught && { [untaught.name]: percent(untaught.share) }),
    val: vals.length > 0 ? percent(meanOf(vals)) : null,
    epochs: runs.map(({ epochs }) => epochs),
    cpuSecondsPerRun: Number(meanOf(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)),
    testMetrics: Object.fromEntries(metrics),
  };
}
