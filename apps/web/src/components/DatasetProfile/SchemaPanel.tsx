import { formatCount } from "../../services/format.ts";
import type { SchemaRelation } from "../../services/schema-layout.ts";
import { type Column, DataTable } from "../DataTable/DataTable.tsx";
import { Panel } from "../Panel/Panel.tsx";
import type { Graph } from "./graph-profile.ts";
import { SchemaPicture } from "./SchemaPicture.tsx";

/** More types than these are listed alone: their names would lie over each other. */
const mostDrawn = 12;

/** Types of nodes and the relations between them, drawn and listed; a graph of one kind has none to show. */
export function SchemaPanel({ graph: { nodeTypes, relations } }: { readonly graph: Graph }) {
  if (relations === null || relations.length === 0) return null;
  return (
    <Panel
      title="Types and relations"
      help="Which types of nodes the edges join. Numbers count nodes and stored edges."
    >
      {nodeTypes.length <= mostDrawn && <SchemaPicture types={nodeTypes} relations={relations} />}
      <DataTable
        label="Relations"
        columns={columns}
        rows={relations}
        rowKey={({ source, name, target }) => JSON.stringify([source, name, target])}
        minWidth={420}
      />
    </Panel>
  );
}

const columns: readonly Column<SchemaRelation>[] = [
  { head: "From", cell: ({ source }) => source },
  { head: "Relation", cell: ({ name }) => name },
  { head: "To", cell: ({ target }) => target },
  { head: "Edges", align: "right", cell: ({ count }) => formatCount(count) },
];
