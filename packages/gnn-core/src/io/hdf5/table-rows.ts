import { type Hdf5File, rowBytesOf } from "./hdf5-file.ts";
import type { Hdf5Array } from "./hdf5-messages.ts";
import { cellsOf, type Hdf5Cells, type Hdf5Column, type Hdf5Table, plainColumn } from "./hdf5-table.ts";
import type { PandasFrame } from "./pandas-frames.ts";
import { type CellValue, cellReader, type ReadRows, timeOf } from "./table-cells.ts";

/** What is read at once, of all columns */
const pieceBytes = 4 * 2 ** 20;
/** The chunks of h5py and PyTables have a power of two of rows, or fewer. */
const rowsOfChunks = 8192;

/**
 * The rows of a table, some at a time, with the values of its columns in their order.
 *
 * @param most rows; null: all
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function* tableRows(
  file: Hdf5File,
  { columns, numRows }: Hdf5Table,
  most: number | null,
): AsyncGenerator<readonly (readonly CellValue[])[]> {
  const arrays = [...new Set(columns.map(({ array }) => array))];
  const count = Math.min(numRows, most ?? numRows);
  const step = stepOf(arrays.reduce((sum, array) => sum + rowBytesOf(array), 0));
  const readers: ((read: ReadonlyMap<Hdf5Array, ReadRows>, row: number) => CellValue)[] = [];
  for (const column of columns) readers.push(await columnReader(file, column));
  for (let first = 0; first < count; first += step) {
    const many = Math.min(step, count - first);
    const read = new Map<Hdf5Array, ReadRows>();
    for (const array of arrays) read.set(array, await rowsOf(file, array, columns, first, many));
    yield Array.from({ length: many }, (_, row) => readers.map((reader) => reader(read, row)));
  }
}

function stepOf(rowBytes: number): number {
  const usual = Math.max(1, Math.floor(pieceBytes / rowBytes));
  return usual > rowsOfChunks ? Math.min(usual - (usual % rowsOfChunks), 8 * rowsOfChunks) : usual;
}

async function rowsOf(
  file: Hdf5File,
  array: Hdf5Array,
  columns: readonly Hdf5Cells[],
  first: number,
  count: number,
): Promise<ReadRows> {
  const isText = (cells: Hdf5Cells) => cells.array === array && cells.descr === "|O";
  const offsets = columns
    .filter(isText)
    .flatMap(({ offset, itemBytes, length }) => Array.from({ length: length ?? 1 }, (_, i) => offset + i * itemBytes));
  const textOffsets = [...new Set(offsets)].toSorted((a, b) => a - b);
  const rowBytes = rowBytesOf(array);
  const read = await file.readRows(array, first, count, { itemBytes: rowBytes, offsets: textOffsets });
  const { buffer, byteOffset, byteLength } = read.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const view = new DataView(buffer, byteOffset, byteLength);
  return { bytes, view, texts: read.texts, rowBytes, textOffsets };
}

async function columnReader(file: Hdf5File, column: Hdf5Column) {
  const { array, categories, missing, time } = column;
  const read = cellReader(column);
  const names = categories ? await valuesOf(file, categories) : null;
  return (rows: ReadonlyMap<Hdf5Array, ReadRows>, row: number): CellValue => {
    const value = read(rows.get(array)!, row);
    if (time !== null) return timeOf(value, time);
    const meant = names ? (names[value as number] ?? null) : value;
    return meant === missing ? null : meant;
  };
}

/** All values of a data set with one in each row. */
async function valuesOf(file: Hdf5File, cells: Hdf5Cells): Promise<CellValue[]> {
  const numRows = cells.array.shape[0] ?? 0;
  const columns = [plainColumn("", cells)];
  const values: CellValue[] = [];
  for await (const rows of tableRows(file, { path: "", numRows, columns, notes: [] }, null))
    for (const [value = null] of rows) values.push(value);
  return values;
}

/** A table as it is, and a frame of pandas with the names of its columns, which lie in data sets. */
export async function withNames(file: Hdf5File, table: Hdf5Table | PandasFrame): Promise<Hdf5Table> {
  if (!("named" in table)) return table;
  const columns = [...table.columns];
  for (const { names, first, count } of table.named) {
    const found = await valuesOf(file, cellsOf(names));
    for (let i = 0; i < count; i++) columns[first + i] = { ...columns[first + i]!, name: String(found[i] ?? i) };
  }
  return { ...table, columns };
}
