import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { codeOf } from "../conformance/collective.suite.ts";
import { failureOf, rowServiceSuite } from "../conformance/row-service.suite.ts";
import { RowsPool } from "./rows-group.ts";

let pool: RowsPool;
beforeAll(() => {
  pool = new RowsPool(3);
});
afterAll(() => pool.stop());

rowServiceSuite("between processes", async (worldSize, timeoutMs) => {
  const ranks = await pool.start(worldSize, timeoutMs);
  return {
    ranks,
    stop: async () => {
      await Promise.all(ranks.map((rank) => rank.close()));
    },
  };
});

describe("a row service whose peers die", () => {
  const table = { dtype: "float32", dim: 1, offsets: [0, 2, 4, 6] } as const;
  let doomed: RowsPool | null = null;
  afterEach(async () => {
    await doomed?.stop();
    doomed = null;
  });
  const startGroup = async (timeoutMs: number) => {
    doomed = new RowsPool(3);
    const ranks = await doomed.start(3, timeoutMs);
    await Promise.all(ranks.map((rank, r) => rank.host("t", table, [2 * r, 2 * r + 1])));
    return [ranks[0]!, ranks[1]!, ranks[2]!] as const;
  };

  test("a killed peer fails the calls that wait for it within 2 s, and the others are served", async () => {
    const [a, b, c] = await startGroup(60_000);
    // Stopped, it cannot answer: the calls wait when the blow strikes.
    await c.stop();
    const waiting = Promise.allSettled([a.get("t", [0, 5]), b.set("t", [4], [1]), b.add("t", [4, 1], [1, 1])]);
    expect(await a.get("t", [3])).toEqual([3]);
    const startedAt = performance.now();
    await c.kill();
    const results = await waiting;
    expect(results.map(codeOf)).toEqual(["RANK_LOST", "RANK_LOST", "RANK_LOST"]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await failureOf(a.get("t", [5]))).toBe("RANK_LOST");
    expect(await a.get("t", [2, 0])).toEqual([2, 0]);
  });

  test("a stopped peer is RANK_TIMEOUT at the deadline of the call, which may be its own", async () => {
    const [a, , c] = await startGroup(60_000);
    await c.stop();
    const startedAt = performance.now();
    expect(await failureOf(a.get("t", [5], 500))).toBe("RANK_TIMEOUT");
    const waitedMs = performance.now() - startedAt;
    expect(waitedMs).toBeGreaterThan(450);
    expect(waitedMs).toBeLessThan(5_000);
    expect(await a.get("t", [3])).toEqual([3]);
    c.child.kill("SIGCONT");
    expect(await a.get("t", [5])).toEqual([5]);
  });

  test("a peer that is silent for the heartbeat's time-out is RANK_LOST although the deadline is later", async () => {
    const [a, , c] = await startGroup(60_000);
    await c.stop();
    expect(await failureOf(a.get("t", [5]))).toBe("RANK_LOST");
  });

  test("a rank that dies before it connects is RANK_TIMEOUT to the others", async () => {
    doomed = new RowsPool(2);
    const a = doomed.processes[0]!;
    const b = doomed.processes[1]!;
    await b.kill();
    const options = { prefix: "p", rank: 0, worldSize: 2, timeoutMs: 500, secret: [...randomBytes(32)] };
    expect(await failureOf(a.connect(options))).toBe("RANK_TIMEOUT");
  });
});
