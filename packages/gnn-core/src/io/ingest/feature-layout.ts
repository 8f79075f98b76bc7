import type { NodesSection } from "../dataset-spec.ts";
import { checkColumns, type ReadingLimits } from "../limits/reading-limits.ts";
import type { WantedColumn } from "../wanted-column.ts";
import { errorAt, type PlacedBatch } from "./ingest-context.ts";

/** A column of the nodes file whose numbers are the columns [first, first + width) of the features. */
export interface FeatureColumn {
  readonly name: string;
  readonly first: number;
  /** Numbers in each cell; null: the cell is one number, no list */
  readonly width: number | null;
}

/** Which feature column of the graph holds what of the nodes file. */
export interface FeatureLayout {
  readonly columns: readonly FeatureColumn[];
  /** The columns that hold one number in each cell */
  readonly scalars: readonly FeatureColumn[];
  /** What is read of the file, in the order of `columns` */
  readonly wanted: readonly WantedColumn[];
  readonly dim: number;
}

/**
 * Lays scalars and vectors side by side in the order of the spec:
 *
 *   age, embedding (3 numbers)  →  columns 0 | 1 2 3
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED when these are more columns than a graph may have
 */
export function featureLayoutOf({ files, features }: NodesSection, limits: ReadingLimits): FeatureLayout {
  const { columns: names, widths } = features && "columns" in features ? features : { columns: [], widths: {} };
  const columns: FeatureColumn[] = [];
  let dim = 0;
  for (const name of names) {
    const width = Object.hasOwn(widths, name) ? (widths[name] as number) : null;
    columns.push({ name, first: dim, width });
    dim += width ?? 1;
  }
  checkColumns(files[0] as string, dim, limits);
  const wanted = columns.map(
    ({ name, width }): WantedColumn => (width === null ? { name, as: "number" } : { name, as: "vector", width }),
  );
  return { columns, scalars: columns.filter(({ width }) => width === null), wanted, dim };
}

/** Those columns of a batch that have one number in each row. */
export function scalarsOf({ columns }: FeatureLayout, values: readonly Float64Array[]): Float64Array[] {
  return values.filter((_, i) => columns[i]!.width === null);
}

/**
 * The feature rows of a batch, float32 [rows, dim].
 *
 * @throws GnnError DATASET_VALUE_INVALID naming the row of what is empty or does not fit float32
 */
export async function featureRows(
  { columns, dim }: FeatureLayout,
  batch: PlacedBatch,
  values: readonly Float64Array[],
): Promise<Float32Array> {
  const rows = new Float32Array(batch.numRows * dim);
  for (const [i, column] of columns.entries()) {
    const width = column.width ?? 1;
    const cells = values[i]!;
    for (let at = 0; at < cells.length; at++) {
      const value = Math.fround(cells[at]!);
      const row = Math.floor(at / width);
      if (!Number.isFinite(value)) throw await badFeature(batch, row, column.name, value);
      rows[row * dim + column.first + (at % width)] = value;
    }
  }
  return rows;
}

function badFeature(batch: PlacedBatch, row: number, field: string, value: number): Promise<Error> {
  const message = Number.isNaN(value) ? "the feature is empty; expected a number." : "the number does not fit float32.";
  return errorAt("DATASET_VALUE_INVALID", batch, row, field, message);
}
