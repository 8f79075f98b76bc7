import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";
import {
  type Hdf5Cells,
  type Hdf5Column,
  type Hdf5Contents,
  type Hdf5Table,
  plainColumn,
  timeUnitOf,
  unfitCells,
} from "./hdf5-table.ts";

/** A frame whose columns' names have yet to be read: each block of columns of a type is one data set. */
export interface PandasFrame extends Hdf5Table {
  /** The data sets of names with where the columns that they name begin among `columns` */
  readonly named: readonly { readonly names: Hdf5Array; readonly first: number; readonly count: number }[];
}

/**
 * Frames of pandas that are no tables of PyTables (`format="fixed"`): `block0_values`, `block1_values` ... have a row
 * for each row and a column for each of the names in `block0_items` ..., and `axis1` is the index.
 */
export function pandasFrames({ arrays, groups }: Hdf5Contents): PandasFrame[] {
  const frames = groups.filter(({ attributes }) => attributes["pandas_type"]?.[0] === "frame");
  return frames.map((group) => frameOf(group, arrays));
}

function frameOf({ path }: Hdf5Group, arrays: readonly Hdf5Array[]): PandasFrame {
  const member = (name: string) => arrays.find((array) => array.path === `${path}/${name}`);
  const index = member("axis1");
  const numRows = index?.shape[0] ?? 0;
  const columns: Hdf5Column[] = index ? indexOf(index) : [];
  const named: PandasFrame["named"][number][] = [];
  const notes: string[] = [];
  for (let block = 0; ; block++) {
    const [values, names] = [member(`block${block}_values`), member(`block${block}_items`)];
    if (!values || !names) break;
    const isPickled = values.attributes["CLASS"]?.[0] === "VLARRAY";
    const objection = isPickled ? "pandas has pickled them" : unfitCells(cellsIn(values, 0));
    if (objection !== null || values.shape.length !== 2 || values.shape[0] !== numRows) {
      notes.push(
        `the columns of ${values.path} are left out: ${objection ?? "they have other rows than the frame"}. ` +
          `They are read from df.to_hdf(path, "${path}", format="table").`,
      );
      continue;
    }
    const count = values.shape[1] ?? 0;
    const time = timeUnitOf(values.attributes["value_type"]?.[0]);
    named.push({ names, first: columns.length, count });
    for (let i = 0; i < count; i++) columns.push({ ...plainColumn(`${path}_${block}_${i}`, cellsIn(values, i)), time });
  }
  return { path, numRows, columns, notes, named };
}

/** The index where rows have names, or it has one itself. */
function indexOf(array: Hdf5Array): Hdf5Column[] {
  const { name, kind } = array.attributes;
  const isNamed = name?.[0] !== undefined && name[0] !== "" && name[0] !== "N.";
  if (!isNamed && kind?.[0] === "integer") return [];
  const column = plainColumn(isNamed ? name[0]! : "index", cellsIn(array, 0));
  return unfitCells(column) === null ? [{ ...column, time: timeUnitOf(kind?.[0]) }] : [];
}

function cellsIn(array: Hdf5Array, column: number): Hdf5Cells {
  const { descr, itemBytes } = array;
  return { array, descr, itemBytes, offset: column * itemBytes, length: null };
}
