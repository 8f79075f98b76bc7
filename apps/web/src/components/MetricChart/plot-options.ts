import uPlot from "uplot";
import { type ChartLine, type ChartView, spanOfOne } from "../../services/chart-data.ts";
import { formatFigure, formatSeconds } from "../../services/format.ts";
import { chartFont, paletteColor } from "../../theme.ts";

export type Range = readonly [number, number];

/** What the chart and its plot tell each other while it is drawn. */
export interface PlotLink {
  /** The part of the horizontal axis that is shown; null: all of it */
  readonly range: () => Range | null;
  /** What the vertical axis spans where outliers are left out; null: all values */
  readonly heights: () => Range | null;
  /** Where the best weights stand on the horizontal axis */
  readonly best: () => number | null;
  readonly onRange: (range: Range | null) => void;
  /** The column under the pointer, of this chart or another one of the page */
  readonly onPoint: (index: number | null, left: number) => void;
}

/** A vertical axis of amounts: it begins at 0 and has room for their units. */
export interface AmountAxis {
  readonly format: (value: number) => string;
  /** How far its figures may stand apart; null: as those of other axes */
  readonly increments: readonly number[] | null;
}

export interface PlotLook {
  readonly lines: readonly ChartLine[];
  readonly view: ChartView;
  readonly axis: string;
  readonly width: number;
  readonly height: number;
  /** Charts of one key move their pointers together. */
  readonly syncKey: string;
  /** null: the vertical axis spans what is drawn */
  readonly amounts: AmountAxis | null;
  /** A place of the time axis; null: seconds since the start */
  readonly placeText: ((seconds: number) => string) | null;
}

const ink = "#868e96";
const grid = { stroke: "rgba(134, 142, 150, 0.18)", width: 1 };
const font = chartFont;
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000];

// uPlot declares its kinds of scales as an enum that has no value at run time: 3 is the logarithmic one.
const logarithmic: object = { distr: 3 };

/** How a chart of curves is drawn, and what a drag, a double click and the pointer do. */
export function plotOptions(look: PlotLook, link: PlotLink): uPlot.Options {
  const { lines, view, axis, width, height, syncKey, amounts, placeText } = look;
  const isTime = view.xAxis === "time";
  const axisLook = { stroke: ink, grid, font, ticks: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    scales: {
      x: { time: false, range: (_plot, min, max) => [...(link.range() ?? wide(min, max))] },
      y: {
        ...(view.yScale === "log" ? logarithmic : { range: (_plot, min, max) => aroundAll(min, max) }),
        ...(amounts && { range: (_plot, _min, max) => [0, max > 0 ? 1.08 * max : 1] }),
        ...(view.leavesOutliers && { range: (_plot, min, max) => [...(link.heights() ?? wide(min, max))] }),
      },
    },
    cursor: {
      points: { size: 7 },
      sync: { key: `${syncKey} ${isTime ? "time" : axis}`, scales: ["x", null] },
      drag: { x: true, y: false, setScale: false },
      bind: {
        dblclick: () => () => {
          link.onRange(null);
          return null;
        },
      },
    },
    hooks: {
      setSelect: [(plot) => zoomTo(plot, link)],
      setCursor: [({ cursor }) => link.onPoint(cursor.idx ?? null, cursor.left ?? -1)],
      draw: [(plot) => drawBest(plot, link.best())],
    },
    axes: [
      {
        ...axisLook,
        label: isTime ? timeLabel(placeText) : axis,
        labelSize: 18,
        labelFont: font,
        size: 26,
        ...(isTime
          ? { values: (_plot, ticks) => ticks.map(placeText ?? formatSeconds), space: 70 }
          : { incrs: wholeSteps }),
      },
      {
        ...axisLook,
        size: amounts ? 76 : 52,
        ...(amounts?.increments && { incrs: [...amounts.increments] }),
        values: (_plot, ticks) =>
          ticks.map((value) => (value === null ? "" : (amounts?.format ?? formatFigure)(value))),
      },
    ],
    series: [{}, ...lines.map(lookOf)],
  };
}

function timeLabel(placeText: PlotLook["placeText"]): string {
  return placeText === null ? "time since the start" : "time";
}

function lookOf({ label, color, kind }: ChartLine): uPlot.Series {
  const stroke = paletteColor(color);
  if (kind === "dot") return { label, stroke, fill: stroke, width: 0, points: { show: true, size: 9, fill: stroke } };
  if (kind === "raw") return { label, stroke: `${stroke}55`, width: 1.25, spanGaps: true, points: { show: false } };
  return { label, stroke, width: 1.75, spanGaps: true, points: { size: 4 } };
}

/** uPlot's own choice, but for values that are all one; null where nothing is drawn. */
function aroundAll(min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null) return [null, null];
  return min === max ? spanOfOne(min) : uPlot.rangeNum(min, max, 0.1, true);
}

/** A single point has room on both sides. */
function wide(min: number, max: number): Range {
  return min === max ? [min - 1, max + 1] : [min, max];
}

function zoomTo(plot: uPlot, link: PlotLink): void {
  const { left, width } = plot.select;
  if (width < 4) return;
  const range: Range = [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")];
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  link.onRange(range);
}

/** A dashed line where the weights were best. */
function drawBest(plot: uPlot, best: number | null): void {
  const { min, max } = plot.scales["x"] ?? {};
  if (best === null || min == null || max == null || best < min || best > max) return;
  const x = Math.round(plot.valToPos(best, "x", true));
  const { top, height } = plot.bbox;
  const { ctx } = plot;
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.lineWidth = uPlot.pxRatio;
  ctx.setLineDash([4 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.restore();
}
