import type { NodesSection } from "../dataset-spec.ts";
import type { WantedColumn } from "../wanted-column.ts";
import type { IdIndex } from "./id-index.ts";
import type { IngestContext, PlacedBatch } from "./ingest-context.ts";
import { type Joined, openJoined, readJoined } from "./join/read-joined.ts";
import { findLastRows, type LastRows } from "./last-rows.ts";
import { readNodeSection } from "./read-last-rows.ts";

/** What the cells of nodes are read of, beside the rows of their own table as they stand. */
export interface NodeSource {
  /** null: no row replaces another */
  readonly last: LastRows | null;
  /** null: no other table says something of the nodes; else all ids are known before the first row is read */
  readonly joined: Joined | null;
}

export const plainSource: NodeSource = { last: null, joined: null };

/** @param areIdsLocal ids are unique in their graph alone, and no table is joined */
export async function openNodes(
  context: IngestContext,
  section: NodesSection,
  ids: IdIndex,
  areIdsLocal: boolean,
): Promise<NodeSource> {
  const last = await findLastRows(context, section, areIdsLocal);
  return { last, joined: await openJoined(context, section, ids, last) };
}

/** Streams the nodes in their order, with these columns of whatever table has them. */
export function readNodeColumns(
  context: IngestContext,
  section: NodesSection,
  columns: readonly WantedColumn[],
  phase: string,
  { last, joined }: NodeSource,
): AsyncIterable<PlacedBatch> {
  return joined
    ? readJoined(context, section, columns, phase, { joined, last })
    : readNodeSection(context, section, columns, phase, last);
}
