import { AppError, limits } from "@hopwise/contracts";
import type { Client } from "pg";
import type { TableWrite } from "../table-write.ts";
import { copyIn } from "./copy-in.ts";
import { literal } from "./identifier.ts";
import { planWrite, type WritePlan } from "./plan-write.ts";
import { findVectorType, readTarget } from "./target-table.ts";
import { countLines, inForm, wholeLines } from "./vector-text.ts";

/** Where rows lie that are merged into a table: this connection's own, and gone at its end. */
const staging = "pg_temp.hopwise_rows";

/**
 * Writes all rows in one transaction, which whoever reads sees as a whole or not at all, in whatever isolation. A table
 * that an earlier run of the same write-back has made is left as it is.
 *
 * @param client   is connected, and in no transaction
 * @param seconds  a statement may take
 * @throws AppError WRITE_BACK_TABLE; what the server says
 */
export async function writeTable(client: Client, write: TableWrite, seconds: number): Promise<void> {
  await begin(client, seconds);
  const target = await readTarget(client, write.schema, write.table);
  if (target && write.mode === "create") {
    if (target.comment?.includes(write.mark)) return;
    throw new AppError(
      "WRITE_BACK_TABLE",
      `There is a ${JSON.stringify(`${write.schema}.${write.table}`)} already; name another table, drop it, or write with the mode replace or upsert.`,
    );
  }
  const plan = planWrite(write, target, await findVectorType(client));
  if (!target) await intoNewTable(client, write, plan);
  else if (write.mode === "replace") await inPlaceOfRows(client, write, plan);
  else await mergeRows(client, write, plan);
  await write.onCommitting();
  await client.query("COMMIT");
}

async function begin(client: Client, seconds: number): Promise<void> {
  // The server notices that this side is gone, and rolls back: at once where it is told, else by its silence.
  const settings = {
    tcp_keepalives_idle: "30",
    tcp_keepalives_interval: "10",
    tcp_keepalives_count: "3",
    statement_timeout: `${seconds}s`,
    lock_timeout: `${limits.writeBackLockSeconds}s`,
    idle_in_transaction_session_timeout: `${seconds}s`,
    standard_conforming_strings: "on",
  };
  await client.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
  // A pooler may give the connection to somebody else afterwards.
  for (const [name, value] of Object.entries(settings)) await client.query(`SET LOCAL ${name} = '${value}'`);
  // While it waits for a lock it listens to nobody, unless it is told to look; releases before 14 do not know how.
  await client.query(`
    SELECT pg_catalog.set_config(name, '2s', true) FROM pg_catalog.pg_settings
    WHERE name = 'client_connection_check_interval'`);
}

async function intoNewTable(client: Client, write: TableWrite, { into, columns, key, form }: WritePlan): Promise<void> {
  await client.query(`CREATE TABLE ${into} (${columns.map(({ name, type }) => `${name} ${type}`).join(", ")})`);
  await copyRows(client, write, { into, columns, form });
  if (key.length > 0) {
    await write.onWaiting("The database has all rows, and makes the primary key.");
    await client.query(`ALTER TABLE ${into} ADD PRIMARY KEY (${key.join(", ")})`);
  }
  await client.query(`COMMENT ON TABLE ${into} IS ${literal(write.comment)}`);
}

/**
 * The table stays, and with it its grants, views and indexes. Whoever reads is not kept waiting; of those who write,
 * one comes after the other.
 */
async function inPlaceOfRows(client: Client, write: TableWrite, plan: WritePlan): Promise<void> {
  await write.onWaiting("The rows that are there are removed, for the transaction's own eyes.");
  await client.query(`LOCK TABLE ${plan.into} IN SHARE ROW EXCLUSIVE MODE`);
  await client.query(`DELETE FROM ${plan.into}`);
  await write.onWaiting(null);
  await copyRows(client, write, plan);
}

async function mergeRows(client: Client, write: TableWrite, { into, columns, key, form }: WritePlan): Promise<void> {
  if (key.length === 0)
    throw new AppError(
      "WRITE_BACK_TABLE",
      `Rows of these ${write.shape.file.split(".")[0]} may be alike, so that none is told to be there already; write them with the mode create or replace.`,
    );
  const names = columns.map(({ name }) => name).join(", ");
  await client.query(`CREATE TEMPORARY TABLE hopwise_rows ON COMMIT DROP AS SELECT ${names} FROM ${into} WITH NO DATA`);
  await copyRows(client, write, { into: staging, columns, form });
  await write.onWaiting("The database has all rows, and merges them with those of the table.");
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => `${name} = EXCLUDED.${name}`);
  const then = others.length > 0 ? `UPDATE SET ${others.join(", ")}` : "NOTHING";
  await client.query(
    `INSERT INTO ${into} (${names}) SELECT ${names} FROM ${staging} ON CONFLICT (${key.join(", ")}) DO ${then}`,
  );
}

async function copyRows(
  client: Client,
  { lines, shape, onRows }: TableWrite,
  { into, columns, form }: Pick<WritePlan, "into" | "columns" | "form">,
): Promise<void> {
  let sent = 0;
  async function* pieces() {
    for await (const piece of wholeLines(lines())) {
      const numRows = countLines(piece);
      yield form === null ? piece : inForm(piece, form);
      sent += numRows;
      onRows(sent);
    }
  }
  const names = columns.map(({ name }) => name).join(", ");
  const taken = await copyIn(client, `COPY ${into} (${names}) FROM STDIN`, pieces());
  if (taken === shape.numRows) return;
  throw new AppError(
    "WRITE_BACK_TABLE",
    `The table kept ${taken} of ${shape.numRows} rows; a trigger or a rule of it leaves rows out. Remove it, or write into another table.`,
  );
}
