import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";
import { cellsOf, type Hdf5Column, type Hdf5Contents, type Hdf5Table, plainColumn, unfitColumn } from "./hdf5-table.ts";

/**
 * Frames as AnnData writes them: a group with a data set or a group of categories for each column, which its attributes
 * name.
 *
 * https://anndata.readthedocs.io/en/stable/fileformat-prose.html
 */
export function anndataFrames({ arrays, groups }: Hdf5Contents): Hdf5Table[] {
  return groups.filter(isAnndataFrame).map((group) => frameOf(group, arrays, groups));
}

export function isAnndataFrame({ attributes }: Hdf5Group): boolean {
  return attributes["encoding-type"]?.[0] === "dataframe";
}

function frameOf(
  { path, attributes }: Hdf5Group,
  arrays: readonly Hdf5Array[],
  groups: readonly Hdf5Group[],
): Hdf5Table {
  const index = attributes["_index"]?.[0] ?? "_index";
  const columns: Hdf5Column[] = [];
  const notes: string[] = [];
  let numRows: number | null = null;
  for (const name of [index, ...(attributes["column-order"] ?? [])]) {
    const column = columnOf(`${path}/${name}`, arrays, groups);
    const objection = column ? objectionTo(column, numRows) : "it is of a kind that is not read";
    if (column && objection === null) columns.push({ ...column, name: name === "_index" ? "id" : name });
    else notes.push(`the column ${name} of ${path} is left out: ${objection}.`);
    // Another column would pass for what names the rows.
    if (columns.length === 0) break;
    numRows ??= column?.array.shape[0] ?? 0;
  }
  return { path, numRows: numRows ?? 0, columns, notes };
}

function objectionTo(column: Hdf5Column, numRows: number | null): string | null {
  const { shape } = column.array;
  if (shape.length !== 1 || (numRows !== null && shape[0] !== numRows)) return "it has not one value for each row";
  return unfitColumn(column);
}

function columnOf(path: string, arrays: readonly Hdf5Array[], groups: readonly Hdf5Group[]): Hdf5Column | null {
  const at = (place: string) => arrays.find((array) => array.path === place);
  const array = at(path);
  if (array) return plainColumn("", cellsOf(array));
  if (groups.find((group) => group.path === path)?.attributes["encoding-type"]?.[0] !== "categorical") return null;
  const [codes, categories] = [at(`${path}/codes`), at(`${path}/categories`)];
  return codes && categories ? { ...plainColumn("", cellsOf(codes)), categories: cellsOf(categories) } : null;
}
