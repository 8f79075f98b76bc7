import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { duckdbFile } from "../../../../test/support/duckdb-file.ts";
import { openQueries } from "../../src/io/database/database-queries.ts";
import { linesOfOwn, openForQueries } from "../../src/io/database/own-queries.ts";
import { defaultReadingLimits, type ReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { temporaryDir } from "../support/run-step.ts";

const shopSql = `CREATE TABLE users AS SELECT i AS id, 'name ' || i AS name FROM range(20) t(i);
  CREATE TABLE sales(buyer INT, seller INT, amount DECIMAL(9,2), day DATE);
  INSERT INTO sales SELECT i % 20, (i * 7) % 20, i / 4, DATE '2026-01-01' + i::INT FROM range(100) t(i);
  CREATE SCHEMA archive; CREATE TABLE archive.old(id INT); INSERT INTO archive.old VALUES (5);
  CREATE MACRO lower(x) AS (SELECT count(*) FROM read_text('/etc/hostname'));
  CREATE VIEW passwords AS SELECT * FROM read_text('/etc/passwd')`;

interface Asked {
  readonly limits?: ReadingLimits;
  readonly most?: number | null;
  readonly check?: () => void;
}

async function duckdb() {
  const path = join(await temporaryDir("queries"), "shop.duckdb");
  await writeFile(path, await duckdbFile(shopSql));
  return { kind: "duckdb" as const, path };
}

async function sqlite(name = "shop.db") {
  const path = join(await temporaryDir("queries"), name);
  await copyFile(fileURLToPath(new URL(`../../../../test/fixtures/sqlite/${name}`, import.meta.url)), path);
  return { kind: "sqlite" as const, path };
}

async function answerOf(file: { kind: "duckdb" | "sqlite"; path: string }, text: string, asked: Asked = {}) {
  const { limits = defaultReadingLimits, most = null, check = () => undefined } = asked;
  const dir = await temporaryDir("copies");
  const query = { file: "own.sql", text };
  const database = { name: "shop.db", path: file.path, bytes: (await stat(file.path)).size };
  try {
    const opened = await openQueries({ kind: file.kind, database, queries: [query], dir, limits, check });
    const notes: string[] = [];
    const pieces: string[] = [];
    try {
      for await (const lines of opened.lines(query, most, notes)) pieces.push(lines);
    } finally {
      await opened.close();
    }
    const rows = pieces.join("").split("\n").slice(0, -1);
    return { rows: rows.map((line) => JSON.parse(line) as unknown), notes };
  } finally {
    expect(await readdir(dir)).toEqual([]);
  }
}

/** Looks a query through as the process does that would run it. */
async function lookThrough({ kind, path }: { kind: "duckdb" | "sqlite"; path: string }, text: string): Promise<void> {
  const query = { file: "own.sql", text };
  const copyPath = join(await temporaryDir("copies"), "copy.duckdb");
  const limits = defaultReadingLimits;
  const asked = { ask: "queries" as const, kind, path, name: "shop.db", limits, copyPath, queries: [query] };
  const { duckDb } = await openForQueries(asked);
  try {
    await linesOfOwn(duckDb.connection, query, null);
  } finally {
    duckDb.close();
  }
}

const refused = async (text: string, message: RegExp, line: number | null = null) =>
  expect(lookThrough(await duckdb(), text)).rejects.toMatchObject({
    code: "DATASET_FORMAT_INVALID",
    message: expect.stringMatching(message),
    place: { file: "own.sql", ...(line !== null && { line }) },
  });

describe("a query on a DuckDB file", () => {
  it("gives the rows that DuckDB gives, in their order", async () => {
    const text = `WITH late AS (SELECT * FROM sales WHERE day >= DATE '2026-04-01')
      SELECT u.name AS who, sum(amount) AS total, count(*) AS n FROM late JOIN users u ON u.id = late.buyer
      GROUP BY ALL ORDER BY total DESC, who; -- the ten last days`;
    // Rows 90 to 99: buyers 10 to 19, each once, with a quarter of the number as amount.
    const expected = Array.from({ length: 10 }, (_, i) => ({ who: `name ${19 - i}`, total: (99 - i) / 4, n: 1 }));
    expect((await answerOf(await duckdb(), text.replace(/ --.*/, ""))).rows).toEqual(expected);
    expect((await answerOf(await duckdb(), text.replace("; --", " --"))).rows).toEqual(expected);
  });

  it("takes as many of its rows as are wanted", async () => {
    const { rows } = await answerOf(await duckdb(), "SELECT id FROM users ORDER BY id DESC", { most: 3 });
    expect(rows).toEqual([{ id: 19 }, { id: 18 }, { id: 17 }]);
  });

  it("asks tables of other schemas, rows from arguments, values and a sample with a seed", async () => {
    const file = await duckdb();
    expect((await answerOf(file, "SELECT id FROM archive.old")).rows).toEqual([{ id: 5 }]);
    expect((await answerOf(file, "FROM range(3) t(i)")).rows).toEqual([{ i: 0 }, { i: 1 }, { i: 2 }]);
    expect((await answerOf(file, "VALUES (1, 'a')")).rows).toEqual([{ col0: 1, col1: "a" }]);
    const sample = "FROM users USING SAMPLE reservoir(5 ROWS) REPEATABLE (7)";
    const first = await answerOf(file, sample);
    expect(first.rows).toHaveLength(5);
    expect(await answerOf(file, sample)).toEqual(first);
  });

  it("calls functions of DuckDB, not macros of the file", async () => {
    expect((await answerOf(await duckdb(), "SELECT lower('ABC') AS word")).rows).toEqual([{ word: "abc" }]);
  });

  it("leaves columns out that are of no use to a graph, and says so", async () => {
    const { rows, notes } = await answerOf(await duckdb(), "SELECT 1 AS a, 'x'::BLOB AS b, {'c': 1} AS d");
    expect(rows).toEqual([{ a: 1 }]);
    expect(notes).toEqual([
      "the column b of own.sql is left out: it holds bytes.",
      "the column d of own.sql is left out: it holds values in one another.",
    ]);
  });

  it.each([
    ["an attached file", "ATTACH '/tmp/other.db' AS other", /expected one statement that reads/],
    ["a written file", "COPY users TO '/tmp/stolen.csv'", /expected one statement that reads/],
    ["an extension", "INSTALL httpfs", /expected one statement that reads/],
    ["an extension that is there", "LOAD json", /expected one statement that reads/],
    ["a pragma", "PRAGMA database_list", /expected one statement that reads/],
    ["a setting", "SET memory_limit = '900GB'", /expected one statement that reads/],
    ["a table that is made", "CREATE TABLE a AS SELECT 1", /expected one statement that reads/],
    ["rows that are removed", "DELETE FROM users", /expected one statement that reads/],
    ["several statements", "SELECT 1; SELECT 2", /found 2 statements/],
    ["a statement behind one that reads", "SELECT 1; COPY users TO '/tmp/x'", /expected one statement that reads/],
    ["nothing", " -- nothing\n", /found 0 statements/],
    ["brackets that close too early", "SELECT 1) UNION (SELECT 2", /syntax error/],
    ["a file of text", "SELECT * FROM read_csv('/etc/passwd')", /the function read_csv may read what is not in/],
    ["a file in a subquery", "SELECT (SELECT content FROM read_text('/etc/passwd'))", /the function read_text/],
    [
      "a file by its name",
      "SELECT * FROM '/etc/passwd'",
      /there is no table \/etc\/passwd; tables that may be asked are archive\.old, /,
    ],
    ["a file as a part of WITH", `WITH "/etc/passwd" AS (SELECT 1) SELECT * FROM "/etc/passwd"`, /WITH calls a part/],
    ["names of files", "SELECT * FROM glob('/etc/*')", /the function glob/],
    ["an address in memory", "SELECT * FROM arrow_scan(1, 2, 3)", /the function arrow_scan/],
    ["a query in a text", "SELECT * FROM query('SELECT 1')", /the function query/],
    ["a table by a text", "SELECT * FROM query_table('duckdb_settings')", /the function query_table/],
    ["where the file lies", "SELECT path FROM duckdb_databases()", /the function duckdb_databases/],
    ["where the file lies, as a table", "SELECT * FROM duckdb_databases", /there is no table duckdb_databases/],
    ["where the file lies, by another name", "SELECT * FROM system.main.duckdb_databases", /there is no table system/],
    ["the file past its tables", "SELECT * FROM file.main.passwords", /there is no table file\.main\.passwords/],
    ["a view of the file", "SELECT * FROM passwords", /there is no table passwords/],
    ["settings", "SELECT current_setting('allowed_paths')", /current_setting\(\) is another each time/],
    ["what a table is", "DESCRIBE users", /asks what a table is/],
    ["chance", "SELECT id FROM users ORDER BY random()", /random\(\) is another each time/],
    ["the clock", "SELECT * FROM sales WHERE day > current_date - 8", /current_date is another each time/],
    ["the clock in a macro", "SELECT ago(INTERVAL 1 DAY)", /ago\(\) is another each time/],
    ["a pause", "SELECT sleep_ms(100000)", /sleep_ms\(\) is another each time/],
    ["a sample without a seed", "SELECT * FROM users USING SAMPLE 3", /give it a seed/],
    ["bytes alone", "SELECT 'x'::BLOB", /none of its columns/],
  ])("refuses %s", async (_, text, message) => {
    await refused(text, message);
  });

  it("says which value does not fit a type", async () => {
    await expect(answerOf(await duckdb(), "SELECT name::INT AS a FROM users")).rejects.toMatchObject({
      code: "DATASET_FORMAT_INVALID",
      message: expect.stringMatching(/own\.sql.*: DuckDB says: Conversion Error: .*name 0/),
      place: { file: "own.sql" },
    });
  });

  it("names the line of what is wrong", async () => {
    await refused("SELECT id\nFROM users\nWHER id = 3 AND", /own\.sql, line 3: syntax error/, 3);
    await refused("SELECT\n  nothing\nFROM users", /own\.sql, line 2: DuckDB says: .*"nothing" not found/, 2);
    await refused("SELECT 1\nFROM\n  noTable", /own\.sql, line 3: there is no table noTable/, 3);
  });

  it("ends a query without an end where rows, memory or time are over", async () => {
    const file = await duckdb();
    const small = {
      ...defaultReadingLimits,
      memoryBytes: { most: 2 ** 27, setting: "SET_memory" },
      unpackedBytes: { most: 2 ** 22, setting: "SET_unpacked" },
      rows: { most: 50_000, setting: "SET_rows" },
    };
    const over = (setting: string) => ({ code: "DATASET_LIMIT_EXCEEDED", message: expect.stringContaining(setting) });
    const asked = (text: string, limits: ReadingLimits = small) => answerOf(file, text, { limits });
    await expect(asked("SELECT i FROM range(1000000000000) t(i)")).rejects.toMatchObject(over("SET_"));
    await expect(asked("SELECT repeat('x', 1000) AS a FROM range(1000000)")).rejects.toMatchObject(
      over("SET_unpacked"),
    );
    const doubling = "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + b FROM r, range(2) t(b)) SELECT a FROM r";
    await expect(asked(doubling)).rejects.toMatchObject(over("SET_"));
    const bomb = "SELECT string_agg(repeat('x', 1000), '') AS a FROM range(100000000)";
    await expect(asked(bomb)).rejects.toMatchObject(over("SET_memory"));
  });

  it.each([
    ["joins all with all", "SELECT count(*) AS n FROM range(100000) a, range(100000) b, range(100000) c"],
    ["begins again for ever", "WITH RECURSIVE r AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM r) SELECT a FROM r"],
  ])("ends a query that %s when it is to end", async (_, text) => {
    const begun = Date.now();
    const check = () => {
      if (Date.now() - begun > 500) throw new Error("It is to end.");
    };
    await expect(answerOf(await duckdb(), text, { check })).rejects.toThrow("It is to end.");
  });

  it("bears a query that is nested as deep as it is long", async () => {
    const text = `SELECT ${"(".repeat(40_000)}1${")".repeat(40_000)} AS a`;
    await expect(answerOf(await duckdb(), text)).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID" });
  });
});

describe("a query on an SQLite file", () => {
  it("gives what SQLite gives", async () => {
    // See test/fixtures/sqlite/make.py: users 1 to 60 and one more, 148 ratings.
    const { rows } = await answerOf(
      await sqlite(),
      "SELECT count(*) AS n, max(id) AS last, min(id) AS first FROM users",
    );
    expect(rows).toMatchObject([{ n: 61, first: 1 }]);
    const joined = "SELECT r.user_id AS src FROM ratings r JOIN users u ON u.id = r.user_id";
    expect((await answerOf(await sqlite(), joined)).rows).toHaveLength(148);
    expect((await answerOf(await sqlite("shop-utf16.db"), joined)).rows).toHaveLength(148);
  });

  it("keeps numbers and texts apart, by what is in a column", async () => {
    const text =
      "SELECT typeof(id) AS id, typeof(email) AS email, typeof(age) AS age, count(*) AS n FROM users GROUP BY ALL";
    expect((await answerOf(await sqlite(), text)).rows).toEqual([
      { id: "BIGINT", email: "VARCHAR", age: "DOUBLE", n: 61 },
    ]);
  });

  it("does not ask views, and says which tables there are", async () => {
    await expect(lookThrough(await sqlite(), "SELECT * FROM older")).rejects.toMatchObject({
      place: { file: "own.sql", line: 1 },
      message: expect.stringMatching(/there is no table older; tables that may be asked are users, /),
    });
  });

  it("says what is wrong with a damaged file", async () => {
    const file = await sqlite();
    const path = join(await temporaryDir("queries"), "cut.db");
    await writeFile(path, (await readFile(file.path)).subarray(0, 9000));
    await expect(answerOf({ kind: "sqlite", path }, "SELECT * FROM users")).rejects.toMatchObject({
      code: "DATASET_FORMAT_INVALID",
      message: expect.stringMatching(/shop\.db is a damaged SQLite database/),
    });
  });
});
