import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Alert, Anchor, Badge, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { AttemptTable } from "../components/AttemptTable/AttemptTable.tsx";
import { ConfusionMatrix } from "../components/ConfusionMatrix/ConfusionMatrix.tsx";
import { CopyButton, CopyId } from "../components/CopyButton/CopyButton.tsx";
import { DownloadButton } from "../components/DownloadButton/DownloadButton.tsx";
import { Facts } from "../components/Facts/Facts.tsx";
import { IncidentList } from "../components/IncidentList/IncidentList.tsx";
import { JobActions } from "../components/JobActions/JobActions.tsx";
import { LineChart } from "../components/LineChart/LineChart.tsx";
import { LoadingRows } from "../components/LoadingRows/LoadingRows.tsx";
import { LogTail } from "../components/LogTail/LogTail.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { PartitionTable } from "../components/PartitionTable/PartitionTable.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { RankTable } from "../components/RankTable/RankTable.tsx";
import { StageTimeline } from "../components/StageTimeline/StageTimeline.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { WaitNotice } from "../components/WaitNotice/WaitNotice.tsx";
import { useJob } from "../hooks/use-job.ts";
import { useNow } from "../hooks/use-now.ts";
import { confusionOf } from "../services/confusion.ts";
import { formatDateTime, formatSeconds, secondsBetween } from "../services/format.ts";
import type { LiveState } from "../services/job-follower.ts";
import { keptLogLines } from "../services/job-log.ts";
import { isWaiting, type JobSnapshot } from "../services/job-state.ts";
import { metricsOf } from "../services/metrics.ts";
import { doubtOf } from "../services/outcome.ts";
import { groupSeries } from "../services/series.ts";
import { NothingHere } from "./NotFoundPage.tsx";

/** One job as it runs: what it is doing, how well it learns, what went wrong, what came out. */
export function JobPage() {
  const { jobId } = useParams({ from: "/shell/jobs/$jobId" });
  const { job, problem, live, reload, loadEarlierLogs } = useJob(jobId);
  if (job === undefined) return <NothingHere what="job" />;
  if (job === null) return problem ? <ProblemAlert problem={problem} onRetry={reload} /> : <LoadingRows rows={6} />;
  return (
    <>
      <Header job={job} live={live} />
      <Stack gap="lg">
        <Notices job={job} live={live} />
        <Results job={job} />
        <Panel title="Stages">
          <StageTimeline stages={job.stages} isOver={isTerminal(job.state)} />
        </Panel>
        <Disturbances job={job} />
        <Charts job={job} />
        <Mistakes job={job} />
        <Ranks job={job} />
        {job.partition && (
          <Panel title="Partition" help="How the graph was cut: even shares and few cut edges make ranks wait less.">
            <PartitionTable report={job.partition} />
          </Panel>
        )}
        <Log job={job} onEarlier={loadEarlierLogs} />
        {job.attempts.length > 0 && (
          <Panel title="Attempts" help="A job that loses its worker begins another attempt from its last checkpoint.">
            <AttemptTable attempts={job.attempts} />
          </Panel>
        )}
        <Spec spec={job.spec} />
      </Stack>
    </>
  );
}

interface LiveProps {
  readonly job: JobSnapshot;
  readonly live: LiveState;
}

function Header({ job, live }: LiveProps) {
  return (
    <PageHeader
      title={job.name || `Job ${job.id}`}
      badge={
        <>
          <span role="status" aria-label="State of the job">
            <StateBadge state={job.state} size="lg" />
          </span>
          <LiveMark live={live} />
        </>
      }
      help={<Subtitle job={job} />}
      actions={<JobActions job={job} />}
    />
  );
}

/** What is to be known before all else. */
function Notices({ job, live }: LiveProps) {
  const doubt = job.state === "SUCCEEDED" ? doubtOf(job) : null;
  return (
    <>
      {live === "reconnecting" && (
        <Alert color="yellow" variant="light" title="The connection was lost">
          The job goes on without this page. It is connecting again and will catch up with what it missed.
        </Alert>
      )}
      {job.problem && <ProblemAlert problem={job.problem} />}
      {isWaiting(job) && <WaitNotice jobId={job.id} />}
      {doubt && (
        <Alert color="orange" variant="light" title={doubt.title} role="note" aria-label="Doubt about the result">
          {doubt.detail}
        </Alert>
      )}
    </>
  );
}

interface LogProps {
  readonly job: JobSnapshot;
  readonly onEarlier: () => Promise<unknown>;
}

function Log({ job: { state, logs, stages }, onEarlier }: LogProps) {
  const hasEarlier = logs.hasPreviousPage && logs.lines.length < keptLogLines;
  return (
    <Panel title="Log">
      <LogTail
        lines={logs.lines}
        isOver={isTerminal(state)}
        onEarlier={hasEarlier ? onEarlier : undefined}
        stageName={(index) => stages.find((stage) => stage.index === index)?.kind ?? "job"}
      />
    </Panel>
  );
}

function Spec({ spec }: { readonly spec: unknown }) {
  const text = JSON.stringify(spec, null, 2);
  return (
    <Panel
      title="Spec"
      help="With every default filled in; submit it again to repeat the job."
      aside={<CopyButton label="Copy as JSON" value={text} />}
    >
      <details>
        <summary style={{ cursor: "pointer" }}>Show the spec</summary>
        <Code block mt="sm" mah={420} style={{ overflow: "auto" }}>
          {text}
        </Code>
      </details>
    </Panel>
  );
}

function LiveMark({ live }: { readonly live: LiveState }) {
  if (live === "ended" || live === "connecting") return null;
  const isLive = live === "live";
  return (
    <Badge variant="dot" color={isLive ? "hop" : "yellow"} tt="none" fw={500} radius="sm" aria-live="polite">
      {isLive ? "Live" : "Reconnecting"}
    </Badge>
  );
}

function Subtitle({ job }: { readonly job: JobSnapshot }) {
  const now = useNow(!isTerminal(job.state));
  const took = secondsBetween(job.startedAt, job.finishedAt, now);
  return (
    <Group gap="md" fz="sm" className="num">
      <CopyId name="job id" value={job.id} />
      {job.dataset && (
        <Anchor size="sm" component={Link} to={`/datasets/${job.dataset.dataset.id}`}>
          {job.dataset.dataset.name}
        </Anchor>
      )}
      <span>submitted {formatDateTime(job.createdAt)}</span>
      {took !== null && (
        <span>{isTerminal(job.state) ? `took ${formatSeconds(took)}` : `running for ${formatSeconds(took)}`}</span>
      )}
    </Group>
  );
}

function Results({ job }: { readonly job: JobSnapshot }) {
  const splits = metricsOf(job.model?.metrics, job.task);
  if (!job.model || splits.length === 0) return null;
  return (
    <Panel
      title="Result"
      help="Of the best model by its validation metric."
      aside={
        <Group gap="xs">
          {job.model.downloads.map((download) => (
            <DownloadButton key={download.url} label={download.name} {...download} />
          ))}
        </Group>
      }
    >
      {splits.map(({ split, metrics }) => (
        <Facts key={split} facts={metrics.map(({ name, text }) => ({ label: name, value: text }))} />
      ))}
    </Panel>
  );
}

function Mistakes({ job }: { readonly job: JobSnapshot }) {
  const confusion = confusionOf(job.model?.info);
  if (!confusion) return null;
  return (
    <Panel title="Mistakes" help="Which classes the model takes for which.">
      <ConfusionMatrix confusion={confusion} />
    </Panel>
  );
}

function Disturbances({ job }: { readonly job: JobSnapshot }) {
  if (job.incidents.length === 0 && job.attempts.length < 2) return null;
  return (
    <Panel title="What happened" help="Disturbances and how the job went on.">
      <IncidentList incidents={job.incidents} attempts={job.attempts} />
    </Panel>
  );
}

function Charts({ job }: { readonly job: JobSnapshot }) {
  const trains = job.stages.some((stage) => stage.kind === "train");
  if (!trains && job.series.length === 0) return null;
  const groups = groupSeries(job.series, job.task);
  return (
    <Panel title="Learning">
      {groups.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isTerminal(job.state)
            ? "It ended before its first epoch: there are no curves."
            : "Curves appear after the first epoch."}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="lg">
          {groups.map(({ metric, ...group }) => (
            <LineChart key={`${metric} ${group.axis}`} {...group} />
          ))}
        </SimpleGrid>
      )}
    </Panel>
  );
}

function Ranks({ job }: { readonly job: JobSnapshot }) {
  const newest = Math.max(0, ...job.ranks.map((rank) => rank.attempt));
  const ranks = job.ranks.filter((rank) => rank.attempt === newest);
  if (ranks.length === 0) return null;
  return (
    <Panel
      title="Ranks"
      help="Each is a process with its own part of the graph; they exchange gradients at every step."
    >
      <RankTable ranks={ranks} />
    </Panel>
  );
}
