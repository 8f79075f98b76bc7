import { Group, Text, VisuallyHidden } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatFigure } from "../../services/format.ts";
import { alignSeries, colorIndex, type SeriesData } from "../../services/series.ts";
import { paletteColor } from "../../theme.ts";
import classes from "./LineChart.module.css";

interface LineChartProps {
  readonly title: string;
  readonly axis: string;
  readonly series: readonly SeriesData[];
  readonly height?: number;
}

/** Lines over epochs or steps that grow while they are watched. */
export function LineChart({ title, axis, series, height = 220 }: LineChartProps) {
  const { ref: sizeRef, width } = useElementSize();
  const hostRef = useRef<HTMLDivElement>(null);
  const plotRef = useRef<uPlot | null>(null);
  const data = useMemo(() => alignSeries(series), [series]);
  const latestData = useRef(data);
  useEffect(() => {
    latestData.current = data;
  }, [data]);
  const names = series.map((one) => one.name).join("\n");

  useEffect(() => {
    const host = hostRef.current;
    if (!host || width === 0) return undefined;
    const plot = new uPlot(optionsOf(names.split("\n"), axis, width, height), latestData.current, host);
    plotRef.current = plot;
    return () => {
      plotRef.current = null;
      plot.destroy();
    };
  }, [names, axis, width, height]);

  useEffect(() => plotRef.current?.setData(data), [data]);

  return (
    <figure className={classes.figure} ref={sizeRef}>
      <figcaption className={classes.caption}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        <Group gap="md">
          {series.map((one, index) => (
            <Group key={one.name} gap={6}>
              <span
                className={classes.swatch}
                style={{ background: paletteColor(colorIndex(one.name, index)) }}
                aria-hidden="true"
              />
              <Text size="xs" c="dimmed">
                {one.name}
              </Text>
              <Text size="xs" fw={600} className="num">
                {formatFigure(one.values.at(-1))}
              </Text>
            </Group>
          ))}
        </Group>
      </figcaption>
      <div ref={hostRef} aria-hidden="true" />
      <VisuallyHidden>
        {series.map((one) => `${one.name}: ${one.values.length} points, last ${formatFigure(one.values.at(-1))}. `)}
      </VisuallyHidden>
    </figure>
  );
}

function optionsOf(names: readonly string[], axis: string, width: number, height: number): uPlot.Options {
  const ink = "#868e96";
  const grid = { stroke: "rgba(134, 142, 150, 0.18)", width: 1 };
  const font = "11px system-ui, sans-serif";
  return {
    width,
    height,
    legend: { show: false },
    scales: { x: { time: false } },
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    axes: [
      {
        stroke: ink,
        grid,
        font,
        ticks: { show: false },
        label: axis,
        labelSize: 18,
        labelFont: font,
        size: 26,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000],
      },
      { stroke: ink, grid, font, ticks: { show: false }, size: 48, values: (_plot, ticks) => ticks.map(formatFigure) },
    ],
    series: [
      {},
      ...names.map((label, index) => ({
        label,
        stroke: paletteColor(colorIndex(label, index)),
        width: 1.75,
        spanGaps: true,
        points: { size: 4 },
      })),
    ],
  };
}
