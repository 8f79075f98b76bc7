import { Anchor, Button, Code, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type Column, DataTable } from "../components/DataTable/DataTable.tsx";
import { EmptyState } from "../components/EmptyState/EmptyState.tsx";
import { LoadMore } from "../components/LoadMore/LoadMore.tsx";
import { PageHeader } from "../components/PageHeader/PageHeader.tsx";
import { QueryView } from "../components/QueryView/QueryView.tsx";
import { StateBadge } from "../components/StateBadge/StateBadge.tsx";
import { type ListedDataset, useDatasets } from "../hooks/use-datasets.ts";
import { useNow } from "../hooks/use-now.ts";
import { formatAgo, formatCount } from "../services/format.ts";

/** Every dataset of the projects that the user may see. */
export function DatasetsPage() {
  const datasets = useDatasets();
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
              <DatasetTable datasets={nodes} />
              <LoadMore hasMore={hasMore} isLoading={datasets.isLoading} onMore={datasets.loadMore} />
            </Paper>
          )
        }
      </QueryView>
    </>
  );
}

function DatasetTable({ datasets }: { readonly datasets: readonly ListedDataset[] }) {
  const now = useNow(true, 30_000);
  return (
    <DataTable
      label="Datasets"
      columns={[...columns, { head: "Created", align: "right", cell: (node) => formatAgo(node.createdAt, now) }]}
      rows={datasets}
      rowKey={({ id }) => id}
      minWidth={620}
      spacing="list"
      highlightOnHover
    />
  );
}

const columns: readonly Column<ListedDataset>[] = [
  { head: "Name", cell: (node) => <DatasetName node={node} /> },
  { head: "State", cell: ({ latest }) => <StateBadge state={latest.state} size="sm" /> },
  { head: "Nodes", align: "right", cell: ({ latest }) => formatCount(latest.graph?.numNodes) },
  { head: "Edges", align: "right", cell: ({ latest }) => formatCount(latest.graph?.numEdges) },
  { head: "Features", align: "right", cell: ({ latest }) => formatCount(latest.graph?.numFeatures) },
  { head: "Classes", align: "right", cell: ({ latest }) => formatCount(latest.graph?.numClasses) },
];

function DatasetName({ node }: { readonly node: ListedDataset }) {
  return (
    <Group gap="xs">
      <Anchor component={Link} to={`/datasets/${node.id}`} fw={600} className="clip" title={node.name} maw={320}>
        {node.name}
      </Anchor>
      {node.latest.number > 1 && (
        <Text size="xs" c="dimmed">
          version {node.latest.number}
        </Text>
      )}
    </Group>
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
