import { Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { Link, useParams } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useQuery } from "urql";
import { Ago } from "../components/Ago/Ago.tsx";
import { type Column, DataTable } from "../components/DataTable/DataTable.tsx";
import { Facts } from "../components/Facts/Facts.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { Panel } from "../components/Panel/Panel.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { UsageCharts } from "../components/UsageCharts/UsageCharts.tsx";
import { WorkerLog } from "../components/WorkerLog/WorkerLog.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { workerQuery } from "../services/documents/workers.ts";
import { formatBytes, formatCount } from "../services/format.ts";
import type { ResultOf } from "../services/graphql.ts";
import { NothingHere } from "./NotFoundPage.tsx";

type Answer = ResultOf<typeof workerQuery>;
type Worker = Answer["workers"][number];
type History = Answer["workerHistory"];

const spans = [
  { value: "1", label: "Hour" },
  { value: "24", label: "Day" },
  { value: "168", label: "Week" },
];

const topics = ["WORKERS"] as const;

/** One worker over time, whatever jobs it had: its load, its versions, and the way to its jobs. */
export function WorkerPage() {
  const { workerId } = useParams({ from: "/shell/workers/$workerId" });
  const [hours, setHours] = useState("24");
  const [state, refetch] = useQuery({ query: workerQuery, variables: { id: workerId, hours: Number(hours) } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 60_000 });
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  const maySeeLog = viewer?.me.role === "ADMIN" && viewer.me.project === null;
  return (
    <QueryView state={state} onRetry={refresh} shape="facts">
      {({ workers, workerHistory }) => {
        const worker = workers.find(({ id }) => id === workerId);
        if (!worker) return <NothingHere what="worker" />;
        return (
          <>
            <WorkerHead worker={worker} />
            <Stack gap="lg">
              <Now worker={worker} />
              <OverTime history={workerHistory} hours={hours} onHours={setHours} />
              <Boots boots={workerHistory.boots} />
              {maySeeLog && <WorkerLog key={workerId} workerId={workerId} />}
            </Stack>
          </>
        );
      }}
    </QueryView>
  );
}

function WorkerHead({ worker }: { readonly worker: Worker }) {
  return (
    <PageHeader
      title={worker.host}
      badge={<StateBadge state={worker.state} size="lg" />}
      help={`${worker.id} · ${worker.version} (${worker.build}) · ${worker.isa}`}
      actions={
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/jobs" search={{ kinds: "all", worker: worker.id }} />}
        >
          Its jobs
        </Button>
      }
    />
  );
}

function Now({ worker }: { readonly worker: Worker }) {
  return (
    <Panel title="Now">
      <Facts
        facts={[
          { label: "Ranks at once", value: formatCount(worker.slots) },
          { label: "Cores", value: formatCount(worker.cores) },
          { label: "Memory", value: formatBytes(worker.memoryBytes) },
          { label: "Free disk", value: formatBytes(worker.diskFreeBytes) },
          { label: "First seen", value: <Ago at={worker.firstSeen} /> },
          { label: "Last seen", value: <Ago at={worker.lastSeen} /> },
        ]}
      />
      {worker.reason && (
        <Text size="sm" c="red">
          {worker.reason}
        </Text>
      )}
    </Panel>
  );
}

interface OverTimeProps {
  readonly history: History;
  readonly hours: string;
  readonly onHours: (hours: string) => void;
}

function OverTime({ history, hours, onHours }: OverTimeProps) {
  const startMs = Math.min(...history.series.flatMap(({ times }) => times.slice(0, 1)));
  return (
    <Panel
      title="Over time"
      help="Slots are what jobs held of those it offers. Cores and memory are in use on the whole host, by any program."
      aside={<SegmentedControl aria-label="Time span" size="xs" data={spans} value={hours} onChange={onHours} />}
    >
      {history.series.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing was written down in this time: a worker is looked at each minute that it is online.
        </Text>
      ) : (
        <UsageCharts series={history.series} startMs={startMs} syncKey="worker" isClock />
      )}
    </Panel>
  );
}

const bootColumns: readonly Column<History["boots"][number]>[] = [
  { head: "Version", isRowHead: true, cell: ({ version }) => version },
  { head: "From", align: "right", cell: ({ from }) => <Ago at={from} /> },
  { head: "Until", align: "right", cell: ({ to }) => <Ago at={to} /> },
];

function Boots({ boots }: Pick<History, "boots">) {
  if (boots.length === 0) return null;
  return (
    <Panel title="Starts" help="Each start of its process in this time, with the version that ran.">
      <DataTable
        label="Starts"
        columns={bootColumns}
        rows={boots.toReversed()}
        rowKey={({ bootId }) => bootId}
        minWidth={420}
      />
    </Panel>
  );
}
