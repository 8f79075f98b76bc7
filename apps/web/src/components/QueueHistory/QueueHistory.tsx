import { Progress, Text } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { useLiveRefresh } from "../../hooks/use-live-refresh.ts";
import { useNow } from "../../hooks/use-now.ts";
import { queueHistoryQuery } from "../../services/documents/workers.ts";
import { formatCount, formatFigure, formatPercent, formatSeconds } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { shareHeld } from "../../services/queue-history.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";

type Day = ResultOf<typeof queueHistoryQuery>["queueHistory"][number];

const topics = ["QUEUE", "WORKERS"] as const;

/** How long jobs waited and how busy the workers were in the last seven days. */
export function QueueHistory() {
  const [state, refetch] = useQuery({ query: queueHistoryQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 60_000 });
  return (
    <Panel
      title="Last seven days"
      help="Days in UTC. What is held is compared with the ranks that the workers of today offer."
    >
      <QueryView state={state} onRetry={refresh}>
        {({ queueHistory, workers }) => {
          const slots = workers.filter((one) => one.state === "ONLINE").reduce((sum, one) => sum + one.slots, 0);
          return (
            <DataTable
              label="Last seven days"
              columns={columnsFor(slots)}
              rows={queueHistory.toReversed()}
              rowKey={({ day }) => day}
              minWidth={620}
            />
          );
        }}
      </QueryView>
    </Panel>
  );
}

function columnsFor(slots: number): readonly Column<Day>[] {
  return [
    { head: "Day", isRowHead: true, cell: ({ day }) => <span style={{ whiteSpace: "nowrap" }}>{day}</span> },
    { head: "Submitted", align: "right", cell: ({ submitted }) => formatCount(submitted) },
    { head: "Median wait", align: "right", cell: ({ medianWaitSeconds }) => formatSeconds(medianWaitSeconds) },
    { head: "Longest wait", align: "right", cell: ({ longestWaitSeconds }) => formatSeconds(longestWaitSeconds) },
    { head: "Rank hours", align: "right", cell: ({ rankHours }) => formatFigure(rankHours) },
    { head: "Held", width: 160, cell: (day) => <Held day={day} slots={slots} /> },
  ];
}

function Held({ day: { day, rankHours }, slots }: { readonly day: Day; readonly slots: number }) {
  const share = shareHeld(day, rankHours, slots, useNow(true, 60_000));
  if (share === null) return <Text size="sm">–</Text>;
  return (
    <>
      <Progress value={share * 100} size="sm" aria-label={`Held on ${day}`} />
      <Text size="xs" c="dimmed">
        {formatPercent(share)}
      </Text>
    </>
  );
}
