import { Anchor, Badge, Code, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { workersQuery } from "../../services/documents/workers.ts";
import { formatBytes } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { Ago } from "../Ago/Ago.tsx";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { DeviceList } from "../DeviceList/DeviceList.tsx";
import { DrainButton } from "../DrainButton/DrainButton.tsx";
import { StateBadge } from "../StateBadge/StateBadge.tsx";

type Worker = ResultOf<typeof workersQuery>["workers"][number];

interface WorkerTableProps {
  readonly workers: readonly Worker[];
  /** Left out: whoever looks may not drain workers. */
  readonly onDrained?: () => void;
}

/** What each host offers, whether it takes work, and when it was heard of. */
export function WorkerTable({ workers, onDrained }: WorkerTableProps) {
  return (
    <DataTable
      label="Workers"
      columns={onDrained ? [...columns, drainColumn(onDrained)] : columns}
      rows={workers}
      rowKey={(worker) => worker.id}
      minWidth={860}
      spacing="list"
    />
  );
}

const columns: readonly Column<Worker>[] = [
  { head: "Host", cell: (worker) => <Host worker={worker} /> },
  { head: "State", cell: (worker) => <WorkerState worker={worker} /> },
  { head: "Devices", cell: (worker) => <DeviceList devices={worker.devices} /> },
  { head: "Ranks at once", align: "right", cell: (worker) => worker.slots },
  { head: "Memory", align: "right", cell: (worker) => formatBytes(worker.memoryBytes) },
  { head: "Free disk", align: "right", cell: (worker) => formatBytes(worker.diskFreeBytes) },
  { head: "Last seen", align: "right", cell: (worker) => <Ago at={worker.lastSeen} /> },
];

function drainColumn(onDrained: () => void): Column<Worker> {
  return {
    head: "Drain",
    isHeadHidden: true,
    align: "right",
    cell: (worker) => worker.state !== "OFFLINE" && <DrainButton worker={worker} onChanged={onDrained} />,
  };
}

function Host({ worker }: { readonly worker: Worker }) {
  return (
    <>
      <Anchor size="sm" fw={600} component={Link} to={`/workers/${worker.id}`}>
        {worker.host}
      </Anchor>
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
      {[...new Set(worker.running.map(({ jobId }) => jobId))].map((jobId) => (
        <Anchor key={jobId} size="xs" ff="monospace" component={Link} to={`/jobs/${jobId}`}>
          {jobId}
        </Anchor>
      ))}
      {worker.drained && (
        <Text size="xs" c="dimmed">
          An admin has it take no new work.
        </Text>
      )}
      {!worker.compatible && (
        <Text size="xs" c="red">
          {worker.reason ?? "It speaks another contract version and gets no work."}
        </Text>
      )}
    </Stack>
  );
}

function labelsOf(labels: unknown): string[] {
  return Object.entries((labels ?? {}) as Record<string, string>).map(([name, value]) => `${name}=${value}`);
}
