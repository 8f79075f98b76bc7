import { Badge, Code, Stack, Text } from "@mantine/core";
import { useNow } from "../../hooks/use-now.ts";
import type { workersQuery } from "../../services/documents.ts";
import { formatAgo, formatBytes } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

type Worker = ResultOf<typeof workersQuery>["workers"][number];

/** What each host offers, whether it takes work, and when it was heard of. */
export function WorkerTable({ workers }: { readonly workers: readonly Worker[] }) {
  const now = useNow();
  return (
    <DataTable
      label="Workers"
      columns={columnsAt(now)}
      rows={workers}
      rowKey={(worker) => worker.id}
      minWidth={860}
      spacing="list"
    />
  );
}

function columnsAt(now: number): readonly Column<Worker>[] {
  return [
    { head: "Host", cell: (worker) => <Host worker={worker} /> },
    { head: "State", cell: (worker) => <WorkerState worker={worker} /> },
    { head: "Devices", cell: (worker) => <Devices worker={worker} /> },
    { head: "Ranks at once", align: "right", cell: (worker) => worker.slots },
    { head: "Memory", align: "right", cell: (worker) => formatBytes(worker.memoryBytes) },
    { head: "Free disk", align: "right", cell: (worker) => formatBytes(worker.diskFreeBytes) },
    { head: "Last seen", align: "right", cell: (worker) => formatAgo(worker.lastSeen, now) },
  ];
}

function Host({ worker }: { readonly worker: Worker }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {worker.host}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {worker.id}
      </Text>
      <Text size="xs" c="dimmed">
        {worker.version} · {worker.cores} cores · {worker.isa}
        {worker.rankAddress && ` · ranks at ${worker.rankAddress}`}
      </Text>
      {labelsOf(worker.labels).map((label) => (
        <Code key={label} fz="xs" mr={4}>
          {label}
        </Code>
      ))}
    </>
  );
}

function WorkerState({ worker }: { readonly worker: Worker }) {
  return (
    <Stack gap={4} align="flex-start">
      <StateBadge state={worker.state} size="sm" />
      {worker.running.length > 0 && (
        <Badge size="sm" variant="outline" radius="sm" tt="none">
          {worker.running.length} running
        </Badge>
      )}
      {!worker.compatible && (
        <Text size="xs" c="red">
          {worker.reason ?? "It speaks another contract version and gets no work."}
        </Text>
      )}
    </Stack>
  );
}

function Devices({ worker }: { readonly worker: Worker }) {
  return worker.devices.map((device) => (
    <div key={`${device.kind} ${device.index}`}>
      <Code>{device.kind}</Code> {device.name}
    </div>
  ));
}

function labelsOf(labels: unknown): string[] {
  return Object.entries((labels ?? {}) as Record<string, string>).map(([name, value]) => `${name}=${value}`);
}
