import { DuckDBInstance } from "@duckdb/node-api";

/** All rows of a Parquet file, read by DuckDB (the service writes Parquet with another library). */
export async function readParquet(path: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll("SELECT * FROM read_parquet($1)", [path]);
    return reader.getRowObjectsJS();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
