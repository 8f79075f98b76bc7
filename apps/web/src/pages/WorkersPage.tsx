import { Paper, Stack } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { QueueHistory } from "../components/QueueHistory/QueueHistory.tsx";
import { QueuePanel } from "../components/QueuePanel/QueuePanel.tsx";
import { WorkerCredentials } from "../components/WorkerCredentials/WorkerCredentials.tsx";
import { WorkerTable } from "../components/WorkerTable/WorkerTable.tsx";
import { useLiveRefresh } from "../hooks/use-live-refresh.ts";
import { viewerQuery } from "../services/documents/account.ts";
import { workersQuery } from "../services/documents/workers.ts";

const topics = ["WORKERS"] as const;

/** The machines that do the work. */
export function WorkersPage() {
  const [state, refetch] = useQuery({ query: workersQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 5000 });
  const [{ data: viewer }] = useQuery({ query: viewerQuery });
  const mayAdd = viewer?.me.role === "ADMIN" && viewer.me.project === null;
  return (
    <>
      <PageHeader
        title="Workers"
        help="One worker runs per host. It announces its devices and takes the stages that fit them."
      />
      <Stack gap="lg">
        <QueryView state={state} onRetry={refresh}>
          {({ workers }) => (
            <Paper withBorder bg="var(--hop-surface)">
              {workers.length === 0 ? (
                <NoWorkers />
              ) : (
                <WorkerTable workers={workers} {...(mayAdd && { onDrained: refresh })} />
              )}
            </Paper>
          )}
        </QueryView>
        <QueuePanel mayReorder={viewer !== undefined && viewer.me.role !== "VIEWER"} />
        <QueueHistory />
        {mayAdd && <WorkerCredentials />}
      </Stack>
    </>
  );
}

function NoWorkers() {
  return (
    <EmptyState title="No worker has announced itself">
      Start one on any host that reaches the same Redis and artifact store; jobs wait until then.
    </EmptyState>
  );
}
