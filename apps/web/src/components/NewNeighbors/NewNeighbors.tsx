import { Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import { useQuery } from "urql";
import { foundNeighborsQuery, newNeighborsQuery } from "../../services/documents/results.ts";
import { formatFigure } from "../../services/format.ts";
import type { ResultOf } from "../../services/graphql.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { DownloadButton } from "../DownloadButton/DownloadButton.tsx";
import { NodeForm } from "../NodeForm/NodeForm.tsx";
import { Panel } from "../Panel/Panel.tsx";
import { QueryView } from "../QueryView/QueryView.tsx";

type Found = NonNullable<ResultOf<typeof newNeighborsQuery>["job"]>["newNeighbors"]["neighbors"][number];

/** Looks up whom a node is likeliest linked with and is not yet. */
export function NewNeighbors({ jobId }: { readonly jobId: string }) {
  const [node, setNode] = useState<string | null>(null);
  return (
    <Panel
      title="New neighbours"
      help="The nodes that a node is likeliest linked with and is not yet."
      aside={<Downloads jobId={jobId} />}
    >
      <NodeForm onLookUp={setNode} />
      {node !== null && <NeighborsOf key={node} jobId={jobId} node={node} />}
    </Panel>
  );
}

function NeighborsOf({ jobId, node }: { readonly jobId: string; readonly node: string }) {
  const [relation, setRelation] = useState<string | null>(null);
  const [state, refetch] = useQuery({ query: newNeighborsQuery, variables: { id: jobId, node, relation } });
  return (
    <QueryView state={state} onRetry={() => refetch({ requestPolicy: "network-only" })} shape="lines">
      {({ job }) => {
        const { neighbors = [], relations = [] } = job?.newNeighbors ?? {};
        if (neighbors.length === 0) {
          return (
            <Text size="sm" c="dimmed" mt="md">
              {node} is linked with every node that it may be linked with.
            </Text>
          );
        }
        const rows = neighbors.map((one, i) => ({ ...one, rank: i + 1 }));
        return (
          <>
            {relations.length > 1 && (
              <Select
                label="Relation"
                placeholder="All"
                data={relations}
                value={relation}
                onChange={setRelation}
                clearable
                maw={260}
                mt="md"
              />
            )}
            <DataTable
              label={`New neighbours of ${node}`}
              columns={relations.length > 0 ? typedColumns : columns}
              rows={rows}
              rowKey={({ id }) => id}
              minWidth={320}
            />
          </>
        );
      }}
    </QueryView>
  );
}

type Row = Found & { readonly rank: number };

const columns: readonly Column<Row>[] = [
  { head: "Rank", align: "right", cell: ({ rank }) => rank },
  { head: "Node", isRowHead: true, cell: ({ id }) => id },
  { head: "Score", align: "right", cell: ({ score }) => formatFigure(score) },
];

const typedColumns: readonly Column<Row>[] = [
  ...columns.slice(0, 2),
  { head: "Type", cell: ({ type }) => type },
  { head: "Relations", cell: ({ relations }) => relations.join(", ") },
  ...columns.slice(2),
];

/** The lists of all nodes and the scores of the held-out pairs, as files that are made. */
function Downloads({ jobId }: { readonly jobId: string }) {
  const [{ data }] = useQuery({ query: foundNeighborsQuery, variables: { id: jobId } });
  const made = data?.job?.predictionDownloads.filter(({ ready }) => ready) ?? [];
  return (
    <Group gap="xs">
      {made.map(({ name, url, bytes }) => (
        <DownloadButton key={url} label={name} url={url} bytes={bytes} ready />
      ))}
    </Group>
  );
}
