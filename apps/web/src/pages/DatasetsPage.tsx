import { Anchor, Button, Code, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { useClient } from "urql";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { useNow } from "../hooks/use-now.ts";
import { usePages } from "../hooks/use-pages.ts";
import { usePolling } from "../hooks/use-polling.ts";
import { datasetsQuery } from "../services/documents.ts";
import { formatAgo, formatCount } from "../services/format.ts";

const pageSize = 50;

/** Every dataset of the projects that the user may see. */
export function DatasetsPage() {
  const client = useClient();
  const load = useCallback(
    async (after: string | null) => {
      const variables = { first: pageSize, after };
      const { data, error } = await client.query(datasetsQuery, variables, { requestPolicy: "network-only" });
      return { page: data?.datasets, error };
    },
    [client],
  );
  const datasets = usePages(load);
  const now = useNow(true, 30_000);
  const isMoving = datasets.data?.nodes.some((node) => node.latest.state === "INGESTING") ?? false;
  usePolling(datasets.refresh, isMoving);
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
      <QueryView state={datasets} onRetry={datasets.refresh}>
        {({ nodes, hasMore }) =>
          nodes.length === 0 ? (
            <NoDatasets />
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
                    {nodes.map((node) => (
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
              <LoadMore hasMore={hasMore} isLoading={datasets.isLoading} onMore={datasets.loadMore} />
            </Paper>
          )
        }
      </QueryView>
    </>
  );
}

/** The first thing that a new user meets: what a graph looks like as files, and one to try. */
function NoDatasets() {
  return (
    <Paper withBorder bg="var(--hop-surface)">
      <EmptyState
        title="No datasets yet"
        action={
          <Group mt="sm" justify="center">
            <Button component={Link} to="/datasets/new">
              Upload a graph
            </Button>
            <Button component={Link} to="/datasets/new?sample=true" variant="default">
              Try a sample graph
            </Button>
          </Group>
        }
      >
        <p>
          Upload an <b>edge list</b> (CSV, TSV or Parquet with the ids of two nodes per row) and, if you have it, a{" "}
          <b>nodes file</b> with an id, a label and features per row. Ids may be numbers or any text.
        </p>
        <Group justify="center" gap="md" align="flex-start">
          <Code block aria-label="Example of edges.csv" ta="left">
            {"src,dst\nada,grace\ngrace,alan"}
          </Code>
          <Code block aria-label="Example of nodes.csv" ta="left">
            {"id,label,split,f0\nada,maths,train,0.3\ngrace,navy,test,0.9"}
          </Code>
        </Group>
      </EmptyState>
    </Paper>
  );
}
