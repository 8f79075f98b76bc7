import type { NodesSection } from "../../dataset-spec.ts";
import { named } from "../../preview/left-out.ts";
import type { WantedColumn } from "../../wanted-column.ts";
import { addIds } from "../add-ids.ts";
import type { Cells } from "../cells.ts";
import type { IdIndex } from "../id-index.ts";
import { type FoundPlace, type IngestContext, type PlacedBatch, placeIn, readSection } from "../ingest-context.ts";
import type { LastRows } from "../last-rows.ts";
import { placeOfRow } from "../place-of-row.ts";
import { readNodeSection } from "../read-last-rows.ts";
import { type JoinedTable, JoinedTables } from "./joined-tables.ts";
import { NodeRowsOf } from "./node-rows-of.ts";
import { type CellsOfNodes, RowsByNode } from "./rows-by-node.ts";
import { dropped, readSplitLists } from "./split-lists.ts";

type Texts = readonly (string | null)[];

/** Further tables of the nodes of a section, once all ids of these are known */
export interface Joined {
  readonly ids: IdIndex;
  readonly tables: JoinedTables;
  /** The side of each node, of lists of ids; null: there are none */
  readonly sides: Uint8Array | null;
}

/**
 * Reads the ids of the nodes, by which rows of other tables are looked up, and the lists of the split.
 *
 * @param ids the nodes' own, which this fills
 * @returns null where the section joins nothing
 */
export async function openJoined(
  context: IngestContext,
  section: NodesSection,
  ids: IdIndex,
  last: LastRows | null,
): Promise<Joined | null> {
  if (!section.join && !section.splitFiles) return null;
  const tables = await JoinedTables.open(context, section);
  const column = [{ name: section.id, as: "text" as const }];
  for await (const batch of readNodeSection(context, section, column, "read ids", last))
    await addIds(ids, batch, batch.columns[0] as Texts, section.id);
  return { ids, tables, sides: await readSplitLists(context, section, ids) };
}

/**
 * Streams the rows of the nodes, each with the cells that other tables have for it; a node without a row there has
 * empty ones.
 *
 * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_DUPLICATE, DATASET_VALUE_INVALID and what readers throw
 */
export async function* readJoined(
  context: IngestContext,
  section: NodesSection,
  wanted: readonly WantedColumn[],
  phase: string,
  { joined, last }: { readonly joined: Joined; readonly last: LastRows | null },
): AsyncIterable<PlacedBatch> {
  const [own, ...others] = joined.tables.sourcesOf(wanted);
  const ownColumns = own!.columns.length > 0 ? own!.columns : [{ name: section.id, as: "text" as const }];
  const open: OpenTable[] = [];
  try {
    for (const { table, columns, places } of others) {
      if (!table || columns.length === 0) continue;
      const rows = new RowsByNode(columns, joined.ids.size, context.scratchDir);
      open.push({ table, rows, places });
      await writeRows(context, section, table, { columns, rows, ids: joined.ids });
    }
    let first = 0;
    for await (const batch of readNodeSection(context, section, ownColumns, phase, last)) {
      const found: FoundRows[] = [];
      for (const one of open) found.push({ ...one, ...(await one.rows.read(first, batch.numRows)) });
      yield withCells(context, batch, { wanted, own: own!.places, found });
      first += batch.numRows;
    }
  } finally {
    for (const { rows } of open) await rows.close();
  }
}

interface OpenTable {
  readonly table: JoinedTable;
  readonly rows: RowsByNode;
  readonly places: readonly number[];
}

async function writeRows(
  context: IngestContext,
  { repeatedIds }: NodesSection,
  table: JoinedTable,
  {
    columns,
    rows,
    ids,
  }: { readonly columns: readonly WantedColumn[]; readonly rows: RowsByNode; readonly ids: IdIndex },
): Promise<void> {
  const { section } = table;
  const rowsOf = new NodeRowsOf(ids, { ...section, repeatedIds });
  const read = [{ name: section.id, as: "text" as const }, ...columns];
  let firstRow = 0;
  for await (const batch of readSection(context, section, read, "read joined rows")) {
    const [given, ...cells] = batch.columns;
    const nodes = await rowsOf.nodesOf(batch, given as Texts);
    for (const [row, node] of nodes.entries()) if (node >= 0) rows.write(node, firstRow + row, cells, row);
    await rows.flush();
    firstRow += batch.numRows;
  }
  rowsOf.finish();
  const where = `the table with ${named([...table.columns.keys()])}`;
  if (rowsOf.numUnknown > 0) context.notes.add(dropped(rowsOf.numUnknown, where));
  const without = ids.size - rowsOf.numSeen;
  if (without > 0) {
    const have = without === 1 ? "has" : "have";
    context.notes.add(`Joining ${where}: ${without} of ${ids.size} nodes ${have} no row in it, and nothing of it.`);
  }
}

interface FoundRows extends Pick<OpenTable, "table" | "places">, CellsOfNodes {}

interface Sources {
  readonly wanted: readonly WantedColumn[];
  readonly own: readonly number[];
  readonly found: readonly FoundRows[];
}

function withCells(context: IngestContext, batch: PlacedBatch, { wanted, own, found }: Sources): PlacedBatch {
  const columns: Cells[] = wanted.map(() => []);
  for (const [i, place] of own.entries()) columns[place] = batch.columns[i]!;
  for (const { places, cells } of found) for (const [i, place] of places.entries()) columns[place] = cells[i]!;
  const placeOf = async (row: number, field: string): Promise<FoundPlace> => {
    const source = found.find(({ places }) => places.some((place) => wanted[place]!.name === field));
    if (!source) return placeIn(batch, row, field);
    const { section, columns: called } = source.table;
    if (source.rows[row]! < 0) {
      const note = `The node has no row in ${section.files.join(", ")}.`;
      return { ...(await placeIn(batch, row, field)), note };
    }
    const place = await placeOfRow(context, section.files, section.reader, source.rows[row]!);
    return { ...place, field: called.get(field) ?? field };
  };
  return { ...batch, columns, placeOf };
}
