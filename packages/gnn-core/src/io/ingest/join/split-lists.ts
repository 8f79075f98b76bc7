import type { NodesSection } from "../../dataset-spec.ts";
import { idListsOf } from "../../join-section.ts";
import type { IdIndex } from "../id-index.ts";
import { errorAt, type IngestContext, readSection } from "../ingest-context.ts";
import { splitCodes } from "../split-words.ts";
import { NodeRowsOf } from "./node-rows-of.ts";

type Texts = readonly (string | null)[];

/**
 * The side of each node as lists of ids say it; null: there are no such lists.
 *
 * @throws GnnError DATASET_DUPLICATE for a node that is listed twice, DATASET_NODE_UNKNOWN, and what readers throw
 */
export async function readSplitLists(
  context: IngestContext,
  section: Pick<NodesSection, "splitFiles" | "repeatedIds">,
  ids: IdIndex,
): Promise<Uint8Array | null> {
  const lists = idListsOf(section);
  if (lists.length === 0) return null;
  const codes = new Uint8Array(ids.size);
  for (const [side, list] of lists) {
    const rowsOf = new NodeRowsOf(ids, { ...list, repeatedIds: section.repeatedIds });
    for await (const batch of readSection(context, list, [{ name: list.id, as: "text" }], "read split")) {
      const nodes = await rowsOf.nodesOf(batch, batch.columns[0] as Texts);
      for (const [row, node] of nodes.entries()) {
        if (node < 0) continue;
        const other = lists.find(([one]) => one !== side && splitCodes[one] === codes[node]);
        if (other) {
          const id = JSON.stringify((batch.columns[0] as Texts)[row]);
          const message = `the node ${id} is in the list of ${other[0]} too; a node belongs to one side.`;
          throw await errorAt("DATASET_DUPLICATE", batch, row, list.id, message);
        }
        codes[node] = splitCodes[side];
      }
    }
    rowsOf.finish();
    if (rowsOf.numUnknown > 0) context.notes.add(dropped(rowsOf.numUnknown, `the list of ${side}`));
  }
  return codes;
}

/** What is said of rows whose ids no node has */
export function dropped(rows: number, where: string): string {
  const were = rows === 1 ? "row of it was" : "rows of it were";
  return `Joining ${where}: ${rows} ${were} left out, as ${rows === 1 ? "its id is" : "their ids are"} not among the nodes.`;
}
