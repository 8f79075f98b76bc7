import type { SampledFile } from "./sampled-file.ts";

/** `part-00000-6f1c.snappy.parquet` of Spark, `part.0.parquet` of Dask, `data_0.parquet` of DuckDB */
const pieceName =
  /^(?:part[-_.]\S+|(?:part|data|chunk|shard|piece|batch|block|segment|file|run)?[-_.]?\d+(?:[-_.]\S*)?)$/i;
const isContainer = /\.(zip|xlsx|xlsm|db|db3|s3db|sqlite|sqlite3|duckdb|ddb)$/i;
/** `year=2020`: what all rows below have in a column that no file holds */
const partition = /^[^=/]+=[^/]*$/;

/** The folder that a table was written to piece by piece, if this is the name of a piece; else null. */
export function folderOfPieces(name: string): string | null {
  const parts = name.split(/[/\\]/);
  if (!pieceName.test(parts.pop() ?? "")) return null;
  while (partition.test(parts.at(-1) ?? "")) parts.pop();
  const folder = parts.join("/");
  return folder === "" || isContainer.test(folder) ? null : folder;
}

/** The folders of a name that stand for the value of a column, which no reader sees. */
export function partitionsOf(name: string): string[] {
  return name
    .split(/[/\\]/)
    .slice(0, -1)
    .filter((part) => partition.test(part));
}

/** The names of all pieces of the table that a file is the first piece of; null: it is a later one. */
export function piecesFrom(file: SampledFile, all: readonly SampledFile[]): readonly string[] | null {
  const folder = folderOfPieces(file.name);
  if (folder === null) return [file.name];
  const columns = (one: SampledFile) => JSON.stringify(one.columns.map(({ name }) => name));
  const pieces = all.filter(
    (one) => folderOfPieces(one.name) === folder && one.reader === file.reader && columns(one) === columns(file),
  );
  return pieces[0] === file ? pieces.map(({ name }) => name) : null;
}
