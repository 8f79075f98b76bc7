import { Anchor, Group, Progress, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ListedJob } from "../../hooks/use-jobs.ts";
import { useNow } from "../../hooks/use-now.ts";
import { absent, formatAgo, formatSeconds, secondsBetween } from "../../services/format.ts";
import { chiefResult, mixedResults, resultHeading } from "../../services/metrics.ts";
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
    <Table.ScrollContainer minWidth={720}>
      <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" aria-label="Jobs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Job</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th w={240}>Doing</Table.Th>
            <Table.Th ta="right">{heading}</Table.Th>
            <Table.Th ta="right">Took</Table.Th>
            <Table.Th ta="right">Submitted</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="num">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} now={now} namesMetric={heading === mixedResults} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface JobRowProps {
  readonly job: ListedJob;
  readonly now: number;
  /** Whether results of several kinds stand in the column, so that each needs its name. */
  readonly namesMetric: boolean;
}

function JobRow({ job, now, namesMetric }: JobRowProps) {
  const result = chiefResult(job.model?.metrics, job.task);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/jobs/${job.id}`} fw={600}>
          {job.name || job.id}
        </Anchor>
        {job.kind !== "train" && (
          <Text size="xs" c="dimmed">
            {job.kind}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge state={job.state} size="sm" />
      </Table.Td>
      <Table.Td>
        <Doing job={job} />
      </Table.Td>
      <Table.Td ta="right">
        {result?.text ?? absent}
        {result && namesMetric && (
          <Text size="xs" c="dimmed">
            {result.title}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{formatSeconds(secondsBetween(job.startedAt, job.finishedAt, now))}</Table.Td>
      <Table.Td ta="right">{formatAgo(job.createdAt, now)}</Table.Td>
    </Table.Tr>
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
