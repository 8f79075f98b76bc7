import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { InMemoryRendezvousStore } from "../../src/dist/rendezvous-store.ts";
import { codeOf, collectiveSuite } from "../conformance/collective.suite.ts";
import { RankProcess } from "./rank-group.ts";

async function startGroup(worldSize: number, timeoutMs: number): Promise<RankProcess[]> {
  const store = new InMemoryRendezvousStore();
  const ranks = Array.from({ length: worldSize }, () => new RankProcess(store));
  try {
    await Promise.all(ranks.map((rank, r) => rank.connect(r, worldSize, timeoutMs)));
    return ranks;
  } catch (error) {
    await stop(ranks);
    throw error;
  }
}

async function stop(ranks: readonly RankProcess[]): Promise<void> {
  await Promise.all(ranks.map((rank) => rank.kill()));
}

collectiveSuite("gloo between processes", async (worldSize, timeoutMs) => {
  const ranks = await startGroup(worldSize, timeoutMs);
  return { ranks, stop: () => stop(ranks) };
});

describe("gloo when ranks die", () => {
  let ranks: RankProcess[] = [];
  afterEach(async () => {
    await stop(ranks);
    ranks = [];
  });

  test("a peer killed during an all-reduce is RANK_LOST to all survivors within 2 s", async () => {
    ranks = await startGroup(3, 60_000);
    await Promise.all(ranks.map((rank) => rank.barrier()));
    const survivors = ranks.slice(0, 2).map((rank) => rank.allReduceSum(Array.from({ length: 1000 }, () => 1)));
    const startedAt = performance.now();
    await ranks[2]!.kill();
    const results = await Promise.allSettled(survivors);
    expect(results.map(codeOf)).toEqual(["RANK_LOST", "RANK_LOST"]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test("a stopped peer is RANK_TIMEOUT after the time-out", async () => {
    ranks = await startGroup(2, 1_000);
    ranks[1]!.child.kill("SIGSTOP");
    const startedAt = performance.now();
    const [result] = await Promise.allSettled([ranks[0]!.allReduceSum([1])]);
    const waitedMs = performance.now() - startedAt;
    expect(codeOf(result)).toBe("RANK_TIMEOUT");
    expect(waitedMs).toBeGreaterThan(900);
    expect(waitedMs).toBeLessThan(10_000);
  });

  test("a process can end while an operation waits for its time-out, and the peer learns of it", async () => {
    ranks = await startGroup(2, 60_000);
    const waiting = Promise.allSettled([ranks[0]!.allReduceSum([1])]);
    const exited = once(ranks[0]!.child, "exit");
    const exiting = Promise.allSettled([ranks[0]!.call({ type: "exit" })]);
    expect(await exited).toEqual([0, null]);
    await Promise.all([waiting, exiting]);
    const [result] = await Promise.allSettled([ranks[1]!.barrier()]);
    expect(codeOf(result)).toBe("RANK_LOST");
  });

  test.each([0, 1])(
    "when rank %i never starts, the other gives up after its time-out and names it",
    async (missing) => {
      const store = new InMemoryRendezvousStore();
      ranks = [new RankProcess(store)];
      const startedAt = performance.now();
      const [result] = await Promise.allSettled([ranks[0]!.connect(1 - missing, 2, 1_000)]);
      expect(codeOf(result)).toBe("RANK_TIMEOUT");
      expect(String((result as PromiseRejectedResult).reason)).toMatch(new RegExp(`key "(rank_|isa_)?${missing}"`));
      expect(performance.now() - startedAt).toBeLessThan(20_000);
    },
  );
});
