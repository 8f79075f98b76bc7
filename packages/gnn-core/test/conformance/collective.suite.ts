import { afterEach, describe, expect, test } from "vitest";

/** One rank as the suite drives it, wherever it runs. Failures arrive as the code of their GnnError. */
export interface DrivenRank {
  allReduceSum(values: readonly number[]): Promise<number[]>;
  barrier(): Promise<void>;
  close(): Promise<void>;
}

export interface CollectiveGroup {
  readonly ranks: readonly DrivenRank[];
  stop(): Promise<void>;
}

/** What every Collective promises; `start` makes a fresh group whose operations time out after `timeoutMs`. */
export function collectiveSuite(
  name: string,
  start: (worldSize: number, timeoutMs: number) => Promise<CollectiveGroup>,
): void {
  describe(`collective ${name}`, () => {
    let group: CollectiveGroup | null = null;
    const startGroup = async (worldSize: number, timeoutMs = 30_000) => {
      group = await start(worldSize, timeoutMs);
      return group.ranks;
    };
    afterEach(async () => {
      await group?.stop();
      group = null;
    });

    test.each([1, 2, 4])("%i ranks all hold the sum afterwards, to the bit", async (worldSize) => {
      const ranks = await startGroup(worldSize);
      for (const length of [0, 1, 3, 1000]) {
        const inputs = ranks.map((_, rank) => Array.from({ length }, (_, i) => Math.fround((rank + 1) / (i + 3))));
        const sums = await Promise.all(ranks.map((rank, r) => rank.allReduceSum(inputs[r]!)));
        const expected = Array.from({ length }, (_, i) => inputs.reduce((sum, values) => sum + values[i]!, 0));
        for (const sum of sums) expect(sum).toEqual(sums[0]);
        expected.forEach((value, i) => expect(sums[0]![i]! / value).toBeCloseTo(1, 5));
      }
    });

    test("small whole numbers add up exactly: 0 + 1 + 2 = 3", async () => {
      const ranks = await startGroup(3);
      const sums = await Promise.all(ranks.map((rank, r) => rank.allReduceSum([r, 10 * r])));
      expect(sums).toEqual([
        [3, 30],
        [3, 30],
        [3, 30],
      ]);
    });

    test("operations issued without waiting run in the order issued", async () => {
      const ranks = await startGroup(2);
      const issued = ranks.flatMap((rank, r) => [1, 2, 3].map((k) => rank.allReduceSum([k * 10 + r])));
      expect(await Promise.all(issued)).toEqual([[21], [41], [61], [21], [41], [61]]);
    });

    test("a barrier ends only after every rank has come to it", async () => {
      const ranks = await startGroup(2);
      let isThrough = false;
      const passBarrier = async () => {
        await ranks[0]!.barrier();
        isThrough = true;
      };
      const first = passBarrier();
      await new Promise((resolve) => setImmediate(resolve));
      expect(isThrough).toBe(false);
      await Promise.all([first, ranks[1]!.barrier()]);
      expect(isThrough).toBe(true);
    });

    test("different lengths are RANK_MISMATCH on every rank, and nobody crashes", async () => {
      const ranks = await startGroup(2);
      const results = await Promise.allSettled([ranks[0]!.allReduceSum([1, 2]), ranks[1]!.allReduceSum([1, 2, 3])]);
      expect(results.map(codeOf)).toEqual(["RANK_MISMATCH", "RANK_MISMATCH"]);
    });

    test("different operations are RANK_MISMATCH, and the group stays failed", async () => {
      const ranks = await startGroup(2);
      const results = await Promise.allSettled([ranks[0]!.barrier(), ranks[1]!.allReduceSum([1])]);
      expect(results.map(codeOf)).toEqual(["RANK_MISMATCH", "RANK_MISMATCH"]);
      const [again] = await Promise.allSettled([ranks[0]!.barrier()]);
      expect(codeOf(again)).toBe("RANK_MISMATCH");
    });

    test("a rank that never comes is RANK_TIMEOUT", async () => {
      const ranks = await startGroup(2, 2000); // for meeting too, on a busy machine
      const [result] = await Promise.allSettled([ranks[0]!.allReduceSum([1])]);
      expect(codeOf(result)).toBe("RANK_TIMEOUT");
    });

    test("a rank that closed is RANK_LOST to the others, at once", async () => {
      const ranks = await startGroup(2, 30_000);
      await Promise.all(ranks.map((rank) => rank.barrier()));
      const waiting = Promise.allSettled([ranks[0]!.allReduceSum([1])]);
      await ranks[1]!.close();
      const startedAt = performance.now();
      const [result] = await waiting;
      expect(codeOf(result)).toBe("RANK_LOST");
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    });

    test("a closed rank refuses operations, and closing twice is harmless", async () => {
      const ranks = await startGroup(2);
      await Promise.all(ranks.map((rank) => rank.close()));
      await ranks[0]!.close();
      const [refused] = await Promise.allSettled([ranks[0]!.barrier()]);
      expect(codeOf(refused)).toBe("RANK_LOST");
    });
  });
}

export function codeOf(result: PromiseSettledResult<unknown> | undefined): string {
  if (result?.status !== "rejected") return "fulfilled";
  const { reason } = result;
  return reason instanceof Error && "code" in reason ? String(reason.code) : String(reason);
}
