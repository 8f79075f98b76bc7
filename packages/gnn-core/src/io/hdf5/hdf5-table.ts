import type { Hdf5Array, Hdf5Group } from "./hdf5-messages.ts";

/** Values that lie in a data set, one or a list of them in each of its rows. */
export interface Hdf5Cells {
  readonly array: Hdf5Array;
  /** The type in numpy's letters; `|O` for texts of any length */
  readonly descr: string;
  /** Where the first value begins in a row of the data set, in bytes */
  readonly offset: number;
  readonly itemBytes: number;
  /** How many values a row has as a list; null: it has one */
  readonly length: number | null;
}

export interface Hdf5Column extends Hdf5Cells {
  readonly name: string;
  /** What the values are numbers of; null: they are values themselves */
  readonly categories: Hdf5Cells | null;
  /** A text that stands for no value; null: there is none */
  readonly missing: string | null;
  /** Whole numbers since 1970 in these units; null: they are no times */
  readonly time: TimeUnit | null;
}

export type TimeUnit = "s" | "ms" | "us" | "ns";

/** A table of a file: columns of so many rows, from one data set or several. */
export interface Hdf5Table {
  /** Where it lies: `graph/edges` */
  readonly path: string;
  readonly numRows: number;
  readonly columns: readonly Hdf5Column[];
  /** What of it is left out, in sentences */
  readonly notes: readonly string[];
}

export interface Hdf5Contents {
  readonly arrays: readonly Hdf5Array[];
  readonly groups: readonly Hdf5Group[];
}

/** The cells of a data set, of one column where its rows have several. */
export function cellsOf(array: Hdf5Array, column = 0): Hdf5Cells {
  const { descr, itemBytes } = array;
  return { array, descr, offset: column * itemBytes, itemBytes, length: null };
}

/** A column whose values are what they are. */
export function plainColumn(name: string, cells: Hdf5Cells): Hdf5Column {
  return { name, ...cells, categories: null, missing: null, time: null };
}

/** Names of classes are held while a table is read. */
const mostCategories = 1_000_000;

/** Why a column is no use, as a clause; null: it is of use. */
export function unfitColumn({ categories, ...cells }: Hdf5Column): string | null {
  const numCategories = categories?.array.shape[0] ?? 0;
  if (numCategories > mostCategories) return `it has ${numCategories} categories, expected at most ${mostCategories}`;
  return unfitCells(cells) ?? (categories && unfitCells(categories));
}

/** A file of some bytes may say that a value has billions. */
const mostValueBytes = 2 ** 20;

export function unfitCells({ array, descr, itemBytes, length }: Hdf5Cells): string | null {
  if (array.objection !== null) return array.objection;
  const bytes = itemBytes * (length ?? 1);
  if (bytes > mostValueBytes) return `each of its values has ${bytes} bytes, expected at most ${mostValueBytes}`;
  return /^([<>|]?([iu][1248]|f[248])|\|b1|\|S\d+|\|O)$/.test(descr) ? null : "it holds neither numbers nor texts";
}

/** `datetime64`, `datetime64[us]`: nanoseconds where no unit is named; null: it is no time. */
export function timeUnitOf(type: string | undefined): TimeUnit | null {
  const [, unit = "ns"] = /^datetime64(?:\[(s|ms|us|ns)\b.*)?/.exec(type ?? "") ?? [null, null];
  return unit as TimeUnit | null;
}
