import { formatBytes, formatCompact, formatFigure, formatPercent } from "./format.ts";
import type { SeriesData } from "./series.ts";

/** What a chart of use over time says of its measure. */
interface Measure {
  readonly name: string;
  readonly title: string;
  readonly format: (value: number) => string;
}

const perSecond = (value: number) => `${formatBytes(value)}/s`;

/** In the order of the page; a measure that nobody tells has no chart. */
const measures: readonly Measure[] = [
  { name: "slots", title: "Slots", format: (value) => formatFigure(value) },
  { name: "seedsPerSecond", title: "Seeds per second", format: (value) => formatCompact(value) },
  { name: "cores", title: "Processor, busy cores", format: (value) => formatFigure(value) },
  { name: "memoryBytes", title: "Memory", format: (value) => formatBytes(value) },
  { name: "storageBytesPerSecond", title: "Storage, read and written", format: perSecond },
  { name: "diskBytes", title: "Free disk", format: (value) => formatBytes(value) },
  { name: "networkBytesPerSecond", title: "Network of the host", format: perSecond },
  { name: "utilization", title: "GPU, busy", format: (value) => formatPercent(value) },
  { name: "deviceMemoryBytes", title: "GPU memory", format: (value) => formatBytes(value) },
];

export interface UsageChart extends Measure {
  /** A line for each process or device, named after it */
  readonly series: readonly SeriesData[];
}

/** The charts that series such as `rank 0/cores` make: one for each measure, a line for each that has it. */
export function usageCharts(series: readonly SeriesData[]): readonly UsageChart[] {
  return measures.flatMap((measure) => {
    const lines = series.flatMap((one) => {
      const cut = one.name.lastIndexOf("/");
      return one.name.slice(cut + 1) === measure.name ? [{ ...one, name: one.name.slice(0, cut) }] : [];
    });
    return lines.length > 0 ? [{ ...measure, series: lines }] : [];
  });
}
