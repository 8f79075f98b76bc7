import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Button, Checkbox, Group, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { type ChartView, plainView } from "../../services/chart-data.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { directionOf, headlineOf, summaryOf } from "../../services/metric-summary.ts";
import { figureName, formatMetric } from "../../services/metrics.ts";
import { groupSeries, matchingGroups } from "../../services/series.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { MetricChart } from "../MetricChart/MetricChart.tsx";
import type { Range } from "../MetricChart/plot-options.ts";
import { Panel } from "../Panel/Panel.tsx";
import { bestOn, NoCurves } from "./OverviewTab.tsx";

export interface TabProps {
  readonly job: JobSnapshot;
}

/** Every curve of a job, looked at alike: one zoom, one pointer and one kind of axes for all. */
export function MetricsTab({ job }: TabProps) {
  const [view, setView] = useState(plainView);
  const [search, setSearch] = useState("");
  // Epochs, steps and seconds are other places: each has its own zoom.
  const [ranges, setRanges] = useState<Readonly<Record<string, Range | null>>>({});
  const groups = matchingGroups(groupSeries(job.series, job.task), search);
  const best = headlineOf(job.series, job.task)?.summary;
  const isZoomed = Object.values(ranges).some((range) => range !== null);
  if (job.series.length === 0) {
    return (
      <Panel title="Metrics">
        <NoCurves isOver={isTerminal(job.state)} />
      </Panel>
    );
  }
  return (
    <>
      <Panel title="Metrics" help="Drag across a chart to zoom all of them. The dashed line marks the best epoch.">
        <ViewControls view={view} onView={setView} search={search} onSearch={setSearch}>
          <Button size="xs" variant="default" disabled={!isZoomed} onClick={() => setRanges({})}>
            Reset zoom
          </Button>
        </ViewControls>
        {groups.length === 0 && (
          <Text size="sm" c="dimmed">
            No metric is called that.
          </Text>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
          {groups.map(({ metric, ...group }) => {
            const place = view.xAxis === "time" ? "time" : group.axis;
            return (
              <MetricChart
                key={`${metric} ${group.axis}`}
                {...group}
                view={view}
                startMs={Date.parse(job.startedAt ?? job.createdAt)}
                range={ranges[place] ?? null}
                onRange={(range) => setRanges((old) => ({ ...old, [place]: range }))}
                best={bestOn(group.axis, best)}
                syncKey={job.id}
                format={(value) => formatMetric(value, metric, job.task)}
              />
            );
          })}
        </SimpleGrid>
      </Panel>
      <FiguresPanel job={job} />
    </>
  );
}

const smoothings = [
  { value: "0", label: "none" },
  { value: "0.6", label: "light" },
  { value: "0.9", label: "medium" },
  { value: "0.97", label: "strong" },
];

interface ViewControlsProps {
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly children: React.ReactNode;
}

function ViewControls({ view, onView, search, onSearch, children }: ViewControlsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label="Filter charts"
        size="xs"
        w={170}
        placeholder="loss, accuracy, …"
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <Select
        label="Smoothing"
        size="xs"
        w={110}
        data={smoothings}
        value={String(view.smoothing)}
        onChange={(value) => onView({ ...view, smoothing: Number(value ?? 0) })}
        allowDeselect={false}
      />
      <Select
        label="Horizontal axis"
        size="xs"
        w={140}
        data={[
          { value: "steps", label: "epochs or steps" },
          { value: "time", label: "time" },
        ]}
        value={view.xAxis}
        onChange={(value) => onView({ ...view, xAxis: value === "time" ? "time" : "steps" })}
        allowDeselect={false}
      />
      <Checkbox
        label="Log scale"
        size="xs"
        pb={6}
        checked={view.yScale === "log"}
        onChange={(event) => onView({ ...view, yScale: event.currentTarget.checked ? "log" : "linear" })}
      />
      <Checkbox
        label="Leave out outliers"
        size="xs"
        pb={6}
        checked={view.leavesOutliers}
        onChange={(event) => onView({ ...view, leavesOutliers: event.currentTarget.checked })}
      />
      {children}
    </Group>
  );
}

/** Best, last, least and most of each curve. */
function FiguresPanel({ job }: TabProps) {
  const rows = job.series.flatMap((series) => {
    const summary = summaryOf(series, directionOf(series.name, job.task));
    return summary ? [summary] : [];
  });
  const show = (name: string, value: number) => formatMetric(value, name.split("/").at(-1) ?? name, job.task);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { head: "Metric", isRowHead: true, cell: ({ name }) => figureName(name, job.task) },
    { head: "Best", align: "right", cell: ({ name, best }) => show(name, best.value) },
    { head: "At", align: "right", cell: ({ axis, best }) => `${axis} ${best.at}` },
    { head: "Last", align: "right", cell: ({ name, last }) => show(name, last.value) },
    { head: "Min", align: "right", cell: ({ name, min }) => show(name, min.value) },
    { head: "Max", align: "right", cell: ({ name, max }) => show(name, max.value) },
  ];
  return (
    <Panel title="Figures">
      <DataTable label="Figures" columns={columns} rows={rows} rowKey={({ name }) => name} minWidth={480} />
    </Panel>
  );
}
