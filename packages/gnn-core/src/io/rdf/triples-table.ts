import { GnnError } from "../../errors/gnn-error.ts";
import type { ColumnInfo, TableBatch, TableSource } from "../table-source.ts";
import type { WantedColumn } from "../wanted-column.ts";

/** Names of three things, the second of which joins the others. */
export interface Triple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** What a file says at a line; null: something of one thing alone, in a literal. */
export interface FoundTriple {
  readonly line: number;
  readonly triple: Triple | null;
}

const batchRows = 8192;
const names = ["subject", "predicate", "object"] as const;

/** RDF as a table of the triples that join two things. It is read anew each time, and never held. */
export class TriplesTable implements TableSource {
  readonly columns: readonly ColumnInfo[] = names.map((name) => ({ name, type: "text" }));
  readonly directed = true;
  readonly notes: readonly string[];
  readonly #file: string;
  readonly #read: () => AsyncIterable<FoundTriple>;

  private constructor(file: string, read: () => AsyncIterable<FoundTriple>, notes: readonly string[]) {
    this.#file = file;
    this.#read = read;
    this.notes = notes;
  }

  /**
   * Reads the file once to its end, so that damage is found and literals are counted.
   *
   * @param read its triples from the beginning, at each call
   * @throws GnnError DATASET_FILE_EMPTY, and what `read` throws
   */
  static async open(file: string, read: () => AsyncIterable<FoundTriple>): Promise<TriplesTable> {
    let [triples, literals] = [0, 0];
    for await (const { triple } of read()) {
      if (triple === null) literals++;
      else triples++;
    }
    if (triples === 0) throw nothingJoined(file, literals);
    return new TriplesTable(file, read, literals > 0 ? [leftOut(literals)] : []);
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
    for await (const { line, triple } of this.#read()) if (triple !== null) yield { line, triple };
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
  const [triples, end, join] = literals === 1 ? ["triple is", "ends", "joins"] : ["triples are", "end", "join"];
  return `${literals} ${triples} left out, which ${end} in a literal (a text or a number) and so ${join} nothing. Write what is to be learnt from as columns of a nodes file.`;
}

function nothingJoined(file: string, literals: number): GnnError {
  const found = literals === 0 ? "no triples" : `${literals} triples, all of which end in a literal`;
  return new GnnError("DATASET_FILE_EMPTY", `${file} holds ${found}; expected triples that join two things.`, {
    place: { file },
  });
}
