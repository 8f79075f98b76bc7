import { anndataFrames } from "./anndata-frames.ts";
import type { Hdf5Array } from "./hdf5-messages.ts";
import type { Hdf5Contents, Hdf5Table } from "./hdf5-table.ts";
import { pandasFrames } from "./pandas-frames.ts";
import { structuredTables } from "./structured-tables.ts";

/** The tables of a file: structured arrays, those of PyTables, frames of pandas and of AnnData. */
export function tablesOf(contents: Hdf5Contents): Hdf5Table[] {
  const found = [...structuredTables(contents), ...pandasFrames(contents), ...anndataFrames(contents)];
  return found.filter(({ numRows, columns }) => numRows > 0 && columns.length > 0);
}

/** The data sets that tables are read from. */
export function arraysOfTables(tables: readonly Hdf5Table[]): ReadonlySet<Hdf5Array> {
  const columns = tables.flatMap((table) => table.columns);
  return new Set(columns.flatMap(({ array, categories }) => (categories ? [array, categories.array] : [array])));
}
