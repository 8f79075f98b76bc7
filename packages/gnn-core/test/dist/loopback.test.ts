import { expect, test } from "vitest";
import { loopback, loopbackGroup } from "../../src/dist/loopback.ts";
import { collectiveSuite } from "../conformance/collective.suite.ts";

collectiveSuite("loopback", async (worldSize, timeoutMs) => {
  const collectives = loopbackGroup(worldSize, timeoutMs);
  return {
    ranks: collectives.map((collective) => ({
      allReduceSum: async (values) => {
        const buffer = Float32Array.from(values);
        await collective.allReduceSum(buffer);
        return [...buffer];
      },
      barrier: () => collective.barrier(),
      close: () => collective.close(),
    })),
    stop: async () => {
      await Promise.all(collectives.map((collective) => collective.close()));
    },
  };
});

test("a single rank needs nobody", async () => {
  const alone = loopback();
  const values = Float32Array.of(1, 2);
  await alone.allReduceSum(values);
  await alone.barrier();
  expect([...values]).toEqual([1, 2]);
  expect(alone).toMatchObject({ rank: 0, worldSize: 1 });
});
