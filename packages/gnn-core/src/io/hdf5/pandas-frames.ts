import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";
import {
  cellsOf,
  type Hdf5Column,
  type Hdf5Contents,
  type Hdf5Table,
  plainColumn,
  timeUnitOf,
  unfitCells,
} from "./hdf5-table.ts";

/** A frame whose columns have no names yet, for these have to be read. */
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
    const objection = objectionTo(values, names, numRows);
    if (objection !== null) {
      notes.push(
        `the columns of ${values.path} are left out: ${objection}. ` +
          `They are read from df.to_hdf(path, "${path}", format="table").`,
      );
      continue;
    }
    const count = values.shape[1] ?? 0;
    const time = timeUnitOf(values.attributes["value_type"]?.[0]);
    named.push({ names, first: columns.length, count });
    for (let i = 0; i < count; i++) columns.push({ ...plainColumn("", cellsOf(values, i)), time });
  }
  return { path, numRows, columns, notes, named };
}

/** More than a table may have: what its limits are is asked once its columns are known. */
const mostColumns = 100_000;

/** Why the columns of a block are no use, as a clause; null: they are of use. */
function objectionTo(values: Hdf5Array, names: Hdf5Array, numRows: number): string | null {
  if (values.attributes["CLASS"]?.[0] === "VLARRAY") return "pandas has pickled them";
  const [rows, count = 0] = values.shape;
  if (values.shape.length !== 2 || rows !== numRows) return "they have other rows than the frame";
  if (count > mostColumns) return `there are ${count}, expected at most ${mostColumns}`;
  if (unfitCells(cellsOf(names)) !== null) return "their names are not read";
  if (names.shape.length !== 1 || names.shape[0] !== count) return "there are more of them than names, or fewer";
  return unfitCells(cellsOf(values));
}

/** The index where rows have names, or it has one itself. */
function indexOf(array: Hdf5Array): Hdf5Column[] {
  const { name, kind } = array.attributes;
  const isNamed = name?.[0] !== undefined && name[0] !== "" && name[0] !== "N.";
  if (!isNamed && kind?.[0] === "integer") return [];
  const column = plainColumn(isNamed ? name[0]! : "index", cellsOf(array));
  return unfitCells(column) === null ? [{ ...column, time: timeUnitOf(kind?.[0]) }] : [];
}
