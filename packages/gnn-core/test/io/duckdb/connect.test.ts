import { describe, expect, it } from "vitest";
import { borrowDuckDb, connectDuckDb, type DuckDb } from "../../../src/io/duckdb/connect.ts";

// A limit of its own, so that nobody else borrows what is kept here.
const limits = { memoryBytes: { most: 77 * 2 ** 20, setting: "" } };

/** Tells one DuckDB from another: a table that only it has */
async function mark({ connection }: DuckDb): Promise<void> {
  await connection.run("CREATE TABLE mark AS SELECT 1");
}
async function isMarked({ connection }: DuckDb): Promise<boolean> {
  const found = await connection.runAndReadAll("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'mark'");
  return Number(found.getRows()[0]?.[0]) === 1;
}

describe("a DuckDB that is borrowed", () => {
  it("is kept for the next table of the same limits when it is closed, and nobody has it meanwhile", async () => {
    const first = await borrowDuckDb(limits);
    await mark(first);
    const beside = await borrowDuckDb(limits);
    expect(await isMarked(beside)).toBe(false);
    first.close();
    const next = await borrowDuckDb(limits);
    expect(await isMarked(next)).toBe(true);
    next.close();
    next.close();
    const [again, other] = [await borrowDuckDb(limits), await borrowDuckDb(limits)];
    expect([await isMarked(again), await isMarked(other)], "closed twice, it is lent once").toEqual([true, false]);
    for (const one of [again, other, beside]) one.close();
  });

  it("is none with other limits, and none of those that are set up as somebody likes", async () => {
    const wider = await borrowDuckDb({ memoryBytes: { most: 99 * 2 ** 20, setting: "" } });
    const own = await connectDuckDb(limits);
    expect([await isMarked(wider), await isMarked(own)]).toEqual([false, false]);
    for (const one of [wider, own]) one.close();
  });

  it("has the memory that its limits say, and no files of others", async () => {
    const duckDb = await borrowDuckDb(limits);
    const settings = "SELECT current_setting('memory_limit'), current_setting('enable_external_file_cache')";
    expect((await duckDb.connection.runAndReadAll(settings)).getRows()).toEqual([["77.0 MiB", false]]);
    duckDb.close();
  });
});
