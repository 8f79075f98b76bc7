import type { DuckDBResult } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";
import { type DuckDb, sqlText } from "../duckdb/connect.ts";
import { confinedDuckDb } from "./confined-duckdb.ts";
import { attachedAs, type FromDuckDbReader, type ToDuckDbReader } from "./duckdb-messages.ts";
import { tablesOf } from "./duckdb-tables.ts";
import { linesOfOwn, openForQueries } from "./own-queries.ts";
import { queryFailure } from "./query-failure.ts";

// The program of a process that reads one DuckDB database for its parent, and ends with it. The file is opened by
// DuckDB's native code, which a hostile one may bring down: then this process alone is gone.

let duckDb: DuckDb | null = null;
let reading: Reading | null = null;

interface Reading {
  readonly query: string;
  /** The file that the query stands in; null: it is not somebody's own */
  readonly own: string | null;
  readonly result: DuckDBResult;
  hasEnded: boolean;
}

process.on("disconnect", () => process.exit());
process.on("message", (asked: ToDuckDbReader) => {
  void answer(asked)
    .catch((error: unknown): FromDuckDbReader => {
      const code = error instanceof GnnError ? error.code : null;
      return { answer: "failed", code, words: error instanceof Error ? error.message : String(error) };
    })
    .then((said) => process.send?.(said));
});

async function answer(asked: ToDuckDbReader): Promise<FromDuckDbReader> {
  if (asked.ask === "tables") return { answer: "tables", ...(await attach(asked)) };
  if (asked.ask === "queries") {
    const opened = await openForQueries(asked);
    duckDb = opened.duckDb;
    return { answer: "opened", notes: opened.notes };
  }
  if (asked.ask === "next") return { answer: "lines", ...(await nextLines()) };
  if (asked.ask === "run") {
    const { query, most } = asked;
    const { sql, numColumns, notes } = await linesOfOwn(duckDb!.connection, query, most);
    await begin(sql, query.file);
    return { answer: "running", numColumns, notes };
  }
  await begin(asked.query, null);
  return { answer: "reading" };
}

async function begin(query: string, own: string | null): Promise<void> {
  const result = await duckDb!.connection.stream(query).catch((error: unknown) => {
    throw own === null ? error : queryFailure(own, error);
  });
  reading = { query, own, result, hasEnded: false };
}

async function attach({ path, memoryBytes }: Extract<ToDuckDbReader, { ask: "tables" }>) {
  duckDb = await confinedDuckDb([path], memoryBytes);
  const { connection } = duckDb;
  await connection.run(`ATTACH ${sqlText(path)} AS ${attachedAs} (TYPE duckdb, READ_ONLY)`);
  return tablesOf(connection, attachedAs);
}

/** So many letters at once: what a message costs is then little beside what it carries. */
const lettersAtOnce = 2 ** 20;

async function nextLines(): Promise<{ lines: string; rows: number }> {
  const { result, query, own } = reading!;
  const pieces: string[] = [];
  let letters = 0;
  let rows = 0;
  while (!reading!.hasEnded && letters < lettersAtOnce) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) throw await failureOf(query, own);
    const lines = chunk.getColumnVector(0).toArray() as (string | null)[];
    lines.length = chunk.rowCount;
    // The row behind the last has no line.
    if (lines.at(-1) === null) {
      reading!.hasEnded = true;
      lines.length--;
    }
    const piece = lines.join("");
    pieces.push(piece);
    letters += piece.length;
    rows += lines.length;
  }
  return { lines: pieces.join(""), rows };
}

/** Why a stream ended early: the query again, unstreamed. */
async function failureOf(query: string, own: string | null): Promise<unknown> {
  return duckDb!.connection.runAndReadAll(`SELECT count(line) FROM (${query})`).then(
    () => new Error("The stream ended early."),
    (error: unknown) => (own === null ? error : queryFailure(own, error)),
  );
}
