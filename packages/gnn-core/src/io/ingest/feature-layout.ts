import type { MissingFeature, NodesSection } from "../dataset-spec.ts";
import { checkColumns, type ReadingLimits } from "../limits/reading-limits.ts";
import type { WantedColumn } from "../wanted-column.ts";

/** A column of the nodes file whose numbers are the columns [first, first + width) of the features. */
export interface FeatureColumn {
  readonly name: string;
  readonly first: number;
  /** Numbers in each cell; null: the cell is one number, no list */
  readonly width: number | null;
  /** What is taken where a cell is empty; null: such a cell is refused */
  readonly missing: MissingFeature | null;
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
 * Lays scalars and vectors side by side in the order of the spec, each with its indicator of missing values behind it:
 *
 *   age (may be missing), embedding (3 numbers)  →  columns 0, 1 for the indicator | 2 3 4
 *
 * @param numBefore columns of kinds, which stand before them
 * @throws GnnError DATASET_LIMIT_EXCEEDED when these are more columns than a graph may have
 */
export function featureLayoutOf(
  { files, features }: NodesSection,
  limits: ReadingLimits,
  numBefore = 0,
): FeatureLayout {
  const columns: FeatureColumn[] = [];
  let dim = numBefore;
  if (features && "columns" in features) {
    for (const name of features.columns) {
      const width = valueOf(features.widths, name);
      const missing = valueOf(features.missing, name);
      columns.push({ name, first: dim, width, missing });
      dim += (width ?? 1) + (missing?.indicator ? 1 : 0);
    }
  }
  checkColumns(files[0] as string, dim, limits);
  const scalars = columns.filter(({ width }) => width === null);
  return { columns, scalars, wanted: columns.map(wantedOf), dim };
}

function valueOf<T>(record: Readonly<Record<string, T>>, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] as T) : null;
}

/** How the cells of a feature column are read. */
export function wantedOf({ name, width, missing }: FeatureColumn): WantedColumn {
  const mayBeMissing = missing !== null;
  return width === null ? { name, as: "number", mayBeMissing } : { name, as: "vector", width, mayBeMissing };
}

/** Those columns of a batch that have one number in each row. */
export function scalarsOf({ columns }: FeatureLayout, values: readonly Float64Array[]): Float64Array[] {
  return values.filter((_, i) => columns[i]!.width === null);
}
