import { expect, test } from "vitest";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import type { RankContext } from "../../src/dist/rank-context.ts";
import { shareRows } from "../../src/dist/share-rows.ts";

/** Ranks 0 and 1 on host A, rank 2 on host B. */
function ranksOnTwoHosts(): RankContext[] {
  const localRanks = [0, 1, 0];
  return loopbackGroup(3).map((collective, rank) => ({
    rank,
    worldSize: 3,
    localRank: localRanks[rank] as number,
    numHosts: 2,
    device: "cpu",
    threads: 1,
    collective,
  }));
}

test("every host has every rank's rows afterwards, bit for bit, across the borders of chunks", async () => {
  const length = 2 ** 20 + 7;
  const truth = Float32Array.from({ length }, (_, i) => (i % 5 === 0 ? -0 : Math.fround(Math.sin(i))));
  new Int32Array(truth.buffer).set([1, 2, 3], 2); // integers kept as floats: denormal numbers
  const ranges = [
    { first: 0, count: 3 },
    { first: 3, count: 2 ** 20 - 1 },
    { first: 2 ** 20 + 2, count: 5 },
  ];
  const a = new Float32Array(length);
  const b = new Float32Array(length);
  const memories = [a, a, b];
  for (const [rank, { first, count }] of ranges.entries()) {
    memories[rank]?.set(truth.subarray(first, first + count), first);
  }
  await Promise.all(
    ranksOnTwoHosts().map((rank, i) =>
      shareRows(rank, memories[i] as Float32Array, ranges[i] as { first: number; count: number }),
    ),
  );
  const bits = Buffer.from(truth.buffer);
  expect(bits.equals(Buffer.from(a.buffer))).toBe(true);
  expect(bits.equals(Buffer.from(b.buffer))).toBe(true);
});
