import type { NodesSection } from "../dataset-spec.ts";
import type { IdIndex } from "./id-index.ts";
import { idOf } from "./id-warnings.ts";
import { errorAt, type IngestContext, type PlacedBatch, readSection } from "./ingest-context.ts";
import type { LabelPairs } from "./label-pairs.ts";
import { isNo, isYes } from "./yes-no.ts";

type Texts = readonly (string | null)[];
type LabelFile = NonNullable<NodesSection["labelFile"]>;

/** Adds the labels of one cell, cut at the separator; blanks around them do not count, an empty cell is unlabelled. */
export function addLabelCell(pairs: LabelPairs, node: number, cell: string | null, separator: string): void {
  const labels = (cell ?? "").split(separator).map((label) => label.trim());
  for (const label of labels) if (label !== "") pairs.add(node, label);
}

/**
 * Adds the rows of 0/1 columns, one column for each label.
 *
 * @throws GnnError DATASET_VALUE_INVALID for a cell that is neither, or is empty where others of its row are not
 */
export async function addLabelColumns(
  pairs: LabelPairs,
  batch: PlacedBatch,
  firstNode: number,
  names: readonly string[],
  columns: readonly Texts[],
): Promise<void> {
  for (const name of names) pairs.declare(name);
  for (let row = 0; row < batch.numRows; row++) {
    const cells = columns.map((column) => column[row] ?? "");
    if (cells.every((cell) => cell === "")) continue;
    const bad = cells.findIndex((cell) => !isYes(cell) && !isNo(cell));
    if (bad >= 0) {
      const message = `${JSON.stringify(cells[bad])} is neither 0 nor 1; leave all label columns of a row empty when nothing is known.`;
      throw await errorAt("DATASET_VALUE_INVALID", batch, row, names[bad]!, message);
    }
    pairs.know(firstNode + row);
    for (const [i, cell] of cells.entries()) if (isYes(cell)) pairs.add(firstNode + row, names[i]!);
  }
}

/**
 * Reads a table of node and label, once the nodes are known.
 *
 * @throws GnnError DATASET_NODE_UNKNOWN, DATASET_VALUE_INVALID and what the readers throw
 */
export async function readLabelFile(
  context: IngestContext,
  spec: LabelFile,
  ids: IdIndex,
  pairs: LabelPairs,
): Promise<void> {
  const columns = [spec.node, spec.label].map((name) => ({ name, as: "text" as const }));
  for await (const batch of readSection(context, spec, columns, "read labels")) {
    const [nodes, labels] = batch.columns as readonly [Texts, Texts];
    for (let row = 0; row < batch.numRows; row++) {
      const node = ids.indexOf(idOf(nodes[row]!));
      if (node < 0) {
        const message = `${JSON.stringify(nodes[row])} is not among the nodes. Add it to the nodes file, or remove the row.`;
        throw await errorAt("DATASET_NODE_UNKNOWN", batch, row, spec.node, message);
      }
      const label = (labels[row] ?? "").trim();
      if (label === "") throw await errorAt("DATASET_VALUE_INVALID", batch, row, spec.label, "the label is empty.");
      pairs.add(node, label);
    }
  }
}
