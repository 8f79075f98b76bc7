import { Table } from "@mantine/core";
import { useNow } from "../../hooks/use-now.ts";
import { formatClock, formatSeconds, secondsBetween } from "../../services/format.ts";
import type { JobSnapshot } from "../../services/job-state.ts";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

/** Every try of the job: who ran it, how long, and why it began. */
export function AttemptTable({ attempts }: { readonly attempts: JobSnapshot["attempts"] }) {
  const now = useNow(attempts.some((attempt) => attempt.state === "RUNNING"));
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table aria-label="Attempts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Attempt</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th>Host</Table.Th>
            <Table.Th>Began because</Table.Th>
            <Table.Th ta="right">Started</Table.Th>
            <Table.Th ta="right">Took</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="num">
          {attempts.map((attempt) => (
            <Table.Tr key={attempt.number}>
              <Table.Td>{attempt.number}</Table.Td>
              <Table.Td>
                <StateBadge state={attempt.state} size="sm" />
              </Table.Td>
              <Table.Td>{attempt.host}</Table.Td>
              <Table.Td>{attempt.reason}</Table.Td>
              <Table.Td ta="right">{formatClock(attempt.startedAt)}</Table.Td>
              <Table.Td ta="right">
                {formatSeconds(secondsBetween(attempt.startedAt, attempt.finishedAt, now))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
