import { SimpleGrid } from "@mantine/core";
import { useMemo } from "react";
import { plainView } from "../../services/chart-data.ts";
import { formatWeekTime } from "../../services/format.ts";
import type { SeriesData } from "../../services/series.ts";
import { usageCharts } from "../../services/usage-charts.ts";
import { MetricChart } from "../MetricChart/MetricChart.tsx";

interface UsageChartsProps {
  readonly series: readonly SeriesData[];
  /** From when time counts, in milliseconds since 1970 */
  readonly startMs: number;
  readonly syncKey: string;
  /** Time of the day in place of time since the start */
  readonly isClock?: boolean;
}

const overTime = { ...plainView, xAxis: "time" } as const;

/** What was used over time: a chart for each measure, a line for each process, under one pointer. */
export function UsageCharts({ series, startMs, syncKey, isClock = false }: UsageChartsProps) {
  const placeText = useMemo(
    () => (isClock ? (seconds: number) => formatWeekTime(startMs + 1000 * seconds) : null),
    [isClock, startMs],
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
      {usageCharts(series).map(({ name, ...chart }) => (
        <MetricChart
          key={name}
          {...chart}
          axis="time"
          view={overTime}
          startMs={startMs}
          placeText={placeText}
          syncKey={syncKey}
          height={160}
        />
      ))}
    </SimpleGrid>
  );
}
