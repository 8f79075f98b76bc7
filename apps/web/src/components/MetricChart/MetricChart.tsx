import { Group, Text, VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import {
  type ChartData,
  type ChartView,
  chartDataOf,
  placesOf,
  plainView,
  spanOfMost,
} from "../../services/chart-data.ts";
import { formatFigure, formatSeconds } from "../../services/format.ts";
import { splitWord } from "../../services/metrics.ts";
import { colorIndex, type SeriesData } from "../../services/series.ts";
import { paletteColor } from "../../theme.ts";
import classes from "./MetricChart.module.css";
import { type AmountAxis, plotOptions, type Range } from "./plot-options.ts";

export interface MetricChartProps {
  readonly title: string;
  readonly axis: string;
  readonly series: readonly SeriesData[];
  readonly view?: ChartView;
  /** When the job started, from which its time counts */
  readonly startMs?: number;
  /** The part of the horizontal axis that is shown; null: all of it */
  readonly range?: Range | null;
  readonly onRange?: (range: Range | null) => void;
  /** Step at which the weights were best; marked */
  readonly best?: number | null;
  readonly syncKey?: string;
  readonly height?: number;
  readonly format?: (value: number) => string;
  /** For amounts, the same object at each drawing; null: the vertical axis spans what is drawn */
  readonly amounts?: AmountAxis | null;
  /** A place of the time axis, in place of the seconds since the start; the same function at each drawing too */
  readonly placeText?: ((seconds: number) => string) | null;
}

interface Pointed {
  readonly index: number;
  readonly left: number;
}

const ignore = () => undefined;

/** Lines over epochs, steps or time that grow while they are watched. */
export function MetricChart(props: MetricChartProps) {
  const {
    title,
    axis,
    series,
    view = plainView,
    startMs = 0,
    range = null,
    height = 220,
    format = formatFigure,
    amounts = null,
    placeText = null,
  } = props;
  const { ref: sizeRef, width } = useElementSize();
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const data = useMemo(() => chartDataOf(series, view, startMs), [series, view, startMs]);
  const best = placeOfBest(props, view, startMs);
  const hostRef = usePlot({
    data,
    width,
    height,
    axis,
    view,
    range,
    best,
    amounts,
    placeText,
    setPointed,
    ...sharing(props),
  });
  return (
    <figure className={classes.figure} ref={sizeRef}>
      <figcaption className={classes.caption}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Legend series={series} format={format} />
      </figcaption>
      <div className={classes.plot}>
        <div ref={hostRef} aria-hidden="true" style={{ minHeight: height }} />
        {pointed && (
          <Tip
            data={data}
            pointed={pointed}
            axis={view.xAxis === "time" ? "time" : axis}
            {...{ width, format, placeText }}
          />
        )}
      </div>
      <VisuallyHidden>
        {series.map(
          (one) =>
            `${title}, ${splitWord(one.name) ?? one.name}: ${one.values.length} points, last ${lastOf(one, format)}. `,
        )}
      </VisuallyHidden>
    </figure>
  );
}

/** The lines with their newest figures */
function Legend({ series, format }: Required<Pick<MetricChartProps, "series" | "format">>) {
  return (
    <Group gap="md">
      {series.map((one, index) => (
        <Group key={one.name} gap={6}>
          <Swatch color={colorIndex(one.name, index)} />
          <Text size="xs" c="dimmed">
            {splitWord(one.name) ?? one.name}
          </Text>
          <Text size="xs" fw={600} className="num">
            {lastOf(one, format)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function sharing({ syncKey = "", onRange = ignore }: MetricChartProps) {
  return { syncKey, onRange };
}

function lastOf({ values }: SeriesData, format: (value: number) => string): string {
  const last = values.at(-1) ?? null;
  return last === null ? formatFigure(null) : format(last);
}

/** On the time axis the best epoch stands where its figure was measured. */
function placeOfBest({ series, best = null }: MetricChartProps, view: ChartView, startMs: number): number | null {
  if (best === null || view.xAxis === "steps") return best;
  for (const one of series) {
    const at = one.steps.indexOf(best);
    if (at >= 0) return placesOf(one, view, startMs)[at] ?? null;
  }
  return null;
}

interface PlotState {
  readonly data: ChartData;
  readonly width: number;
  readonly height: number;
  readonly axis: string;
  readonly view: ChartView;
  readonly range: Range | null;
  readonly best: number | null;
  readonly amounts: AmountAxis | null;
  readonly placeText: ((seconds: number) => string) | null;
  readonly syncKey: string;
  readonly onRange: (range: Range | null) => void;
  readonly setPointed: (pointed: Pointed | null) => void;
}

/** Keeps the plot in an element: drawn anew when its look changes, filled anew when its data or range do. */
function usePlot(state: PlotState) {
  const { data, width, height, axis, view, range, best, amounts, placeText, syncKey } = state;
  const hostRef = useRef<HTMLDivElement>(null);
  const plotRef = useRef<uPlot | null>(null);
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  });
  const look = JSON.stringify(data.lines);
  useEffect(() => {
    const host = hostRef.current;
    if (!host || width === 0) return undefined;
    const options = plotOptions(
      { lines: JSON.parse(look) as ChartData["lines"], view, axis, width, height, syncKey, amounts, placeText },
      {
        range: () => latest.current.range,
        heights: () => spanOfMost(latest.current.data),
        best: () => latest.current.best,
        onRange: (next) => latest.current.onRange(next),
        onPoint: (index, left) => latest.current.setPointed(index === null || left < 0 ? null : { index, left }),
      },
    );
    const plot = new uPlot(options, latest.current.data.columns, host);
    plotRef.current = plot;
    return () => {
      plotRef.current = null;
      plot.destroy();
    };
  }, [look, view, axis, width, height, syncKey, amounts, placeText]);
  // Another range or best place is drawn as other data are: the plot asks for both whenever it is filled.
  const filling = useMemo(() => ({ columns: data.columns, range, best }), [data, range, best]);
  useEffect(() => plotRef.current?.setData(filling.columns), [filling]);
  return hostRef;
}

function Swatch({ color }: { readonly color: number }) {
  return <span className={classes.swatch} style={{ background: paletteColor(color) }} aria-hidden="true" />;
}

interface TipProps {
  readonly data: ChartData;
  readonly pointed: Pointed;
  readonly axis: string;
  readonly width: number;
  readonly format: (value: number) => string;
  readonly placeText: ((seconds: number) => string) | null;
}

/** The figures under the pointer, beside it. */
function Tip({ data: { lines, columns }, pointed: { index, left }, axis, width, format, placeText }: TipProps) {
  const x = columns[0][index];
  if (x === undefined) return null;
  const rows = lines.flatMap(({ label, color, kind }, line) => {
    const value = columns[line + 1]?.[index];
    const word = splitWord(label) ?? label;
    return value == null ? [] : [{ label: kind === "smoothed" ? `${word}, smoothed` : word, color, value }];
  });
  if (rows.length === 0) return null;
  // The plot's own axis lies to the left of where the pointer is counted from.
  const side = left > width / 2 ? { right: width - left - 40 } : { left: left + 66 };
  return (
    <div className={`${classes.tip} num`} style={side} role="tooltip">
      <div>{axis === "time" ? (placeText ?? formatSeconds)(x) : `${axis} ${formatFigure(x)}`}</div>
      {rows.map(({ label, color, value }) => (
        <div key={label} className={classes.row}>
          <Swatch color={color} />
          <span>{label}</span>
          <span>{format(value)}</span>
        </div>
      ))}
    </div>
  );
}
