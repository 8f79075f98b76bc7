import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeTurns } from "../../src/database/take-turns.ts";

let pglite: PGlite;
beforeAll(async () => {
  pglite = takeTurns(await PGlite.create("memory://"));
}, 120_000);
afterAll(() => pglite.close());

/** How many turns others had until `work` was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

it("lets others have their turn before each of many queries", async () => {
  const queries = Promise.all(Array.from({ length: 50 }, (_, i) => pglite.query("SELECT $1::int AS i", [i])));
  expect(await turnsDuring(queries)).toBeGreaterThanOrEqual(50);
  expect((await queries).map(({ rows: [row] }) => (row as { i: number }).i)).toEqual(
    Array.from({ length: 50 }, (_, i) => i),
  );
});

it("keeps a transaction to itself, and goes on after a query that failed", async () => {
  await pglite.exec("CREATE TABLE t (i int PRIMARY KEY)");
  const failed = pglite.query("SELECT nonsense").catch(() => "failed");
  const inside = pglite.transaction(async (tx) => {
    await tx.query("INSERT INTO t VALUES (1)");
    await tx.query("INSERT INTO t VALUES (2)");
    await tx.rollback();
  });
  const after = pglite.query<{ n: number }>("SELECT count(*)::int AS n FROM t");
  expect(await failed).toBe("failed");
  await inside;
  expect((await after).rows).toEqual([{ n: 0 }]);
});
