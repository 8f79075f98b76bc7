import { GnnError } from "../../errors/gnn-error.ts";
import type { ReadingLimits } from "../limits/reading-limits.ts";
import type { ColumnInfo, TableBatch, TableSource } from "../table-source.ts";
import { assertNotEmpty, assertWhole, compressionOf } from "../text-file.ts";
import type { WantedColumn } from "../wanted-column.ts";
import { parseTriple, type Triple } from "./parse-triple.ts";
import { textLines } from "./text-lines.ts";

const batchRows = 8192;
const names = ["subject", "predicate", "object"] as const;

/**
 * Opens RDF as a table of the triples that join two things. It is read once to its end, so that damage is found and
 * literals are counted, then streamed.
 *
 * @throws GnnError DATASET_FILE_MISSING, DATASET_FILE_EMPTY, DATASET_FORMAT_INVALID, DATASET_ROW_INVALID,
 * DATASET_LIMIT_EXCEEDED
 */
export async function openNTriples(path: string, name: string, limits: ReadingLimits): Promise<TableSource> {
  await assertNotEmpty(path, name);
  const compression = await compressionOf(path);
  if (compression === "zstd") throw packedWithZstd(name);
  await assertWhole(path, compression, name, limits);
  const table = new TriplesTable(path, compression, name);
  await table.count();
  return table;
}

class TriplesTable implements TableSource {
  readonly columns: readonly ColumnInfo[] = names.map((name) => ({ name, type: "text" }));
  readonly directed = true;
  notes: readonly string[] = [];
  readonly #path: string;
  readonly #compression: "none" | "gzip";
  readonly #file: string;

  constructor(path: string, compression: "none" | "gzip", file: string) {
    this.#path = path;
    this.#compression = compression;
    this.#file = file;
  }

  async count(): Promise<void> {
    let [triples, literals] = [0, 0];
    for await (const { line, text } of textLines(this.#path, this.#compression, this.#file)) {
      const found = parseTriple(text);
      if (found === "damaged") throw damaged(this.#file, line);
      if (found === "literal") literals++;
      else if (found) triples++;
    }
    if (triples === 0) throw nothingJoined(this.#file, literals);
    if (literals > 0) this.notes = [leftOut(literals)];
  }

  async *read(columns: readonly WantedColumn[]): AsyncIterable<TableBatch> {
    for (const column of columns) this.#refuse(column);
    let batch: Triple[] = [];
    const taken = () => {
      const rows = batch;
      batch = [];
      return {
        numRows: rows.length,
        columns: columns.map(({ name }) => rows.map((row) => row[name as keyof Triple])),
      };
    };
    for await (const { triple } of this.#triples()) {
      batch.push(triple);
      if (batch.length === batchRows) yield taken();
    }
    if (batch.length > 0) yield taken();
  }

  async lineOf(row: number): Promise<number> {
    let left = row;
    for await (const { line } of this.#triples()) if (left-- === 0) return line;
    return row + 1;
  }

  async close(): Promise<void> {}

  async *#triples(): AsyncGenerator<{ readonly line: number; readonly triple: Triple }> {
    for await (const { line, text } of textLines(this.#path, this.#compression, this.#file)) {
      const found = parseTriple(text);
      if (found === "damaged") throw damaged(this.#file, line);
      if (found !== null && found !== "literal") yield { line, triple: found };
    }
  }

  /** No term of a triple that joins two things is a number. */
  #refuse({ name, as }: WantedColumn): void {
    const place = { file: this.#file, line: 1, field: name };
    if (!names.some((one) => one === name)) {
      const message = `${this.#file} has no column "${name}"; its columns are: ${names.join(", ")}.`;
      throw new GnnError("DATASET_COLUMN_MISSING", message, { place });
    }
    if (as === "text") return;
    const message = `${this.#file}, column "${name}": it holds addresses, not numbers; leave the column out.`;
    throw new GnnError("DATASET_VALUE_INVALID", message, { place });
  }
}

function leftOut(literals: number): string {
  const [triples, end] = literals === 1 ? ["triple is", "ends"] : ["triples are", "end"];
  return `${literals} ${triples} left out, which ${end} in a literal (a text or a number) and so join nothing. Write what is to be learnt from as columns of a nodes file.`;
}

function damaged(file: string, line: number): GnnError {
  const message = `${file}, line ${line}: found no triple; expected <subject> <predicate> <object> and a point, as in N-Triples.`;
  return new GnnError("DATASET_ROW_INVALID", message, { place: { file, line } });
}

function nothingJoined(file: string, literals: number): GnnError {
  const found = literals === 0 ? "no triples" : `${literals} triples, all of which end in a literal`;
  return new GnnError("DATASET_FILE_EMPTY", `${file} holds ${found}; expected triples that join two things.`, {
    place: { file },
  });
}

function packedWithZstd(file: string): GnnError {
  const message = `${file} is N-Triples packed with zstd, which is unpacked for CSV alone. Pack it with gzip, or not at all.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file } });
}
