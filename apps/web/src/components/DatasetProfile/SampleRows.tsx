import { SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { absent } from "../../services/format.ts";
import { DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import type { GraphProfile } from "./graph-profile.ts";

type Row = readonly (string | null)[];

/** The first rows of the nodes and of the edges, as they were read. */
export function SampleRows({ profile: { sample } }: { readonly profile: GraphProfile }) {
  const [chosen, setChosen] = useState(sample.nodes.rows.length > 0 ? "nodes" : "edges");
  const { columns, rows } = chosen === "nodes" ? sample.nodes : sample.edges;
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label="Rows of"
      value={chosen}
      onChange={setChosen}
      data={[
        { value: "nodes", label: "Nodes file" },
        { value: "edges", label: "Edges file" },
      ]}
    />
  );
  return (
    <Panel title="First rows" help="With your own ids; only mapped columns are read." aside={choice}>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          There is no file of {chosen}: the nodes are the ids that the edges name.
        </Text>
      ) : (
        <DataTable
          label={`First rows of the ${chosen}`}
          columns={columns.map((head, at) => ({
            head,
            key: `${at} ${head}`,
            cell: (row: Row) => row[at] ?? absent,
          }))}
          rows={rows}
          rowKey={(_row, index) => index}
          minWidth={Math.max(300, columns.length * 90)}
        />
      )}
    </Panel>
  );
}
