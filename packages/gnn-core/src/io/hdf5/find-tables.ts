import { anndataFrames, isAnndataFrame } from "./anndata-frames.ts";
import type { Hdf5Array } from "./hdf5-messages.ts";
import type { Hdf5Contents, Hdf5Table } from "./hdf5-table.ts";
import { pandasFrames } from "./pandas-frames.ts";
import { structuredTables } from "./structured-tables.ts";

/** The tables of a file: structured arrays, those of PyTables, frames of pandas and of AnnData. */
export function tablesOf(contents: Hdf5Contents): Hdf5Table[] {
  return [...structuredTables(contents), ...pandasFrames(contents), ...anndataFrames(contents)];
}

/** What AnnData knows of each of its cells, which it calls observations; undefined: the file is none of AnnData. */
export function observationsOf(tables: readonly Hdf5Table[], { groups }: Hdf5Contents): Hdf5Table | undefined {
  const isOfAnndata = groups.some((group) => group.path === "obs" && isAnndataFrame(group));
  return isOfAnndata ? tables.find(({ path }) => path === "obs") : undefined;
}

/** What PyTables keeps of an index of rows */
const ofIndex = /(^|\/)_i_[^/]*\//;

/** The data sets that are not there for a table. */
export function arraysBeside(tables: readonly Hdf5Table[], { arrays, groups }: Hdf5Contents): Hdf5Array[] {
  const columns = tables.flatMap((table) => table.columns);
  const read = new Set(columns.flatMap(({ array, categories }) => [array, categories?.array]));
  const frames = groups
    .filter(({ attributes }) => /^frame$|_table$/.test(attributes["pandas_type"]?.[0] ?? ""))
    .map(({ path }) => `${path}/`);
  return arrays.filter(
    (array) => !read.has(array) && !ofIndex.test(array.path) && !frames.some((frame) => array.path.startsWith(frame)),
  );
}
