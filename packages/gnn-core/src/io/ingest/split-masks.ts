import type { NodesSection } from "../dataset-spec.ts";
import type { GrowableInt32 } from "./growable.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";
import { type SplitName, splitCodes } from "./split-words.ts";
import { isNo, isYes } from "./yes-no.ts";

type Texts = readonly (string | null)[];
type Masks = Pick<NodesSection, "splitMasks">;

const order = ["train", "val", "test"] as const satisfies readonly SplitName[];

/** The columns that mark the nodes of each split, in the order train, val, test. */
export function splitMaskColumns({ splitMasks }: Masks): readonly string[] {
  return order.flatMap((split) => splitMasks?.[split] ?? []);
}

/**
 * Adds the split of each row of mask columns, such as PyG's train_mask, val_mask and test_mask.
 *
 * @throws GnnError DATASET_VALUE_INVALID for a cell that is neither 0 nor 1, or a node in two splits
 */
export async function addSplitMasks(
  splits: GrowableInt32,
  batch: PlacedBatch,
  section: Masks,
  columns: readonly Texts[],
): Promise<void> {
  const names = splitMaskColumns(section);
  const codes = order.filter((split) => section.splitMasks?.[split] != null).map((split) => splitCodes[split]);
  for (let row = 0; row < batch.numRows; row++) {
    const cells = columns.map((column) => column[row] ?? "");
    const bad = cells.findIndex((cell) => cell !== "" && !isYes(cell) && !isNo(cell));
    if (bad >= 0) {
      const message = `${JSON.stringify(cells[bad])} marks nothing; expected 0 or 1, or true or false.`;
      throw await errorAt("DATASET_VALUE_INVALID", batch, row, names[bad]!, message);
    }
    const set = cells.flatMap((cell, i) => (isYes(cell) ? [i] : []));
    if (set.length > 1) {
      const message = `the node is in the split of "${names[set[0]!]}" too; a node belongs to one split.`;
      throw await errorAt("DATASET_VALUE_INVALID", batch, row, names[set[1]!]!, message);
    }
    splits.push(set.length === 0 ? splitCodes.none : codes[set[0]!]!);
  }
}
