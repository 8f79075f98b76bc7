import { Text } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { useLiveRefresh } from "../../hooks/use-live-refresh.ts";
import { useNow } from "../../hooks/use-now.ts";
import { webhookDeliveriesQuery } from "../../services/documents/notices.ts";
import { absent, formatSeconds, humanize } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { Ago } from "../Ago/Ago.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

type Delivery = ResultOf<typeof webhookDeliveriesQuery>["webhookDeliveries"][number];

const topics = ["WEBHOOKS"] as const;

/** What was sent to a webhook and what came of it, the newest first. */
export function DeliveryLog({ webhook, name }: { readonly webhook: string; readonly name: string }) {
  const [state, refetch] = useQuery({ query: webhookDeliveriesQuery, variables: { webhook } });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  useLiveRefresh({ refresh, isFetching: state.fetching || state.stale, topics, everyMs: 2000 });
  const now = useNow();
  return (
    <QueryView state={state} onRetry={refresh}>
      {({ webhookDeliveries }) =>
        webhookDeliveries.length === 0 ? (
          <Text size="sm" c="dimmed" mt="sm">
            Nothing has been sent to it yet.
          </Text>
        ) : (
          <DataTable
            label={`Deliveries to ${name}`}
            columns={columnsAt(now)}
            rows={webhookDeliveries}
            rowKey={({ id }) => id}
            minWidth={640}
          />
        )
      }
    </QueryView>
  );
}

function columnsAt(now: number): readonly Column<Delivery>[] {
  return [
    { head: "Event", cell: ({ event }) => humanize(event) },
    { head: "State", cell: ({ state }) => <StateBadge state={state} size="sm" /> },
    { head: "Status", align: "right", cell: ({ status }) => status ?? absent },
    { head: "Attempts", align: "right", cell: ({ attempts }) => attempts },
    { head: "Took", align: "right", cell: ({ durationMs }) => formatSeconds(durationMs && durationMs / 1000) },
    { head: "Queued", align: "right", cell: ({ createdAt }) => <Ago at={createdAt} /> },
    { head: "What went wrong", cell: (delivery) => objectionOf(delivery, now) },
  ];
}

function objectionOf({ error, dueAt, attempts }: Delivery, now: number): string {
  const found = error ?? "";
  if (dueAt === null || attempts === 0) return found;
  const seconds = Math.max(0, (Date.parse(dueAt) - now) / 1000);
  return `${found} ${seconds < 1 ? "Tried again now." : `Tried again in ${formatSeconds(Math.ceil(seconds))}.`}`.trim();
}
