import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlName } from "../duckdb/connect.ts";
import type { RowValue } from "./sqlite-lines.ts";
import type { SqliteTables } from "./sqlite-tables.ts";

type CopiedType = "BIGINT" | "DOUBLE" | "VARCHAR";

/** As many rows are held before they are written. */
const rowsAtOnce = 16_384;

/**
 * Copies a table of an SQLite file into a database that is attached to DuckDB. SQLite lets each value have a type of
 * its own: a column of whole numbers becomes BIGINT, one of numbers DOUBLE, all others VARCHAR, whatever they were
 * declared as.
 *
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_LIMIT_EXCEEDED
 */
export async function copySqliteTable(
  connection: DuckDBConnection,
  database: string,
  file: SqliteTables,
  index: number,
): Promise<void> {
  const { name, columns } = file.tables[index]!;
  const kept = columns.flatMap(({ unfit }, place) => (unfit === null ? [place] : []));
  const types = await typesOf(file.rows(index), kept);
  const declared = kept.map((place, i) => `${sqlName(columns[place]!.name)} ${types[i]!}`);
  await connection.run(
    `CREATE TABLE ${database}.main.${sqlName(name)} (${declared.join(", ") || '"no column" BIGINT'})`,
  );
  if (kept.length === 0) return;
  const appender = await connection.createAppender(name, "main", database);
  let rows = 0;
  for await (const row of file.rows(index)) {
    for (const [i, place] of kept.entries()) {
      const value = row[place] ?? null;
      if (value === null) appender.appendNull();
      else if (types[i] === "BIGINT") appender.appendBigInt(BigInt(value.text));
      else if (types[i] === "DOUBLE") appender.appendDouble(Number(value.text));
      else appender.appendVarchar(value.text);
    }
    appender.endRow();
    if (++rows % rowsAtOnce === 0) appender.flushSync();
  }
  appender.closeSync();
}

async function typesOf(rows: AsyncIterable<readonly RowValue[]>, kept: readonly number[]): Promise<CopiedType[]> {
  const ranks = kept.map(() => 0);
  for await (const row of rows)
    for (const [i, place] of kept.entries()) {
      const value = row[place] ?? null;
      if (value !== null) ranks[i] = Math.max(ranks[i]!, rankOf(value));
    }
  // A column without a value is compared with texts, as a word would be.
  return ranks.map((rank) => (["VARCHAR", "BIGINT", "DOUBLE", "VARCHAR"] as const)[rank]!);
}

function rankOf({ kind, text }: NonNullable<RowValue>): number {
  if (kind === "text") return 3;
  return /^-?\d+$/.test(text) ? 1 : 2;
}
