import { GnnError } from "../errors/gnn-error.ts";
import { type ListFault, readList } from "./list-cells.ts";
import { saysMissing } from "./missing-words.ts";

export interface PlainColumn {
  readonly name: string;
  readonly as: "text" | "number";
  /** Texts of a page rather than of some letters, so that fewer of them are held in memory at a time */
  readonly areLong?: boolean;
  /** Words such as NA in a column of numbers are read as empty cells; left out: they are refused. */
  readonly mayBeMissing?: boolean;
  /** A column of text that fast ways may give as the numbers that its cells are written as; left out: it stays text. */
  readonly mayBeNumbers?: boolean;
}

/** A column that is to be read, and as what: a vector has `width` numbers in each cell. */
export type WantedColumn =
  | PlainColumn
  | { readonly name: string; readonly as: "vector"; readonly width: number; readonly mayBeMissing?: boolean };

/** Where the cells of one batch stand. */
export interface CellPlace {
  readonly file: string;
  readonly field: string;
  /** 1-based line of a row of the batch */
  readonly lineOf: (row: number) => Promise<number>;
}

/**
 * The cells of one column as vectors, [rows × width]; NaN throughout for one that is empty.
 *
 * @throws GnnError DATASET_VALUE_INVALID naming the row whose list is shorter or longer, or holds what is no number
 */
export async function vectorsOf(
  cells: readonly (string | null)[],
  { width, mayBeMissing = false }: { readonly width: number; readonly mayBeMissing?: boolean },
  place: CellPlace,
): Promise<Float64Array> {
  const values = new Float64Array(cells.length * width);
  for (const [row, cell] of cells.entries()) {
    if (cell === null || cell.trim() === "" || (mayBeMissing && saysMissing(cell))) {
      values.fill(Number.NaN, row * width, (row + 1) * width);
      continue;
    }
    const fault = readList(cell, width, values, row * width);
    if (fault) throw await faultAt(fault, width, row, place);
  }
  return values;
}

async function faultAt(fault: ListFault, width: number, row: number, { file, field, lineOf }: CellPlace) {
  const line = await lineOf(row);
  const said =
    fault.kind === "width"
      ? `found a list of ${fault.found} numbers, expected ${width}; every row has as many. Correct the row, or the width`
      : `"${fault.text.slice(0, 80)}", number ${fault.position} of the list, is not a finite number; correct it, or leave the column out`;
  return new GnnError("DATASET_VALUE_INVALID", `${file}, line ${line}, column "${field}": ${said}.`, {
    place: { file, line, field },
  });
}
