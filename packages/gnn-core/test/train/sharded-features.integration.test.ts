import { expect, test } from "vitest";
import { placementWords } from "../../src/host/feature-placement.ts";
import { useShardingRanks } from "./support/sharding-ranks.ts";

const train = useShardingRanks();

test("two ranks with a share of the features each train with the bits of ranks that have all of them", async () => {
  const whole = await train("device");
  const sharded = await train("sharded");
  expect(sharded.map(({ code, message }) => [code, message])).toEqual(whole.map(() => [null, ""]));
  expect([whole[0]!.placed, sharded[0]!.placed]).toEqual([placementWords.device, placementWords.sharded]);
  for (const what of ["losses", "weights"] as const) {
    expect(sharded.map((rank) => rank[what])).toEqual(whole.map((rank) => rank[what]));
  }
}, 60_000);
