import { useNow } from "../../hooks/use-now.ts";
import { formatClock, formatSeconds, secondsBetween } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

type Attempt = JobSnapshot["attempts"][number];

/** Every try of the job: who ran it, how long, and why it began. */
export function AttemptTable({ attempts }: { readonly attempts: JobSnapshot["attempts"] }) {
  const now = useNow(attempts.some((attempt) => attempt.state === "RUNNING"));
  return (
    <DataTable
      label="Attempts"
      columns={columnsAt(now)}
      rows={attempts}
      rowKey={(attempt) => attempt.number}
      minWidth={520}
    />
  );
}

function columnsAt(now: number): readonly Column<Attempt>[] {
  return [
    { head: "Attempt", cell: (attempt) => attempt.number },
    { head: "State", cell: (attempt) => <StateBadge state={attempt.state} size="sm" /> },
    { head: "Host", cell: (attempt) => attempt.host },
    { head: "Began because", cell: (attempt) => attempt.reason },
    { head: "Started", align: "right", cell: (attempt) => formatClock(attempt.startedAt) },
    {
      head: "Took",
      align: "right",
      cell: (attempt) => formatSeconds(secondsBetween(attempt.startedAt, attempt.finishedAt, now)),
    },
  ];
}
