import { describeAim, judge, spreadOf, type Verdict } from "./judge.ts";
import { frequency, type Row } from "./row.ts";
import type { Run } from "./run-row.ts";

/** A row with its runs, one per seed; `frequency` where it is compared with the most frequent labels. */
export interface Measured {
  readonly row: Row;
  readonly runs: readonly Run[];
  readonly frequency: number | null;
}

export interface Judged extends Measured {
  readonly mean: number;
  readonly std: number;
  /** null: a baseline */
  readonly verdict: Verdict | null;
}

/** Holds every row to its aim; rows that others are compared with are among them. */
export function judgeAll(measured: readonly Measured[]): readonly Judged[] {
  const means = new Map(measured.map(({ row, runs }) => [row.name, spreadOf(runs.map(({ test }) => test)).mean]));
  return measured.map((each) => {
    const meanOf = (name: string) => (name === frequency ? each.frequency : means.get(name)) ?? Number.NaN;
    const spread = spreadOf(each.runs.map(({ test }) => test));
    return { ...each, ...spread, verdict: each.row.aim && judge(spread.mean, each.row.aim, meanOf) };
  });
}

export const percent = (share: number) => Number((100 * share).toFixed(2));

export function lineOf({ row, mean, std, runs, verdict }: Judged): string {
  const figure = `${row.name}: ${percent(mean)} ± ${percent(std)} over ${runs.length} seeds`;
  if (!row.aim || !verdict) return `${figure}; a baseline`;
  const outcome = `${verdict.reached ? "reached by" : "MISSED by"} ${Math.abs(verdict.margin).toFixed(2)} points`;
  return `${figure}; ${describeAim(row.aim)}: ${outcome}`;
}

/** What the details hold of a row: metrics in percent, margins in points */
export function detailsOf({ row, runs, mean, std, verdict, frequency: baseline }: Judged): object {
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
    ...(baseline !== null && { frequency: percent(baseline) }),
    val: vals.length > 0 ? percent(meanOf(vals)) : null,
    epochs: runs.map(({ epochs }) => epochs),
    cpuSecondsPerRun: Number(meanOf(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(1)),
    testMetrics: Object.fromEntries(metrics),
  };
}
