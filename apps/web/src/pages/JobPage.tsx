import { isTerminal } from "@hopwise/contracts/jobs/terminal-states";
import { Alert, Anchor, Badge, Group, Stack } from "@mantine/core";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { Ago } from "../components/Ago/Ago.tsx";
import { CopyId } from "../components/CopyButton/CopyButton.tsx";
import { JobHead } from "../components/JobHead/JobHead.tsx";
import { JobTabs } from "../components/JobTabs/JobTabs.tsx";
import {
  CheckpointsTab,
  fetchView,
  JobActions,
  LogTab,
  MetricsTab,
  OverviewTab,
  PartitionTab,
  RanksTab,
  SpecTab,
} from "../components/JobTabs/later-views.ts";
import { LoadingShape } from "../components/LoadingShape/LoadingShape.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { ProblemAlert } from "../components/ProblemAlert/ProblemAlert.tsx";
import { RunSwatch } from "../components/RunSwatch/RunSwatch.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { WaitNotice } from "../components/WaitNotice/WaitNotice.tsx";
import { type LiveJob, useJob } from "../hooks/use-job.ts";
import { useNow } from "../hooks/use-now.ts";
import { useTabIcon } from "../hooks/use-tab-icon.ts";
import { bottleneckOfJob } from "../services/bottleneck.ts";
import type { LiveState } from "../services/job-follower.ts";
import { isWaiting, type JobSnapshot } from "../services/job-state.ts";
import { type JobTab, jobTabOf } from "../services/job-tabs.ts";
import { doubtOf } from "../services/outcome.ts";
import { tabMark } from "../services/state-line.ts";
import { tabIcon } from "../services/tab-icon.ts";
import { shareDone } from "../services/time-left.ts";
import { NothingHere } from "./NotFoundPage.tsx";

/** One job as it runs: what it is doing, how well it learns, what went wrong, what came out. */
export function JobPage() {
  const { jobId } = useParams({ from: "/shell/jobs/$jobId" });
  // What is known of one job is nothing of the next: where a link leads from one to the other, all begins anew.
  return <OneJob key={jobId} jobId={jobId} />;
}

function OneJob({ jobId }: { readonly jobId: string }) {
  const search = useSearch({ from: "/shell/jobs/$jobId" });
  const tab = jobTabOf(search.tab);
  const { job, problem, live, reload, loadEarlierLogs } = useJob(jobId);
  useEffect(() => fetchView(tab), [tab]);
  if (job === undefined) return <NothingHere what="job" />;
  if (job === null) return problem ? <ProblemAlert problem={problem} onRetry={reload} /> : <LoadingShape shape="job" />;
  return (
    <>
      <Header job={job} live={live} />
      <Stack gap="lg">
        <Notices job={job} live={live} />
        <JobHead job={job} />
        <JobTabs jobId={job.id} current={tab} offered={tabsOf(job)} />
        <Suspense fallback={<LoadingShape shape="facts" />}>
          <TabContent tab={tab} job={job} loadEarlierLogs={loadEarlierLogs} reload={reload} line={search.line} />
        </Suspense>
      </Stack>
    </>
  );
}

/** Jobs that the service makes itself learn nothing. */
function tabsOf({ kind, partition }: JobSnapshot): readonly JobTab[] {
  if (kind !== "train") return ["overview", "ranks", "log", "spec"];
  return ["overview", "metrics", "ranks", ...(partition ? ["partition" as const] : []), "log", "checkpoints", "spec"];
}

interface TabContentProps extends Pick<LiveJob, "loadEarlierLogs" | "reload"> {
  readonly tab: JobTab;
  readonly job: JobSnapshot;
  readonly line: number | undefined;
}

function TabContent({ tab, job, loadEarlierLogs, reload, line }: TabContentProps) {
  switch (tab) {
    case "overview":
      return <OverviewTab job={job} onNoted={reload} />;
    case "metrics":
      return <MetricsTab job={job} />;
    case "ranks":
      return <RanksTab job={job} />;
    case "partition":
      return <PartitionTab job={job} />;
    case "log":
      return <LogTab job={job} onEarlier={loadEarlierLogs} line={line} />;
    case "checkpoints":
      return <CheckpointsTab job={job} />;
    default:
      return <SpecTab job={job} />;
  }
}

interface LiveProps {
  readonly job: JobSnapshot;
  readonly live: LiveState;
}

function Header({ job, live }: LiveProps) {
  const now = useNow(!isTerminal(job.state));
  const name = job.name || `Job ${job.id}`;
  const mark = tabMark(job, now);
  useTabIcon(tabIcon(job.state, job.state === "RUNNING" ? shareDone(job, now) : 0));
  return (
    <PageHeader
      title={name}
      tabTitle={mark === "" ? name : `${mark} ${name}`}
      badge={
        <>
          <span role="status" aria-label="State of the job">
            <StateBadge state={job.state} size="lg" />
          </span>
          <LiveMark live={live} />
          {job.kind === "train" && <RunSwatch id={job.id} />}
        </>
      }
      help={<Subtitle job={job} />}
      actions={
        <Suspense>
          <JobActions job={job} />
        </Suspense>
      }
    />
  );
}

/** What is to be known before all else. */
function Notices({ job, live }: LiveProps) {
  const doubt = job.state === "SUCCEEDED" ? doubtOf(job) : null;
  const bottleneck = job.state === "RUNNING" || job.state === "SUCCEEDED" ? bottleneckOfJob(job) : null;
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
      {bottleneck && (
        <Alert color="gray" variant="light" title={bottleneck.title} role="note" aria-label="What slows the training">
          {bottleneck.detail}
        </Alert>
      )}
    </>
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
  return (
    <Group gap="md" fz="sm" className="num">
      <CopyId name="job id" value={job.id} />
      {job.dataset && (
        <Anchor size="sm" component={Link} to={`/datasets/${job.dataset.dataset.id}`}>
          {job.dataset.dataset.name}
        </Anchor>
      )}
      {job.sweepId && (
        <Anchor size="sm" component={Link} to={`/sweeps/${job.sweepId}`}>
          Part of a sweep
        </Anchor>
      )}
      <span>
        submitted <Ago at={job.createdAt} />
      </span>
    </Group>
  );
}
