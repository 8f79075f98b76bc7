import type { FileHandle } from "node:fs/promises";
import { GnnError } from "../../errors/gnn-error.ts";

const magic = "SQLite format 3\0";
const keptPages = 64;
/** No row of a graph is longer; a file may say that one has gigabytes. */
const longestRow = 2 ** 26;

/** Where a row is kept: its number, and its bytes. */
export interface SqliteRow {
  readonly rowid: bigint;
  readonly payload: Buffer;
}

export type SqliteEncoding = "utf-8" | "utf-16le" | "utf-16be";

/**
 * The pages of an SQLite database, read by position, and the rows of its tables. It runs no SQL: views, triggers and
 * functions that a file may bring have nobody to run them. Whatever a page says is held against the file: numbers of
 * pages, offsets, lengths; no page is walked twice.
 *
 * https://www.sqlite.org/fileformat2.html
 */
export class SqlitePages {
  readonly encoding: SqliteEncoding;
  /** Whether what was written last may lie in a file beside it */
  readonly hasWal: boolean;
  readonly #file: FileHandle;
  readonly #name: string;
  readonly #pageSize: number;
  readonly #usable: number;
  readonly #numPages: number;
  readonly #kept = new Map<number, Buffer>();

  private constructor(file: FileHandle, name: string, head: Buffer, bytes: number) {
    const size = head.readUInt16BE(16);
    this.#pageSize = size === 1 ? 65_536 : size;
    this.#file = file;
    this.#name = name;
    this.#usable = this.#pageSize - head[20]!;
    this.#numPages = Math.floor(bytes / this.#pageSize);
    const isPowerOfTwo = this.#pageSize >= 512 && (this.#pageSize & (this.#pageSize - 1)) === 0;
    const encoding = (["utf-8", "utf-16le", "utf-16be"] as const)[Math.max(1, head.readUInt32BE(56)) - 1];
    if (!isPowerOfTwo || this.#usable < 480 || encoding === undefined || this.#numPages === 0)
      throw this.damaged("its first page is not that of a database");
    this.encoding = encoding;
    this.hasWal = head[18] === 2;
  }

  /** @throws GnnError DATASET_FORMAT_INVALID */
  static async open(file: FileHandle, name: string): Promise<SqlitePages> {
    const head = Buffer.alloc(100);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    if (bytesRead < head.length || head.toString("latin1", 0, 16) !== magic)
      throw damagedDatabase(name, "it is cut off");
    return new SqlitePages(file, name, head, (await file.stat()).size);
  }

  damaged(found: string): GnnError {
    return damagedDatabase(this.#name, found);
  }

  /** The rows of the table whose tree begins at this page, in the order of their numbers. */
  async *rows(root: number): AsyncGenerator<SqliteRow> {
    const seen = new Set<number>();
    const open = [root];
    while (open.length > 0) {
      const number = open.pop()!;
      if (seen.has(number)) throw this.damaged(`page ${number} is in a table twice`);
      seen.add(number);
      const page = await this.#page(number);
      const at = number === 1 ? 100 : 0;
      const kind = page[at];
      if (kind === 0x05) open.push(...this.#children(page, at).toReversed());
      else if (kind === 0x0d) for (const cell of this.#cells(page, at, 8)) yield await this.#row(page, cell);
      else throw this.damaged(`page ${number} is no part of a table`);
    }
  }

  async #page(number: number): Promise<Buffer> {
    if (!(number >= 1 && number <= this.#numPages))
      throw this.damaged(
        `page ${number} is named, and there are ${this.#numPages}: it is cut off, or was copied while it changed`,
      );
    const known = this.#kept.get(number);
    if (known) return known;
    const page = Buffer.alloc(this.#pageSize);
    const { bytesRead } = await this.#file.read(page, 0, this.#pageSize, (number - 1) * this.#pageSize);
    if (bytesRead < this.#pageSize) throw this.damaged("it is cut off");
    if (this.#kept.size >= keptPages) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(number, page);
    return page;
  }

  /** Where the cells of a page begin. */
  #cells(page: Buffer, at: number, header: number): number[] {
    const count = page.readUInt16BE(at + 3);
    const first = at + header;
    if (first + 2 * count > this.#usable) throw this.damaged("a page has more cells than room");
    return Array.from({ length: count }, (_, i) => {
      const cell = page.readUInt16BE(first + 2 * i);
      if (cell < first + 2 * count || cell + 4 > this.#usable) throw this.damaged("a cell lies outside of its page");
      return cell;
    });
  }

  #children(page: Buffer, at: number): number[] {
    return [...this.#cells(page, at, 12).map((cell) => page.readUInt32BE(cell)), page.readUInt32BE(at + 8)];
  }

  async #row(page: Buffer, cell: number): Promise<SqliteRow> {
    const length = readVarint(page, cell);
    const rowid = length && readVarint(page, length.end);
    if (!length || !rowid) throw this.damaged("a cell is cut off");
    const size = Number(length.value);
    if (length.value < 0n || size > longestRow)
      throw this.damaged(`a row has ${length.value} bytes; at most ${longestRow} are read`);
    const most = this.#usable - 35;
    const least = Math.floor(((this.#usable - 12) * 32) / 255) - 23;
    const spilled = least + ((size - least) % (this.#usable - 4));
    const local = size <= most ? size : spilled <= most ? spilled : least;
    const end = rowid.end + local;
    if (end > this.#usable) throw this.damaged("a row is longer than its page");
    const pieces = [page.subarray(rowid.end, end)];
    if (local < size) {
      if (end + 4 > this.#usable) throw this.damaged("a row is longer than its page");
      pieces.push(...(await this.#overflow(page.readUInt32BE(end), size - local)));
    }
    return { rowid: rowid.value, payload: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
  }

  async #overflow(first: number, size: number): Promise<Buffer[]> {
    const pieces: Buffer[] = [];
    let left = size;
    for (let number = first; left > 0; ) {
      const page = await this.#page(number);
      const piece = page.subarray(4, 4 + Math.min(left, this.#usable - 4));
      pieces.push(piece);
      left -= piece.length;
      number = page.readUInt32BE(0);
    }
    return pieces;
  }
}

/** A number of SQLite's, of one to nine bytes; null: it goes beyond the end. */
export function readVarint(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } | null {
  let value = 0n;
  for (let i = 0; i < 9; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return null;
    if (i === 8) return { value: BigInt.asIntN(64, (value << 8n) | BigInt(byte)), end: start + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  return null;
}

export function damagedDatabase(file: string, found: string): GnnError {
  const message = `${file} is a damaged SQLite database: ${found}. Copy it with sqlite3 shop.db "VACUUM INTO 'copy.db'" and upload the copy.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
