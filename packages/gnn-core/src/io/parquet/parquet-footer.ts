import { open } from "node:fs/promises";
import { ThriftError, ThriftReader, thrift } from "./compact-thrift.ts";

/** What the footer of a Parquet file says, counted before anything builds on it. */
export interface ParquetFooter {
  readonly numRows: number;
  /** Leaves of the schema: what is stored, one after the other */
  readonly numLeaves: number;
  /** Levels of groups inside each other, the root not counted */
  readonly depth: number;
  /** Bytes of all pages, unpacked, as the footer has it */
  readonly pageBytes: number;
  /** Values of the row groups' columns, as the footer has it: a run of equal ones is one value on disk. */
  readonly numValues: number;
}

/** Past this a footer describes more columns and row groups than a graph has. */
export const maxFooterBytes = 64 * 2 ** 20;

/**
 * Reads the counts of a footer, in time and memory of its own length.
 *
 * @returns null when it is not the footer of a whole Parquet file; `length` alone when that is more than is read
 */
export async function readParquetFooter(path: string): Promise<ParquetFooter | { readonly length: number } | null> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size < 12) return null;
    const { buffer: tail } = await file.read(Buffer.alloc(8), 0, 8, size - 8);
    const length = tail.readUInt32LE(0);
    if (tail.toString("latin1", 4) !== "PAR1" || length > size - 12) return null;
    if (length > maxFooterBytes) return { length };
    const { buffer: footer } = await file.read(Buffer.alloc(length), 0, length, size - 8 - length);
    return countsOf(footer);
  } catch (error) {
    if (error instanceof ThriftError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

/** FileMetaData: 2 schema, 3 num_rows, 4 row_groups */
function countsOf(footer: Uint8Array): ParquetFooter {
  const reader = new ThriftReader(footer);
  const children: number[] = [];
  let numRows = 0;
  let pageBytes = 0;
  let numValues = 0;
  reader.readStruct((id, type) => {
    if (id === 2 && type === thrift.list) {
      reader.readList(itemsOf(() => children.push(readSchemaElement(reader))));
    } else if (id === 3 && type === thrift.i64) {
      numRows = reader.readInteger();
    } else if (id === 4 && type === thrift.list) {
      reader.readList(
        itemsOf(() => {
          const group = readRowGroup(reader);
          pageBytes += group.pageBytes;
          numValues += group.numValues;
        }),
      );
    } else {
      return false;
    }
    return true;
  });
  return { numRows, pageBytes, numValues, ...shapeOf(children) };
}

function itemsOf(read: () => void): (type: number) => boolean {
  return (type) => {
    if (type !== thrift.struct) return false;
    read();
    return true;
  };
}

/** SchemaElement: 5 num_children */
function readSchemaElement(reader: ThriftReader): number {
  let children = 0;
  reader.readStruct((id, type) => {
    if (id !== 5 || type !== thrift.i32) return false;
    children = reader.readInteger();
    return true;
  });
  return children;
}

/** RowGroup: 1 columns, each a ColumnChunk: 3 meta_data, a ColumnMetaData: 5 num_values, 6 total_uncompressed_size */
function readRowGroup(reader: ThriftReader): { pageBytes: number; numValues: number } {
  let pageBytes = 0;
  let numValues = 0;
  const readMetaData = (id: number, type: number) => {
    if ((id !== 5 && id !== 6) || type !== thrift.i64) return false;
    const value = Math.max(0, reader.readInteger());
    if (id === 5) numValues += value;
    else pageBytes += value;
    return true;
  };
  const readChunk = (id: number, type: number) => {
    if (id !== 3 || type !== thrift.struct) return false;
    reader.readStruct(readMetaData);
    return true;
  };
  reader.readStruct((id, type) => {
    if (id !== 1 || type !== thrift.list) return false;
    reader.readList(itemsOf(() => reader.readStruct(readChunk)));
    return true;
  });
  return { pageBytes, numValues };
}

/** The schema is a tree in depth-first order: how deep it goes, without recursion. */
function shapeOf(children: readonly number[]): { numLeaves: number; depth: number } {
  const open: number[] = [];
  let numLeaves = 0;
  let depth = 0;
  for (const count of children) {
    while (open.at(-1) === 0) open.pop();
    if (open.length > 0) open.push(open.pop()! - 1);
    depth = Math.max(depth, open.length);
    if (count > 0) open.push(count);
    else numLeaves++;
  }
  return { numLeaves, depth };
}
