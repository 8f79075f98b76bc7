import { expect, test } from "vitest";
import { Histories } from "../../src/control-variate/histories.ts";
import { loopbackGroup } from "../../src/dist/loopback.ts";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";

const numNodes = 5;

async function historiesOf(worldSize: number): Promise<Histories[]> {
  const sharedRows = sharedRowsInMemory();
  const all = loopbackGroup(worldSize).map((collective, rank) => {
    const context = { rank, worldSize, localRank: rank, device: "cpu", threads: 1, collective } as const;
    return new Histories({ dims: [2, 1], numNodes, rank: context, sharedRows });
  });
  await Promise.all(all.map((histories) => histories.reset()));
  return all;
}

test("rows are seen after they were published, by every rank", async () => {
  const [first, second] = (await historiesOf(2)) as [Histories, Histories];
  first.remember(1, Int32Array.of(3, 0), Float32Array.of(1, 2, 3, 4));
  second.remember(2, Int32Array.of(1), Float32Array.of(9));
  expect([...second.of(1)]).toEqual(Array.from({ length: 10 }, () => 0));
  await Promise.all([first.publish(), second.publish()]);
  for (const histories of [first, second]) {
    expect([...histories.of(1)]).toEqual([3, 4, 0, 0, 0, 0, 1, 2, 0, 0]); // nodes 0 and 3
    expect([...histories.of(2)]).toEqual([0, 9, 0, 0, 0]);
  }
});

test.each([
  ["first", [0, 1, 2]],
  ["last", [2, 1, 0]],
])("of ranks that have the same row the lowest writes it, though it comes %s", async (_when, order) => {
  const ranks = await historiesOf(3);
  for (let step = 0; step < 3; step++) {
    for (const rank of order) {
      if (step === 1 && rank === 0) continue; // then rank 1 is the lowest
      ranks[rank]!.remember(2, Int32Array.of(4, rank), Float32Array.of(10 * step + rank, 100 + rank));
    }
    await Promise.all(order.map((rank) => ranks[rank]!.publish()));
    expect(ranks[0]!.of(2)[4]).toBe(10 * step + (step === 1 ? 1 : 0));
  }
  expect([...ranks[0]!.of(2)]).toEqual([100, 101, 102, 0, 20]);
});

test("claims of an earlier run do not hold rows back", async () => {
  const ranks = await historiesOf(2);
  for (let run = 0; run < 2; run++) {
    await Promise.all(ranks.map((histories) => histories.reset()));
    for (let step = 0; step < 2; step++) {
      ranks[1 - run]!.remember(2, Int32Array.of(2), Float32Array.of(10 * run + step));
      await Promise.all(ranks.map((histories) => histories.publish()));
      expect(ranks[0]!.of(2)[2]).toBe(10 * run + step);
    }
  }
});
