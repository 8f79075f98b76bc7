import { Text, VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { GroupCurve } from "../../services/comparison.ts";
import { formatFigure } from "../../services/format.ts";
import { dashOf } from "../../services/run-color.ts";
import { chartFont, paletteColor } from "../../theme.ts";
import classes from "../MetricChart/MetricChart.module.css";
import { RunSwatch } from "../RunSwatch/RunSwatch.tsx";

interface CompareCurvesProps {
  readonly title: string;
  readonly curves: readonly GroupCurve[];
  /** By what each group differs from the others, in a line */
  readonly settings: ReadonlyMap<string, string>;
  readonly format: (value: number) => string;
}

const height = 320;

/** One metric of several runs: a line each; for groups of seeds their mean, with a band of a deviation up and down. */
export function CompareCurves({ title, curves, settings, format }: CompareCurvesProps) {
  const { ref: sizeRef, width } = useElementSize();
  const hostRef = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    const host = hostRef.current;
    if (!host || width === 0 || curves.length === 0) return undefined;
    const plot = new uPlot(optionsOf(curves, width, setIndex), columnsOf(curves), host);
    return () => plot.destroy();
  }, [curves, width]);
  const xs = stepsOf(curves);
  const x = index === null ? undefined : xs[index];
  return (
    <figure className={classes.figure} ref={sizeRef} aria-label={title}>
      <div className={classes.plot} style={{ minHeight: height }}>
        <div ref={hostRef} aria-hidden="true" />
        {x !== undefined && <Values x={x} curves={curves} settings={settings} format={format} />}
      </div>
      <VisuallyHidden>
        {curves.map(({ group, steps, spreads }) => {
          const last = spreads.at(-1);
          return `${group.name}: ${steps.length} points, last ${last ? formatFigure(last.mean) : "none"}. `;
        })}
      </VisuallyHidden>
    </figure>
  );
}

interface ValuesProps extends Pick<CompareCurvesProps, "curves" | "settings" | "format"> {
  readonly x: number;
}

/** More runs than these would cover the chart: those that are nearest to the top are named. */
const mostNamed = 12;

function Values({ x, curves, settings, format }: ValuesProps) {
  const rows = curves.flatMap(({ group, steps, spreads }) => {
    const spread = spreads[steps.indexOf(x)];
    return spread ? [{ group, spread }] : [];
  });
  const named = rows.toSorted((a, b) => b.spread.mean - a.spread.mean).slice(0, mostNamed);
  return (
    <div className={`${classes.tip} num`} style={{ right: 8 }} role="tooltip">
      <div>at {formatFigure(x)}</div>
      {named.map(({ group, spread: { mean, deviation } }) => (
        <div key={group.id} className={classes.row}>
          <RunSwatch id={group.id} dash={group.dash} />
          <span style={{ maxWidth: 260, overflow: "hidden" }}>
            <div className="clip">{group.name}</div>
            {settings.get(group.id) && <div className={`clip ${classes.settings}`}>{settings.get(group.id)}</div>}
          </span>
          <span>{deviation === null ? format(mean) : `${format(mean)} ± ${format(deviation)}`}</span>
        </div>
      ))}
      {rows.length > named.length && (
        <Text size="xs" c="dimmed">
          and {rows.length - named.length} more
        </Text>
      )}
    </div>
  );
}

function stepsOf(curves: readonly GroupCurve[]): number[] {
  return [...new Set(curves.flatMap(({ steps }) => steps))].toSorted((a, b) => a - b);
}

/** [steps, then of each curve its mean, its upper and its lower edge] */
function columnsOf(curves: readonly GroupCurve[]): uPlot.AlignedData {
  const xs = stepsOf(curves);
  const rows = new Map(xs.map((step, row) => [step, row]));
  const columns = curves.flatMap(({ steps, spreads }) => {
    const empty = () => Array.from<number | null>({ length: xs.length }).fill(null);
    const [means, upper, lower] = [empty(), empty(), empty()];
    for (const [i, step] of steps.entries()) {
      const { mean, deviation } = spreads[i] ?? { mean: null, deviation: null };
      const row = rows.get(step) ?? 0;
      means[row] = mean;
      upper[row] = mean === null || deviation === null ? mean : mean + deviation;
      lower[row] = mean === null || deviation === null ? mean : mean - deviation;
    }
    return [means, upper, lower];
  });
  return [xs, ...columns];
}

function optionsOf(
  curves: readonly GroupCurve[],
  width: number,
  onIndex: (index: number | null) => void,
): uPlot.Options {
  const ink = "#868e96";
  const font = chartFont;
  const axis = { stroke: ink, font, grid: { stroke: "rgba(134, 142, 150, 0.18)", width: 1 }, ticks: { show: false } };
  const edge = { width: 0, spanGaps: true, points: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    scales: { x: { time: false } },
    cursor: { points: { size: 6 } },
    hooks: { setCursor: [({ cursor }) => onIndex((cursor.left ?? -1) < 0 ? null : (cursor.idx ?? null))] },
    axes: [
      { ...axis, size: 26 },
      { ...axis, size: 52, values: (_plot, ticks) => ticks.map((tick) => formatFigure(tick)) },
    ],
    series: [
      {},
      ...curves.flatMap(({ group }) => [
        {
          label: group.name,
          stroke: paletteColor(group.color),
          dash: [...dashOf(group.dash)],
          width: 1.75,
          spanGaps: true,
          points: { size: 4 },
        },
        edge,
        edge,
      ]),
    ],
    bands: curves.flatMap(({ group, spreads }, i) =>
      spreads.some(({ deviation }) => deviation !== null)
        ? [{ series: [3 * i + 2, 3 * i + 3] as [number, number], fill: `${paletteColor(group.color)}33` }]
        : [],
    ),
  };
}
