import type { CellValue } from "../hdf5/table-cells.ts";
import type { NamedArrays, NodeTable } from "./numpy-arrays.ts";
import { asField, objectionTo } from "./numpy-texts.ts";

/** The table with a row for each node. What has other rows is left out; null: there is none. */
export function tableOfNodes({ nodes }: NamedArrays, numNodes: number, notes: string[]): NodeTable | null {
  if (!nodes) return null;
  notes.push(...nodes.notes);
  if (nodes.numRows === numNodes) return nodes;
  notes.push(`the table ${nodes.path} is left out: it has ${nodes.numRows} rows, and there are ${numNodes} nodes.`);
  return null;
}

/** What the first column calls the nodes; null: it does not name each of them. */
export async function namesInTable(table: NodeTable, notes: string[]): Promise<string[] | null> {
  const names: string[] = [];
  for await (const rows of table.rows(null)) for (const [name] of rows) names.push(String(name ?? ""));
  const objection = objectionTo(names, table.numRows);
  if (objection === null) return names;
  notes.push(`the names of ${table.path} are left out, and nodes go by their numbers: ${objection}.`);
  return null;
}

/**
 * The other columns of a table of nodes, as the end of each line of a file of ours.
 *
 * @param taken names of columns that stand before them
 * @param count lines
 */
export function furtherFields(table: NodeTable, taken: readonly string[], count: number) {
  const names = table.columns.slice(1).map((name) => asField(taken.includes(name) ? `${table.path}_${name}` : name));
  async function* fields(): AsyncGenerator<string, string> {
    for await (const rows of table.rows(count))
      for (const row of rows)
        yield row
          .slice(1)
          .map((value) => `,${fieldOf(value)}`)
          .join("");
    return "";
  }
  return { names, fields: fields() };
}

function fieldOf(value: CellValue): string {
  if (value === null) return "";
  return asField(typeof value === "object" ? JSON.stringify(value) : String(value));
}
