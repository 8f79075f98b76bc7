import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { GroupCurve, MetricRow, ParameterRow, RunGroup, Spread } from "../../services/comparison.ts";
import { figureName, formatMetric, type Judged } from "../../services/metrics.ts";
import { valueText } from "../../services/spec-difference.ts";
import { RunSwatch } from "../RunSwatch/RunSwatch.tsx";
import { Sparkline } from "../Sparkline/Sparkline.tsx";
import classes from "./CompareTable.module.css";

interface CompareTableProps {
  readonly groups: readonly RunGroup[];
  readonly metrics: readonly MetricRow[];
  readonly parameters: readonly ParameterRow[];
  /** Runs as rows in place of columns */
  readonly isTransposed: boolean;
  /** The curve that is drawn small; null: there is none. */
  readonly curve: { readonly title: string; readonly curves: readonly GroupCurve[] } | null;
  /** The run that the address points at */
  readonly at: string | undefined;
}

/** A figure, setting or curve with what stands for it in each group. */
interface Line {
  readonly title: string;
  readonly cells: readonly ReactNode[];
  readonly differs: boolean;
}

/** What runs came to and how they were set, a column for each run or a row. */
export function CompareTable({ groups, metrics, parameters, curve, isTransposed, at }: CompareTableProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (at === undefined) return;
    boxRef.current?.querySelector('[data-at="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [at]);
  const lines: readonly Line[] = [
    ...metrics.map(({ name, spreads }) => metricLine(name, spreads, groups)),
    ...(curve ? [curveLine(curve, groups)] : []),
    ...parameters.map(({ path, values, differs }) => {
      return { title: path, differs, cells: values.map((each) => each.map(valueText).join(", ")) };
    }),
  ];
  return (
    <div className={classes.box} ref={boxRef}>
      <table className={`${classes.table} num`} aria-label="Comparison">
        {isTransposed ? (
          <ByRow groups={groups} lines={lines} at={at} />
        ) : (
          <ByColumn groups={groups} lines={lines} at={at} />
        )}
      </table>
    </div>
  );
}

function metricLine(name: string, spreads: readonly (Spread | null)[], groups: readonly RunGroup[]): Line {
  const task = groups.find(({ jobs }) => jobs[0]?.task)?.jobs[0]?.task ?? null;
  return {
    title: figureName(name, task),
    differs: false,
    cells: spreads.map((spread) => spreadText(spread, name, task)),
  };
}

function curveLine({ title, curves }: NonNullable<CompareTableProps["curve"]>, groups: readonly RunGroup[]): Line {
  const values = new Map(curves.map(({ group, spreads }) => [group.id, spreads.map(({ mean }) => mean)]));
  const all = [...values.values()].flat();
  const range = [Math.min(...all), Math.max(...all)] as const;
  return {
    title: `${title}, over epochs`,
    differs: false,
    cells: groups.map(({ id, color, name }) => {
      const curve = values.get(id);
      return curve ? (
        <Sparkline key={id} values={curve} range={range} color={color} label={`${title} of ${name}`} />
      ) : (
        "–"
      );
    }),
  };
}

/** 0.8123 ± 0.0041 */
function spreadText(spread: Spread | null, name: string, task: Judged): string {
  if (!spread) return "–";
  const show = (value: number) => formatMetric(value, name.split("/").at(-1) ?? name, task);
  return spread.deviation === null ? show(spread.mean) : `${show(spread.mean)} ± ${show(spread.deviation)}`;
}

interface BodyProps {
  readonly groups: readonly RunGroup[];
  readonly lines: readonly Line[];
  readonly at: string | undefined;
}

function ByColumn({ groups, lines, at }: BodyProps) {
  return (
    <>
      <thead>
        <tr>
          <th>Run</th>
          {groups.map((group) => (
            <th key={group.id} scope="col" data-at={isAt(group, at)}>
              <div className={classes.resizable}>
                <RunName group={group} />
              </div>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ title, cells, differs }) => (
          <tr key={title}>
            <th scope="row" title={title}>
              {title}
            </th>
            {groups.map(({ id }, i) => (
              <td key={id} data-differs={differs}>
                {cells[i]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function ByRow({ groups, lines, at }: BodyProps) {
  return (
    <>
      <thead>
        <tr>
          <th>Run</th>
          {lines.map(({ title }) => (
            <th key={title} scope="col" title={title}>
              <div className={classes.resizable}>{title}</div>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group, i) => (
          <tr key={group.id}>
            <th scope="row" data-at={isAt(group, at)}>
              <RunName group={group} />
            </th>
            {lines.map(({ title, cells, differs }) => (
              <td key={title} data-differs={differs}>
                {cells[i]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </>
  );
}

function isAt({ jobs }: RunGroup, at: string | undefined): boolean {
  return jobs.some(({ id }) => id === at);
}

function RunName({ group: { id, name, dash } }: { readonly group: RunGroup }): ReactNode {
  return (
    <>
      <RunSwatch id={id} dash={dash} />
      <Link to="/jobs/$jobId" params={{ jobId: id }} title={name} style={{ color: "inherit" }}>
        {name}
      </Link>
    </>
  );
}
