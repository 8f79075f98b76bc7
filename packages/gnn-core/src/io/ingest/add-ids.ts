import type { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";

/**
 * Adds the ids of a batch of nodes, each of which has one row.
 *
 * @param field the column that they stand in
 * @throws GnnError DATASET_VALUE_INVALID of an empty one, DATASET_DUPLICATE of one that is there before
 */
export async function addIds(
  ids: IdIndex,
  batch: PlacedBatch,
  column: readonly (string | null)[],
  field: string,
): Promise<void> {
  for (let row = 0; row < batch.numRows; row++) {
    const id = idOf(column[row]!);
    if (id === "") throw await errorAt("DATASET_VALUE_INVALID", batch, row, field, "the id is empty.");
    if (ids.addNew(id)) continue;
    const message = `the id ${JSON.stringify(id)} is there a second time; every node has one row. Remove one, or set repeatedIds to last: a later row then replaces the earlier ones.`;
    throw await errorAt("DATASET_DUPLICATE", batch, row, field, message);
  }
}
