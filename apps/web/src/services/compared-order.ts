import { type GroupCurve, groupCurves, type ParameterRow, type RunGroup } from "./comparison.ts";
import { directionOf } from "./metric-summary.ts";
import { smoothed } from "./smoothing.ts";
import { valueText } from "./spec-difference.ts";

/** How much the past counts where curves are compared by where they end */
const weight = 0.6;

/** Where a curve ends once it is smoothed, so that one lucky epoch decides nothing. */
export function smoothedEnd({ spreads }: Pick<GroupCurve, "spreads">): number | null {
  return (
    smoothed(
      spreads.map(({ mean }) => mean),
      weight,
    ).at(-1) ?? null
  );
}

/** Runs by the smoothed end of a curve, the best first; those without it last, in the order in which they came. */
export function bySmoothedEnd(groups: readonly RunGroup[], metric: string): readonly RunGroup[] {
  const task = groups.flatMap(({ jobs }) => jobs).find((job) => job.task !== null)?.task ?? null;
  const sign = directionOf(metric, task) === "max" ? -1 : 1;
  const ends = new Map(groupCurves(groups, metric).map((curve) => [curve.group.id, smoothedEnd(curve)]));
  const keyOf = ({ id }: RunGroup) => {
    const end = ends.get(id) ?? null;
    return end === null ? Number.POSITIVE_INFINITY : sign * end;
  };
  return groups.toSorted((a, b) => (keyOf(a) === keyOf(b) ? 0 : keyOf(a) - keyOf(b)));
}

/** So many settings fit into the line below a run's name. */
const mostSettings = 4;

/** The settings by which runs differ, of each in one line: `learningRate 0.01 · layers 2`. */
export function settingsOf(groups: readonly RunGroup[], rows: readonly ParameterRow[]): ReadonlyMap<string, string> {
  const differing = rows.filter(({ differs }) => differs);
  const lineOf = (index: number) => {
    const texts = differing.slice(0, mostSettings).map(({ path, values }) => {
      return `${path.split(".").at(-1)} ${(values[index] ?? []).map(valueText).join(", ")}`;
    });
    return [...texts, ...(differing.length > mostSettings ? ["…"] : [])].join(" · ");
  };
  return new Map(groups.map(({ id }, index) => [id, lineOf(index)]));
}
