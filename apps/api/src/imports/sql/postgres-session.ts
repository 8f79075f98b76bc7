import type { Client, QueryArrayResult } from "pg";
import { postgresClient } from "./postgres-client.ts";
import type { SessionOptions, SqlBatch, SqlColumn, SqlKind, SqlSession } from "./sql-session.ts";

/** A piece of the answer that is held at once. */
const pieceCharacters = 512 * 1024;
const mostRows = 5000;
const cursor = '"hopwise_import"';

/** Types by their numbers in pg_type, which are the same in every database. */
const kinds: Readonly<Record<number, SqlKind>> = {
  16: "boolean",
  20: "number",
  21: "number",
  23: "number",
  26: "number",
  700: "number",
  701: "number",
  1700: "number",
  114: "json",
  3802: "json",
  1005: "array",
  1007: "array",
  1016: "array",
  1021: "array",
  1022: "array",
  1231: "array",
};
/** Types of extensions have other numbers everywhere; pgvector writes its vectors as JSON does. */
const namedKinds: Readonly<Record<string, SqlKind>> = { vector: "json", halfvec: "json" };
const firstOwnType = 16_384;

/**
 * Opens a PostgreSQL in a transaction that can only read.
 *
 * @throws what the client throws: see `failureOf`
 */
export async function openPostgres(options: SessionOptions): Promise<SqlSession> {
  const { client, taken, close } = postgresClient(options, "hopwise import");
  try {
    await client.connect();
    await begin(client, options.querySeconds);
  } catch (error) {
    await close();
    throw error;
  }
  return { batches: (query) => batchesOf(client, query, taken), close };
}

async function begin(client: Client, querySeconds: number): Promise<void> {
  // The server notices an abandoned connection while it computes; releases before 14 do not know how.
  await client.query("SET client_connection_check_interval = '2s'").catch(() => {});
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const settings = {
    statement_timeout: `${querySeconds}s`,
    cursor_tuple_fraction: "1.0",
    datestyle: "ISO",
    intervalstyle: "iso_8601",
    bytea_output: "hex",
    extra_float_digits: "3",
  };
  for (const [name, value] of Object.entries(settings)) await client.query(`SET LOCAL ${name} = '${value}'`);
}

/** A cursor takes one statement that reads, and nothing else. */
async function* batchesOf(client: Client, query: string, taken: () => void): AsyncGenerator<SqlBatch> {
  const run = (text: string): Promise<QueryArrayResult> =>
    // By the extended protocol several statements in one text are refused, before any of them runs.
    client.query({ text, rowMode: "array", queryMode: "extended" } as { text: string; rowMode: "array" });
  await run(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query.replace(/[;\s]+$/, "")}\n`);
  let columns: readonly SqlColumn[] | null = null;
  for (let count = 10; ; ) {
    const { rows, fields } = await run(`FETCH FORWARD ${count} FROM ${cursor}`);
    taken();
    columns ??= await columnsOf(client, fields);
    yield { columns, rows };
    if (rows.length < count) break;
    const characters = rows.reduce((sum, row) => sum + lengthOf(row), 0);
    const fitting = Math.floor((count * pieceCharacters) / Math.max(1, characters));
    count = Math.max(1, Math.min(mostRows, 4 * count, fitting));
  }
  await run(`CLOSE ${cursor}`);
}

async function columnsOf(client: Client, fields: QueryArrayResult["fields"]): Promise<readonly SqlColumn[]> {
  const own = fields.map(({ dataTypeID }) => dataTypeID).filter((id) => id >= firstOwnType);
  const names = new Map<number, string>();
  if (own.length > 0) {
    const text =
      "SELECT oid::int8::text AS id, typname::text AS name FROM pg_catalog.pg_type WHERE oid = ANY($1::oid[])";
    const { rows } = await client.query<{ id: string; name: string }>(text, [own]);
    for (const { id, name } of rows) names.set(Number(id), name);
  }
  return fields.map(({ name, dataTypeID }) => ({
    name,
    kind: kinds[dataTypeID] ?? namedKinds[names.get(dataTypeID) ?? ""] ?? "text",
  }));
}

function lengthOf(row: readonly unknown[]): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}
