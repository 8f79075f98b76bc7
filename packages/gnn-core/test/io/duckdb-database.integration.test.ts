import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { duckdbFile } from "../../../../test/support/duckdb-file.ts";
import { openDuckDbFile } from "../../src/io/database/duckdb-database.ts";
import { DuckDbReader } from "../../src/io/database/duckdb-reader.ts";
import { plannedFiles } from "../../src/io/database/planned-files.ts";
import { defaultReadingLimits, type ReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { temporaryDir } from "../support/run-step.ts";

async function opened(sql: string, options?: string, limits: ReadingLimits = defaultReadingLimits) {
  const path = join(await temporaryDir("duckdb"), "shop.duckdb");
  await writeFile(path, await duckdbFile(sql, options));
  return openDuckDbFile({ path, name: "shop.duckdb", bytes: (await stat(path)).size }, limits);
}

async function rowsOf(sql: string, most: number | null = null): Promise<unknown[]> {
  const database = await opened(sql);
  try {
    const { files } = plannedFiles(database.tables);
    const pieces: string[] = [];
    for await (const { lines } of database.lines(files[0]!, most)) pieces.push(lines);
    return pieces
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  } finally {
    await database.close();
  }
}

describe("tables of a DuckDB database", () => {
  it("has each type of a column as readers of JSON keep it", async () => {
    const [row] =
      await rowsOf(`CREATE TABLE t AS SELECT 9007199254740991::BIGINT AS whole, 9007199254740992::BIGINT AS wide,
      170141183460469231731687303715884105727::HUGEINT AS huge, 0::UHUGEINT AS none, 1.500::DECIMAL(18,3) AS price,
      12345678901234567890::DECIMAL(38,0) AS digits, 'nan'::DOUBLE AS nan, '-inf'::FLOAT AS infinite, 0.1::FLOAT AS tenth, true AS yes,
      TIMESTAMPTZ '2020-01-01 01:00:00+02' AS at, DATE '2020-02-29' AS day, 'b'::ENUM('a', 'b') AS letter, [1, 2]::FLOAT[2] AS pair,
      [0.5, NULL] AS gap, ['a"', 'ü'] AS words, [1, 'nan'::DOUBLE] AS torn, 'line' || chr(10) || '"' AS text, NULL::INT AS nothing,
      '8f0e0f3e-0000-4000-8000-000000000000'::UUID AS key, '{"a": 1}'::JSON AS document`);
    expect(row).toEqual({
      whole: 9007199254740991,
      wide: "9007199254740992",
      huge: "170141183460469231731687303715884105727",
      none: 0,
      price: 1.5,
      digits: "12345678901234567890",
      nan: null,
      infinite: null,
      tenth: 0.1,
      yes: true,
      at: "2019-12-31 23:00:00+00",
      day: "2020-02-29",
      letter: "b",
      pair: [1, 2],
      gap: [0.5, null],
      words: ['a"', "ü"],
      torn: "[1.0, nan]",
      text: 'line\n"',
      nothing: null,
      key: "8f0e0f3e-0000-4000-8000-000000000000",
      document: '{"a": 1}',
    });
  });

  it("has rows in the order in which they are stored, all of them or as many as are wanted", async () => {
    const sql = "CREATE TABLE t AS SELECT i AS a FROM range(5000) t(i)";
    const all = Array.from({ length: 5000 }, (_, a) => ({ a }));
    expect(await rowsOf(sql)).toEqual(all);
    expect(await rowsOf(sql, 2050)).toEqual(all.slice(0, 2050));
  });

  it("reads names that are awkward", async () => {
    const sql = `CREATE SCHEMA "my.schema"; CREATE TABLE "my.schema"."a ""b'" ("x'y""" INT); INSERT INTO "my.schema"."a ""b'" VALUES (7)`;
    expect(await rowsOf(sql)).toEqual([{ [`x'y"`]: 7 }]);
  });

  it("stops reading where rows come to more bytes than they may", async () => {
    const sql = "CREATE TABLE t AS SELECT 1 AS src, 2 AS dst FROM range(1000000)";
    const limits = { ...defaultReadingLimits, unpackedBytes: { most: 2 ** 22, setting: "SET_unpacked" } };
    const database = await opened(sql, "STORAGE_VERSION 'latest', BLOCK_SIZE 16384", limits);
    try {
      const { files } = plannedFiles(database.tables);
      let read = 0;
      const readAll = async () => {
        for await (const { rows } of database.lines(files[0]!, null)) read += rows;
      };
      await expect(readAll()).rejects.toMatchObject({
        code: "DATASET_LIMIT_EXCEEDED",
        place: { file: "shop.duckdb" },
        message: expect.stringContaining("SET_unpacked"),
      });
      expect(read).toBeLessThan(2 ** 22 / '{"src":1,"dst":2}\n'.length);
    } finally {
      await database.close();
    }
  });

  it("says that memory is what is lacking for a text that is longer than it", async () => {
    const limits = { ...defaultReadingLimits, memoryBytes: { most: 2 ** 25, setting: "SET_memory" } };
    const database = await opened("CREATE TABLE t AS SELECT repeat('x', 60000000) AS a", undefined, limits);
    try {
      const { files } = plannedFiles(database.tables);
      await expect(database.lines(files[0]!, null).next()).rejects.toMatchObject({
        code: "DATASET_LIMIT_EXCEEDED",
        message: expect.stringContaining("SET_memory"),
      });
    } finally {
      await database.close();
    }
  });

  it("is an error when the process that reads it is gone", async () => {
    const reader = new DuckDbReader();
    await reader.close();
    await expect(reader.ask({ ask: "next" })).rejects.toMatchObject({ endedBy: "SIGKILL" });
  });
});
