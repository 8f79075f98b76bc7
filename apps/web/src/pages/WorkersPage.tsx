import { Badge, Code, Paper, Stack, Table, Text } from "@mantine/core";
import { useCallback } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { WorkerCredentials } from "../components/WorkerCredentials/WorkerCredentials.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePolling } from "../hooks/use-polling.ts";
import { viewerQuery, workersQuery } from "../services/documents.ts";
import { formatAgo, formatBytes } from "../services/format.ts";

/** The machines that do the work. */
export function WorkersPage() {
  const [state, refetch] = useQuery({ query: workersQuery });
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const now = useNow();
  usePolling(refresh, true, 5000);
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
                <EmptyState title="No worker has announced itself">
                  Start one on any host that reaches the same Redis and artifact store; jobs wait until then.
                </EmptyState>
              ) : (
                <Table.ScrollContainer minWidth={860}>
                  <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="Workers">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>Host</Table.Th>
                        <Table.Th>State</Table.Th>
                        <Table.Th>Devices</Table.Th>
                        <Table.Th ta="right">Ranks at once</Table.Th>
                        <Table.Th ta="right">Memory</Table.Th>
                        <Table.Th ta="right">Free disk</Table.Th>
                        <Table.Th ta="right">Last seen</Table.Th>
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody className="num">
                      {workers.map((worker) => (
                        <Table.Tr key={worker.id}>
                          <Table.Td>
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
                          </Table.Td>
                          <Table.Td>
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
                          </Table.Td>
                          <Table.Td>
                            {worker.devices.map((device) => (
                              <div key={`${device.kind} ${device.index}`}>
                                <Code>{device.kind}</Code> {device.name}
                              </div>
                            ))}
                          </Table.Td>
                          <Table.Td ta="right">{worker.slots}</Table.Td>
                          <Table.Td ta="right">{formatBytes(worker.memoryBytes)}</Table.Td>
                          <Table.Td ta="right">{formatBytes(worker.diskFreeBytes)}</Table.Td>
                          <Table.Td ta="right">{formatAgo(worker.lastSeen, now)}</Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              )}
            </Paper>
          )}
        </QueryView>
        {mayAdd && <WorkerCredentials />}
      </Stack>
    </>
  );
}

function labelsOf(labels: unknown): string[] {
  return Object.entries((labels ?? {}) as Record<string, string>).map(([name, value]) => `${name}=${value}`);
}
