import { GnnError } from "../../errors/gnn-error.ts";
import type { NodesSection } from "../dataset-spec.ts";
import { errorAt, type IngestContext, type PlacedBatch } from "./ingest-context.ts";
import { type NodeSource, readNodeColumns } from "./node-source.ts";
import { TextCodes } from "./text-codes.ts";

/** A column whose values become columns of 0 and 1 */
export interface OneHotColumn {
  readonly name: string;
  /** In the order of the columns that they become */
  readonly values: readonly string[];
}

/** Columns with more values than this hold names or numbers, not kinds. */
const mostValues = 1_000;

export function oneHotNames({ features }: NodesSection): readonly string[] {
  return features && "columns" in features ? (features.oneHot ?? []) : [];
}

/** Columns of the features that the values become */
export function oneHotDim(columns: readonly OneHotColumn[]): number {
  return columns.reduce((sum, { values }) => sum + values.length, 0);
}

/**
 * The values of the columns, from a pass over the files of its own: how wide a row is has to be known before the first
 * is written.
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED of a column of more values than kinds can have
 */
export async function readOneHotColumns(
  context: IngestContext,
  section: NodesSection,
  source: NodeSource,
): Promise<OneHotColumn[]> {
  const names = oneHotNames(section);
  if (names.length === 0) return [];
  const codes = names.map(() => new TextCodes());
  const columns = names.map((name) => ({ name, as: "text" as const }));
  for await (const batch of readNodeColumns(context, section, columns, "read kinds", source)) {
    for (const [i, cells] of batch.columns.entries()) {
      for (const cell of cells as readonly (string | null)[]) {
        const value = (cell ?? "").trim();
        const isOneMore = value !== "" && (codes[i] as TextCodes).codeOf(value) >= mostValues;
        if (isOneMore) throw tooMany(batch.file, names[i] as string);
      }
    }
  }
  return names.map((name, i) => ({ name, values: (codes[i] as TextCodes).finish().texts }));
}

function tooMany(file: string, field: string): GnnError {
  const message = `${file}, column "${field}": it has more than ${mostValues} different values, and each would become a feature; expected kinds, such as those of atoms. Map it as a number, or leave it out.`;
  return new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file, field } });
}

/** Writes the ones into rows of features. */
export class OneHotCells {
  readonly dim: number;
  readonly #columns: readonly { readonly name: string; readonly at: ReadonlyMap<string, number> }[];

  constructor(columns: readonly OneHotColumn[]) {
    let dim = 0;
    this.#columns = columns.map(({ name, values }) => {
      const at = new Map(values.map((value, i) => [value, dim + i]));
      dim += values.length;
      return { name, at };
    });
    this.dim = dim;
  }

  /**
   * @param rows float32 [batch, width], whose first `dim` columns are zeros
   * @throws GnnError DATASET_VALUE_INVALID of an empty cell
   */
  async write(batch: PlacedBatch, cells: readonly (readonly (string | null)[])[], rows: Float32Array, width: number) {
    for (const [i, { name, at }] of this.#columns.entries()) {
      for (const [row, cell] of (cells[i] ?? []).entries()) {
        const column = at.get((cell ?? "").trim());
        if (column === undefined) {
          throw await errorAt("DATASET_VALUE_INVALID", batch, row, name, "the kind is empty; expected a value.");
        }
        rows[row * width + column] = 1;
      }
    }
  }
}
