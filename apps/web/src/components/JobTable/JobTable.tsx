import { Anchor, Group, Progress, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ListedJob } from "../../hooks/use-jobs.ts";
import { useNow } from "../../hooks/use-now.ts";
import { absent, formatAgo, formatSeconds, secondsBetween } from "../../services/format.ts";
import { chiefResult, mixedResults, resultHeading } from "../../services/metrics.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

interface JobTableProps {
  readonly jobs: readonly ListedJob[];
  /** Whether one of them runs, so that durations advance. */
  readonly isMoving: boolean;
}

/** Jobs, one a row: what each does or what came of it. */
export function JobTable({ jobs, isMoving }: JobTableProps) {
  const now = useNow(true, isMoving ? 1000 : 30_000);
  const heading = resultHeading(jobs.map(({ model, task }) => chiefResult(model?.metrics, task)));
  return (
    <DataTable
      label="Jobs"
      columns={columnsFor(heading, now)}
      rows={jobs}
      rowKey={(job) => job.id}
      minWidth={720}
      spacing="list"
      highlightOnHover
    />
  );
}

function columnsFor(heading: string, now: number): readonly Column<ListedJob>[] {
  const took = (job: ListedJob) => formatSeconds(secondsBetween(job.startedAt, job.finishedAt, now));
  return [
    { head: "Job", cell: (job) => <JobName job={job} /> },
    { head: "State", cell: (job) => <StateBadge state={job.state} size="sm" /> },
    { head: "Doing", width: 240, cell: (job) => <Doing job={job} /> },
    { head: heading, align: "right", cell: (job) => <Outcome job={job} namesMetric={heading === mixedResults} /> },
    { head: "Took", align: "right", cell: took },
    { head: "Submitted", align: "right", cell: (job) => formatAgo(job.createdAt, now) },
  ];
}

function JobName({ job }: { readonly job: ListedJob }) {
  const name = job.name || job.id;
  return (
    <>
      <Anchor component={Link} to={`/jobs/${job.id}`} fw={600} className="clip" title={name} display="block" maw={320}>
        {name}
      </Anchor>
      {job.kind !== "train" && (
        <Text size="xs" c="dimmed">
          {job.kind}
        </Text>
      )}
    </>
  );
}

/** @param namesMetric whether results of several kinds stand in the column, so that each needs its name */
function Outcome({ job, namesMetric }: { readonly job: ListedJob; readonly namesMetric: boolean }) {
  const result = chiefResult(job.model?.metrics, job.task);
  return (
    <>
      {result?.text ?? absent}
      {result && namesMetric && (
        <Text size="xs" c="dimmed">
          {result.title}
        </Text>
      )}
    </>
  );
}

function Doing({ job }: { readonly job: ListedJob }) {
  const running = job.stages.find((stage) => stage.state === "RUNNING");
  const done = job.stages.filter((stage) => stage.state === "SUCCEEDED").length;
  if (!running) {
    return (
      <Text size="sm" c="dimmed">
        {done} of {job.stages.length} stages
      </Text>
    );
  }
  const percent = running.total ? ((running.completed ?? 0) / running.total) * 100 : 0;
  return (
    <div>
      <Group justify="space-between">
        <Text size="sm">{running.kind}</Text>
        <Text size="xs" c="dimmed">
          {running.phase}
        </Text>
      </Group>
      <Progress size="sm" value={percent} aria-label={`Progress of ${running.kind}`} />
    </div>
  );
}
