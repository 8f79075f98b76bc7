import { expect, test } from "vitest";
import { placementWords, shareBytes } from "../../src/host/feature-placement.ts";
import { useShardingRanks } from "./support/sharding-ranks.ts";

const train = useShardingRanks();
const whole = 2 ** 32;

test("three ranks with a share each train with the bits of ranks that have all rows, and leave nothing behind", async () => {
  const all = await train("device", { worldSize: 3 });
  const sharded = await train("sharded", { worldSize: 3 });
  expect(sharded.map(({ code, message }) => [code, message])).toEqual(all.map(() => [null, ""]));
  expect(sharded[0]!.placed).toBe(placementWords.sharded);
  expect(sharded.map(({ losses, weights }) => [losses, weights])).toEqual(
    all.map(({ losses, weights }) => [losses, weights]),
  );
  expect(sharded.map(({ shares }) => shares)).toEqual([0, 0, 0]);
});

test("a rank that is killed ends the others with a typed error, and no rank reads memory that is gone", async () => {
  const survivors = await train("sharded", { worldSize: 3, epochs: 100_000, kill: { rank: 1, atStep: 8 } });
  expect(survivors.map(({ code }) => code)).toEqual(["RANK_LOST", "RANK_LOST"]);
  expect(survivors[0]!.placed).toBe(placementWords.sharded);
  expect(survivors[0]!.losses.length).toBe(2);
  // Nobody gives its share back: another rank may still read it.
  expect(survivors.map(({ shares }) => shares)).toEqual([1, 1]);
});

test.each([0, 1])("where the device of rank %i cannot read the other's, each is placed as if alone", async (rank) => {
  const environment = (of: number): Readonly<Record<string, string>> =>
    of === rank ? { HOPWISE_TEST_NO_PEERS: "1" } : {};
  const all = await train("device");
  const found = await train("sharded", { environment });
  expect(found.map(({ code }) => code)).toEqual([null, null]);
  const why = "The emulated device cannot open memory of another process: a test wants it so.";
  expect(found[0]!.placed).toBe(`${placementWords.device}: ${why}`);
  expect(found.map(({ weights }) => weights)).toEqual(all.map(({ weights }) => weights));
});

test("where nothing is asked for, features that fit into no device lie in shares, and in none without room for one", async () => {
  // 1,050 rows of 4,000 bytes: a share of them takes two pieces of 2 MiB, just less than all of them.
  const data = { numNodes: 1050, numClasses: 3, dim: 1000, numTrain: 21, degree: 4 };
  const [share, all] = [shareBytes(525, 4000), 1050 * 4000];
  expect(share).toBeLessThan(all);
  const [first] = await train("auto", { data });
  expect(first!.placed).toBe(placementWords.device);
  const beside = whole - first!.roomBytes;
  const inShares = await train("auto", { data, deviceBytes: [beside + share, beside + share] });
  expect(inShares[0]!.placed).toBe(placementWords.sharded);
  expect(inShares[0]!.weights).toEqual(first!.weights);
  const short = await train("auto", { data, deviceBytes: [beside + share, beside + share - 1] });
  expect(short[0]!.placed).toBe(`${placementWords.cached}: the devices of this host have no room for a share each`);
  expect(short[0]!.weights).toEqual(first!.weights);
});
