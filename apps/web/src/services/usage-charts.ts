import { formatBytes, formatCompact, formatFigure, formatPercent } from "./format.ts";
import type { SeriesData } from "./series.ts";

/** What a chart of use over time says of its measure. */
interface Measure {
  readonly name: string;
  readonly title: string;
  readonly format: (value: number) => string;
  /** How its axis is written; the same object at each drawing */
  readonly amounts: { readonly format: (value: number) => string; readonly increments: readonly number[] | null };
}

const perSecond = (value: number) => `${formatBytes(value)}/s`;

/** Units of bytes are powers of two, and so are round figures of them. */
const powersOfTwo = Array.from({ length: 50 }, (_, exponent) => 2 ** exponent);

function measure(name: string, title: string, format: Measure["format"]): Measure {
  return { name, title, format, amounts: { format, increments: /bytes/i.test(name) ? powersOfTwo : null } };
}

/** In the order of the page; a measure that nobody tells has no chart. */
const measures: readonly Measure[] = [
  measure("slots", "Slots", formatFigure),
  measure("seedsPerSecond", "Seeds per second", formatCompact),
  measure("cores", "Processor, busy cores", formatFigure),
  measure("memoryBytes", "Memory", formatBytes),
  measure("storageBytesPerSecond", "Storage, read and written", perSecond),
  measure("diskBytes", "Free disk", formatBytes),
  measure("networkBytesPerSecond", "Network of the host", perSecond),
  measure("utilization", "GPU, busy", (value) => formatPercent(value)),
  measure("deviceMemoryBytes", "GPU memory", formatBytes),
  measure("watts", "GPU power", (value) => `${formatFigure(value)} W`),
];

export interface UsageChart extends Measure {
  /** A line for each process or device, named after it */
  readonly series: readonly SeriesData[];
}

/** The charts that series such as `rank 0/cores` make: one for each measure, a line for each that has it. */
export function usageCharts(series: readonly SeriesData[]): readonly UsageChart[] {
  return measures.flatMap((chart) => {
    const lines = series.flatMap((one) => {
      const cut = one.name.lastIndexOf("/");
      return one.name.slice(cut + 1) === chart.name ? [{ ...one, name: one.name.slice(0, cut) }] : [];
    });
    return lines.length > 0 ? [{ ...chart, series: lines }] : [];
  });
}
