import { expect, test } from "vitest";
import { computeOnceOf } from "../../src/dist/compute-once.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";

function ranks(worldSize: number, compute: (rank: number) => Promise<Int32Array>) {
  const sharedRows = sharedRowsInMemory();
  return loopbackGroup(worldSize).map((collective, rank) => {
    const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
    return computeOnceOf(context, sharedRows)("values", 3, () => compute(rank));
  });
}

test("rank 0 computes and every rank has the values", async () => {
  const asked: number[] = [];
  const all = await Promise.all(
    ranks(3, async (rank) => {
      asked.push(rank);
      return Int32Array.of(7, -1, 2 ** 31 - 1);
    }),
  );
  expect(asked).toEqual([0]);
  for (const values of all) expect([...values]).toEqual([7, -1, 2 ** 31 - 1]);
});

test("the error of rank 0 ends the wait of the others", async () => {
  const ends = await Promise.allSettled(ranks(2, () => Promise.reject(new Error("no METIS"))));
  expect(ends).toMatchObject([
    { status: "rejected", reason: { message: "no METIS" } },
    {
      status: "rejected",
      reason: { code: "RANK_LOST", message: expect.stringContaining("could not compute the values") },
    },
  ]);
});
