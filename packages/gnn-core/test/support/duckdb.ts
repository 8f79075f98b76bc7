import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** Rows of a query, by DuckDB itself: what reads our files independently of our code. */
export async function query(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Writes what a query gives as a file. @returns its path */
export async function copyAs(format: "parquet" | "csv.zst", select: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "hopwise-duckdb-")), `file.${format}`);
  const options = format === "parquet" ? "FORMAT parquet" : "FORMAT csv, HEADER, COMPRESSION zstd";
  await query(`COPY (${select}) TO '${path}' (${options})`);
  return path;
}
