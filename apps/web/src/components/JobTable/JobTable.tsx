import { Anchor, Checkbox, Code, Group, Progress, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ListedJob } from "../../hooks/use-jobs.ts";
import { useNow } from "../../hooks/use-now.ts";
import {
  absent,
  formatAgo,
  formatCount,
  formatDateTime,
  formatSeconds,
  secondsBetween,
} from "../../services/format.ts";
import type { JobColumnKey } from "../../services/job-columns.ts";
import { type JobSort, nextSort, sortOf } from "../../services/job-search.ts";
import { chiefResult, mixedResults, resultHeading } from "../../services/metrics.ts";
import { runColor } from "../../services/run-color.ts";
import { paletteColor } from "../../theme.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { RunSwatch } from "../RunSwatch/RunSwatch.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";
import { StarButton } from "./StarButton.tsx";

interface JobTableProps {
  readonly jobs: readonly ListedJob[];
  /** Whether one of them runs, so that durations advance. */
  readonly isMoving: boolean;
  /** Columns beside name and state */
  readonly shown: readonly JobColumnKey[];
  /** Left out: the heads are no buttons. */
  readonly sorting?: { readonly shown: string | undefined; readonly onSort: (sort: string) => void };
  /** Left out: nothing can be starred here. */
  readonly onStarred?: () => void;
  /** Training jobs that are to be compared; left out: none can be chosen here. */
  readonly choice?: JobChoice;
}

export interface JobChoice {
  readonly chosen: { has(id: string): boolean };
  readonly onChoose: (job: ListedJob, isChosen: boolean) => void;
}

/** Jobs, one a row: what each does or what came of it. */
export function JobTable({ jobs, isMoving, shown, sorting, onStarred, choice }: JobTableProps) {
  const now = useNow(true, isMoving ? 1000 : 30_000);
  const heading = resultHeading(jobs.map(({ model, task }) => chiefResult(model?.metrics, task)));
  return (
    <DataTable
      label="Jobs"
      columns={[
        ...(choice ? [choiceColumn(choice)] : []),
        ...(onStarred ? [starColumn(onStarred)] : []),
        ...columnsFor(heading, now)
          .filter(({ key }) => key === "name" || key === "state" || shown.some((one) => one === key))
          .map(({ sortKey, ...column }) => (sortKey ? withSort(column, sortKey, sorting) : column)),
      ]}
      rows={jobs}
      rowKey={(job) => job.id}
      minWidth={720}
      spacing="list"
      highlightOnHover
    />
  );
}

interface JobColumn extends Column<ListedJob> {
  readonly key: JobColumnKey | "name" | "state";
  readonly sortKey?: JobSort["by"];
}

function withSort(column: Column<ListedJob>, by: JobSort["by"], sorting: JobTableProps["sorting"]): Column<ListedJob> {
  if (!sorting) return column;
  const now = sortOf(sorting.shown);
  const direction = now?.descending ? "descending" : "ascending";
  const state = now?.by === by ? direction : "none";
  return { ...column, sort: { state, onSort: () => sorting.onSort(nextSort(sorting.shown, by)) } };
}

function choiceColumn({ chosen, onChoose }: JobChoice): Column<ListedJob> {
  return {
    head: "Chosen",
    isHeadHidden: true,
    width: 28,
    cell: (job) =>
      job.kind === "train" && (
        <Checkbox
          size="xs"
          aria-label={`Choose ${job.name || job.id}`}
          checked={chosen.has(job.id)}
          onChange={(event) => onChoose(job, event.currentTarget.checked)}
        />
      ),
  };
}

function starColumn(onStarred: () => void): Column<ListedJob> {
  return {
    head: "Star",
    isHeadHidden: true,
    width: 28,
    cell: (job) => <StarButton job={job} onStarred={onStarred} />,
  };
}

function columnsFor(heading: string, now: number): readonly JobColumn[] {
  const took = (job: ListedJob) => (
    <span style={{ whiteSpace: "nowrap" }}>{formatSeconds(secondsBetween(job.startedAt, job.finishedAt, now))}</span>
  );
  return [
    { key: "name", head: "Job", sortKey: "NAME", cell: (job) => <JobName job={job} /> },
    { key: "state", head: "State", cell: (job) => <StateBadge state={job.state} size="sm" /> },
    { key: "doing", head: "Doing", width: 180, cell: (job) => <Doing job={job} /> },
    { key: "dataset", head: "Dataset", sortKey: "DATASET", cell: (job) => <Clipped text={job.datasetName} /> },
    { key: "model", head: "Model", sortKey: "MODEL", cell: (job) => job.modelType ?? absent },
    { key: "ranks", head: "Ranks", align: "right", sortKey: "RANKS", cell: (job) => formatCount(job.numRanks) },
    {
      key: "result",
      head: heading,
      align: "right",
      sortKey: "RESULT",
      cell: (job) => <Outcome job={job} namesMetric={heading === mixedResults} />,
    },
    { key: "owner", head: "Owner", sortKey: "OWNER", cell: (job) => <Clipped text={job.createdBy.name} /> },
    { key: "tags", head: "Tags", cell: (job) => <Tags tags={job.tags} /> },
    { key: "took", head: "Took", align: "right", cell: took },
    {
      key: "submitted",
      head: "Submitted",
      align: "right",
      sortKey: "SUBMITTED",
      cell: (job) => (
        <time dateTime={job.createdAt} title={formatDateTime(job.createdAt)}>
          {formatAgo(job.createdAt, now)}
        </time>
      ),
    },
  ];
}

function Clipped({ text }: { readonly text: string | null }) {
  return (
    <Text size="sm" className="clip" maw={160} title={text ?? undefined}>
      {text ?? absent}
    </Text>
  );
}

/** A tag has one colour in every row, mixed thinly so that its text keeps its contrast. */
function tagWash(name: string): string {
  return `color-mix(in srgb, ${paletteColor(runColor(name))} 16%, var(--hop-surface))`;
}

function Tags({ tags }: { readonly tags: unknown }) {
  return Object.entries((tags ?? {}) as Record<string, string>).map(([name, value]) => (
    <Code key={name} mr={4} bg={tagWash(name)}>
      {value === "" ? name : `${name}: ${value}`}
    </Code>
  ));
}

function JobName({ job }: { readonly job: ListedJob }) {
  const name = job.name || job.id;
  return (
    <>
      <Anchor component={Link} to={`/jobs/${job.id}`} fw={600} className="clip" title={name} display="block" maw={260}>
        {job.kind === "train" && <RunSwatch id={job.id} />}
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
