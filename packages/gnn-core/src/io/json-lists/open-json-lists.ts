import { GnnError } from "../../errors/gnn-error.ts";
import { lookOf } from "../column-type.ts";
import { boundedRecords, utf8TextOf } from "../graph-files/bounded-records.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { ColumnInfo, TableBatch, TableSource } from "../table-source.ts";
import { assertNotEmpty, assertWhole, compressionOf, unpackedBytes } from "../text-file.ts";
import { vectorsOf, type WantedColumn } from "../wanted-column.ts";
import { cellOfList } from "./list-cell.ts";
import { ListEntries, type ListEntry } from "./list-entries.ts";

const batchRows = 8192;
/** Lists may be long: a batch of them has so many characters at most, and one list more. */
const batchCharacters = 4 << 20;
/** Entries whose lists are looked at */
const sampled = 200;

/**
 * Opens one JSON object of lists as a table of its keys and lists. It is read once to its end, so that damage is found,
 * then streamed; in memory are the entries of a batch.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openJsonLists(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  if (compression === "zstd") throw packedWithZstd(name);
  await assertWhole(path, compression, name, limits);
  const table = new ListsTable({ path, compression, name });
  await table.look();
  return table;
}

interface ListsFile {
  readonly path: string;
  readonly compression: "none" | "gzip";
  readonly name: string;
}

class ListsTable implements TableSource {
  columns: readonly ColumnInfo[] = [];
  readonly #file: ListsFile;
  #areTexts = false;

  constructor(file: ListsFile) {
    this.#file = file;
  }

  /** Looks at all entries: what their lists hold decides how they are written into cells. */
  async look(): Promise<void> {
    const first: ListEntry[] = [];
    let numEntries = 0;
    for await (const entry of this.#entries()) {
      numEntries++;
      this.#areTexts ||= entry.items.some((item) => typeof item === "string" && !/^\d{1,15}$/.test(item));
      if (first.length < sampled) first.push(entry);
    }
    const { name } = this.#file;
    if (numEntries === 0)
      throw new GnnError("DATASET_FILE_EMPTY", `${name} holds an object without entries; leave it out.`, {
        place: { file: name },
      });
    const cells = first.map(({ items }) => cellOfList(items, this.#areTexts));
    this.columns = [
      { name: "key", ...lookOf(first.map(({ key }) => key)) },
      { name: "value", ...lookOf(cells) },
    ];
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    for (const column of columns) this.#refuse(column);
    let firstRow = 0;
    let [keys, lists, characters] = [[] as string[], [] as string[], 0];
    const taken = async (): Promise<TableBatch> => {
      const rows = { key: keys, value: lists };
      const batch = await this.#batch(columns, rows, firstRow);
      firstRow += keys.length;
      [keys, lists, characters] = [[], [], 0];
      return batch;
    };
    for await (const { key, items } of this.#entries()) {
      const cell = cellOfList(items, this.#areTexts);
      if (cell === null) throw this.#barInText(firstRow + keys.length, key);
      keys.push(key);
      lists.push(cell);
      characters += key.length + cell.length;
      if (keys.length === batchRows || characters > batchCharacters) yield await taken();
    }
    if (keys.length > 0) yield await taken();
  }

  /** Objects need no lines of their own: entries are counted. */
  async lineOf(row: number): Promise<number> {
    return row + 1;
  }

  async close(): Promise<void> {}

  async *#entries(): AsyncGenerator<ListEntry> {
    const { path, compression, name } = this.#file;
    const entries = new ListEntries(name);
    async function* parse(text: AsyncIterable<string>) {
      for await (const piece of text) yield* entries.read(piece);
    }
    const text = utf8TextOf(unpackedBytes(path, compression), name);
    yield* boundedRecords(parse, text, (most) => tooLong(name, most));
    if (!entries.isEnded) {
      const message = `${name} is not JSON throughout; its end is missing. Write it again.`;
      throw new GnnError("DATASET_FORMAT_INVALID", message, { place: { file: name } });
    }
  }

  async #batch(
    columns: readonly WantedColumn[],
    rows: { readonly key: readonly string[]; readonly value: readonly string[] },
    firstRow: number,
  ): Promise<TableBatch> {
    const cells = columns.map(async (column) => {
      const texts = rows[column.name as keyof typeof rows];
      if (column.as === "text") return texts;
      const lineOf = (row: number) => this.lineOf(firstRow + row);
      const place = { file: this.#file.name, field: column.name, lineOf };
      return vectorsOf(texts, column.as === "vector" ? column : { ...column, width: 1 }, place);
    });
    return { numRows: rows.key.length, columns: await Promise.all(cells) };
  }

  #refuse({ name: field }: WantedColumn): void {
    if (this.columns.some(({ name }) => name === field)) return;
    const { name: file } = this.#file;
    const message = `${file} has no column "${field}"; its columns are: key, value.`;
    throw new GnnError("DATASET_COLUMN_MISSING", message, { place: { file, line: 1, field } });
  }

  #barInText(row: number, key: string): GnnError {
    const { name: file } = this.#file;
    const message = `${file}, entry ${row + 1} (${JSON.stringify(key)}): a text of its list has a "|", which stands between the texts of a cell. Write it without.`;
    return new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line: row + 1, field: "value" } });
  }
}

function tooLong(file: string, most: number): GnnError {
  const message = `${file}: one of its lists has more than ${most} characters. Write it as a table with a row for each of its values.`;
  return new GnnError("DATASET_LIMIT_EXCEEDED", message, { place: { file } });
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is JSON packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
