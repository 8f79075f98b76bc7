import type { DuckDBResult } from "@duckdb/node-api";
import { GnnError } from "../../errors/gnn-error.ts";
import { connectDuckDb, type DuckDb, sqlText } from "../duckdb/connect.ts";
import { attachedAs, type FromDuckDbReader, type ToDuckDbReader } from "./duckdb-messages.ts";
import { tablesOf } from "./duckdb-tables.ts";

// The program of a process that reads one DuckDB database for its parent, and ends with it. The file is opened by
// DuckDB's native code, which a hostile one may bring down: then this process alone is gone.

let duckDb: DuckDb | null = null;
let reading: { readonly query: string; readonly result: DuckDBResult; hasEnded: boolean } | null = null;

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
  if (asked.ask === "next") return { answer: "lines", ...(await nextLines()) };
  reading = { query: asked.query, result: await duckDb!.connection.stream(asked.query), hasEnded: false };
  return { answer: "reading" };
}

async function attach({ path, memoryBytes }: Extract<ToDuckDbReader, { ask: "tables" }>) {
  duckDb = await connectDuckDb({ memoryBytes: { most: memoryBytes, setting: "" } });
  const { connection } = duckDb;
  // From here on DuckDB opens this file and no other, whatever the file asks for, and nothing can be set back.
  const allowed = [path, `${path}.wal`].map(sqlText).join(", ");
  const settings = [
    "threads = 1",
    "TimeZone = 'UTC'",
    `allowed_paths = [${allowed}]`,
    "enable_external_access = false",
    "lock_configuration = true",
  ];
  for (const setting of settings) await connection.run(`SET ${setting}`);
  await connection.run(`ATTACH ${sqlText(path)} AS ${attachedAs} (TYPE duckdb, READ_ONLY)`);
  return tablesOf(connection, attachedAs);
}

/** So many letters at once: what a message costs is then little beside what it carries. */
const lettersAtOnce = 2 ** 20;

async function nextLines(): Promise<{ lines: string; rows: number }> {
  const { result, query } = reading!;
  const pieces: string[] = [];
  let letters = 0;
  let rows = 0;
  while (!reading!.hasEnded && letters < lettersAtOnce) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) throw await failureOf(query);
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
async function failureOf(query: string): Promise<unknown> {
  return duckDb!.connection.runAndReadAll(`SELECT count(line) FROM (${query})`).then(
    () => new Error("The stream ended early."),
    (error: unknown) => error,
  );
}
