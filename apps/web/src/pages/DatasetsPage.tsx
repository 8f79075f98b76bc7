import { Anchor, Button, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { useQuery } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePolling } from "../hooks/use-polling.ts";
import { datasetsQuery } from "../services/documents.ts";
import { formatAgo, formatCount } from "../services/format.ts";

/** Every dataset of the projects that the user may see. */
export function DatasetsPage() {
  const [state, refetch] = useQuery({ query: datasetsQuery, variables: { first: 200, after: null } });
  const now = useNow(true, 30_000);
  const refresh = useCallback(() => refetch({ requestPolicy: "network-only" }), [refetch]);
  const isMoving = state.data?.datasets.edges.some(({ node }) => node.latest.state === "INGESTING") ?? false;
  usePolling(refresh, isMoving);
  return (
    <>
      <PageHeader
        title="Datasets"
        help="A dataset is a graph: edges between nodes, with features and labels for the nodes if you have them."
        actions={
          <Button component={Link} to="/datasets/new">
            New dataset
          </Button>
        }
      />
      <QueryView state={state} onRetry={refresh}>
        {(data) =>
          data.datasets.edges.length === 0 ? (
            <Paper withBorder bg="var(--hop-surface)">
              <EmptyState
                title="No datasets yet"
                action={
                  <Button component={Link} to="/datasets/new" mt="sm">
                    Upload a graph
                  </Button>
                }
              >
                Upload an edge list as CSV or Parquet; a file with the nodes' features and labels if there is one.
              </EmptyState>
            </Paper>
          ) : (
            <Paper withBorder bg="var(--hop-surface)">
              <Table.ScrollContainer minWidth={620}>
                <Table highlightOnHover verticalSpacing="sm" horizontalSpacing="md" aria-label="Datasets">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Name</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th ta="right">Nodes</Table.Th>
                      <Table.Th ta="right">Edges</Table.Th>
                      <Table.Th ta="right">Features</Table.Th>
                      <Table.Th ta="right">Classes</Table.Th>
                      <Table.Th ta="right">Created</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody className="num">
                    {data.datasets.edges.map(({ node }) => (
                      <Table.Tr key={node.id}>
                        <Table.Td>
                          <Group gap="xs">
                            <Anchor component={Link} to={`/datasets/${node.id}`} fw={600}>
                              {node.name}
                            </Anchor>
                            {node.latest.number > 1 && (
                              <Text size="xs" c="dimmed">
                                version {node.latest.number}
                              </Text>
                            )}
                          </Group>
                        </Table.Td>
                        <Table.Td>
                          <StateBadge state={node.latest.state} size="sm" />
                        </Table.Td>
                        <Table.Td ta="right">{formatCount(node.latest.graph?.numNodes)}</Table.Td>
                        <Table.Td ta="right">{formatCount(node.latest.graph?.numEdges)}</Table.Td>
                        <Table.Td ta="right">{formatCount(node.latest.graph?.numFeatures)}</Table.Td>
                        <Table.Td ta="right">{formatCount(node.latest.graph?.numClasses)}</Table.Td>
                        <Table.Td ta="right">{formatAgo(node.createdAt, now)}</Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            </Paper>
          )
        }
      </QueryView>
    </>
  );
}
