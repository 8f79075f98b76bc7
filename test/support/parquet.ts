import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { download } from "@hopwise/client/node";
import type { Client } from "./client.ts";

/** All rows of a Parquet file, read by DuckDB (the service writes Parquet with another library). */
export function readParquet(path: string): Promise<Record<string, unknown>[]> {
  return select("read_parquet($1)", path);
}

/** All rows of a CSV file with a header, every value as the text that stands there. */
export async function readCsv(path: string): Promise<Record<string, string>[]> {
  return (await select(
    "read_csv($1, header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"')",
    path,
  )) as Record<string, string>[];
}

/** All rows of a job's embeddings or predictions. */
export async function downloadParquet(
  client: Client,
  kind: "embeddings" | "predictions",
  jobId: string,
): Promise<Record<string, unknown>[]> {
  const dir = mkdtempSync(join(tmpdir(), "hw-parquet-"));
  try {
    const input = { params: { id: jobId } };
    const { path } = await download(client.api, `GET /v1/jobs/:id/${kind}` as const, join(dir, "rows.parquet"), input);
    return await readParquet(path);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function select(table: string, path: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(`SELECT * FROM ${table}`, [path]);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
