import { Text } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { usePolling } from "../../hooks/use-polling.ts";
import { usageQuery } from "../../services/documents/job.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { UsageCharts } from "../UsageCharts/UsageCharts.tsx";

const everyMs = 10_000;

/** What each process of the newest attempt used over time; of a job that runs, as of the last ten seconds. */
export function UsagePanel({ job }: { readonly job: JobSnapshot }) {
  const [state, refetch] = useQuery({ query: usageQuery, variables: { id: job.id } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  usePolling(refresh, job.state === "RUNNING", everyMs);
  const startedAt = job.attempts.at(-1)?.startedAt ?? job.startedAt ?? job.createdAt;
  return (
    <Panel
      title="Use over time"
      help="Processor, memory and storage are each process's own; the network is its whole host's."
    >
      <QueryView state={state} onRetry={refresh} shape="line">
        {({ job: found }) =>
          found && found.usage.length > 0 ? (
            <UsageCharts series={found.usage} startMs={Date.parse(startedAt)} syncKey={`${job.id} usage`} />
          ) : (
            <Text size="sm" c="dimmed">
              Nothing was reported.
            </Text>
          )
        }
      </QueryView>
    </Panel>
  );
}
