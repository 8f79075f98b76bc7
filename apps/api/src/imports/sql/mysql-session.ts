import mysql, { type Connection } from "mysql2";
import { guardedSocket } from "./guarded-socket.ts";
import {
  connectSeconds,
  type SessionOptions,
  type SqlBatch,
  type SqlColumn,
  type SqlKind,
  type SqlSession,
} from "./sql-session.ts";

const batchRows = 500;
/** The character set of columns that hold bytes, not text. */
const binary = 63;

const { Types } = mysql;

const numbers: ReadonlySet<number | undefined> = new Set([
  Types.TINY,
  Types.SHORT,
  Types.LONG,
  Types.LONGLONG,
  Types.INT24,
  Types.YEAR,
  Types.FLOAT,
  Types.DOUBLE,
  Types.DECIMAL,
  Types.NEWDECIMAL,
]);
const texts: ReadonlySet<number | undefined> = new Set([
  Types.BLOB,
  Types.TINY_BLOB,
  Types.MEDIUM_BLOB,
  Types.LONG_BLOB,
  Types.STRING,
  Types.VAR_STRING,
  Types.VARCHAR,
]);

interface Field {
  readonly name: string;
  readonly columnType?: number;
  readonly characterSet?: number;
}

/**
 * Opens a MySQL or MariaDB in a transaction that can only read.
 *
 * @throws what the client throws: see `failureOf`
 */
export async function openMysql(options: SessionOptions): Promise<SqlSession> {
  const { address, user, password, lookup, querySeconds, signal } = options;
  const { socket, taken } = guardedSocket(lookup, signal);
  const connection = mysql.createConnection({
    host: address.host,
    user,
    password,
    database: address.database,
    stream: () => socket.connect(address.port, address.host),
    ...(!address.isPlain && { ssl: { rejectUnauthorized: true, verifyIdentity: true } }),
    connectTimeout: connectSeconds * 1000,
    charset: "utf8mb4",
    // No program is made of what the server calls its columns, and no file of this host is read for it.
    disableEval: true,
    flags: ["-LOCAL_FILES", "-COMPRESS"],
    multipleStatements: false,
  });
  // It is told by what waits for an answer; without a listener it would end the process.
  connection.on("error", () => {});
  const close = async () => {
    connection.destroy();
    socket.destroy();
  };
  try {
    await connected(connection);
    await begin(connection, querySeconds);
  } catch (error) {
    await close();
    throw error;
  }
  return { batches: (query) => batchesOf(connection, query, taken), close };
}

function connected(connection: Connection): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
}

async function begin(connection: Connection, querySeconds: number): Promise<void> {
  const run = (sql: string) =>
    new Promise<void>((resolve, reject) => {
      connection.query(sql, (error) => (error ? reject(error) : resolve()));
    });
  // MariaDB counts seconds, MySQL milliseconds; each refuses the other's word.
  await run(`SET SESSION max_statement_time = ${querySeconds}`).catch((error: unknown) => {
    if ((error as { errno?: number }).errno !== 1193) throw error;
    return run(`SET SESSION max_execution_time = ${querySeconds * 1000}`);
  });
  // What a statement ends this transaction for would begin in another one, which can only read as well.
  await run("SET SESSION TRANSACTION READ ONLY");
  await run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  await run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
}

async function* batchesOf(connection: Connection, query: string, taken: () => void): AsyncGenerator<SqlBatch> {
  const asked = connection.query({ sql: query, rowsAsArray: true, typeCast: (field) => field.buffer() });
  let fields: readonly Field[] = [];
  asked.on("fields", (found) => {
    // A statement without rows has no fields either.
    fields = (found as unknown as readonly Field[] | undefined) ?? [];
  });
  const stream = asked.stream({ highWaterMark: batchRows });
  let columns: readonly SqlColumn[] | null = null;
  let rows: (string | null)[][] = [];
  for await (const row of stream as AsyncIterable<(Buffer | null)[]>) {
    // What a statement without rows has done comes in their place.
    if (!Array.isArray(row)) continue;
    columns ??= columnsOf(fields);
    taken();
    rows.push(row.map((value, i) => textOf(value, fields[i])));
    if (rows.length < batchRows) continue;
    yield { columns, rows };
    rows = [];
  }
  yield { columns: columns ?? columnsOf(fields), rows };
}

function columnsOf(fields: readonly Field[]): readonly SqlColumn[] {
  return fields.map(({ name, columnType }): SqlColumn => ({ name, kind: kindOf(columnType) }));
}

function kindOf(type: number | undefined): SqlKind {
  if (type === Types.JSON) return "json";
  return numbers.has(type) || type === Types.BIT ? "number" : "text";
}

function textOf(value: Buffer | null, { columnType, characterSet }: Field = { name: "" }): string | null {
  if (value === null) return null;
  if (columnType === Types.BIT) return BigInt(`0x${value.toString("hex") || "0"}`).toString();
  const holdsBytes = characterSet === binary && texts.has(columnType);
  return holdsBytes ? `\\x${value.toString("hex")}` : value.toString("utf8");
}
