import { expect, test } from "vitest";
import { estimateParts, memoryShares, secondsPerEpoch } from "../../src/services/estimate-parts.ts";

test("each figure lists what it is made of in its own unit, the largest first, without what comes to nothing", () => {
  const parts = estimateParts([
    { of: "memory", what: "process", amount: 100 * 2 ** 20 },
    { of: "memory", what: "activations", amount: 2 ** 30 },
    { of: "memory", what: "learned rows", amount: 0 },
    { of: "timeOverhead", what: "start", amount: 4.2 },
    { of: "stageTime", what: "partitioning", amount: 75 },
  ]);
  expect(parts).toEqual([
    {
      title: "Memory of a rank",
      lines: [
        { what: "activations", text: "1.0 GiB" },
        { what: "process", text: "100 MiB" },
      ],
    },
    {
      title: "Time",
      lines: [
        { what: "partitioning", text: "1 min 15 s" },
        { what: "start", text: "4.2 s" },
      ],
    },
  ]);
});

test("the parts of a rank's memory add up to it; what is used before the ranks start is none of them", () => {
  const lines = [5, 1, 4, 2, 3, 6, 0].map((amount) => ({ of: "memory", what: `part ${amount}`, amount }));
  const shares = memoryShares([...lines, { of: "partitionMemory", what: "partitioning", amount: 99 }]);
  expect(shares.map(({ what }) => what)).toEqual(["part 6", "part 5", "part 4", "part 3", "all else"]);
  expect(shares.map(({ bytes }) => bytes)).toEqual([6, 5, 4, 3, 1 + 2]);
  expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test("an epoch takes training's share of the time, and none is said of what is no number of epochs", () => {
  const explanation = [
    { of: "timeOverhead", what: "start", amount: 10 },
    { of: "time", what: "work", amount: 50 },
    { of: "stageTime", what: "partitioning", amount: 40 },
  ];
  // Twice as long as the formulas say: (10 + 50) * 2 seconds for 20 epochs.
  expect(secondsPerEpoch({ seconds: 200, explanation }, 20)).toBeCloseTo(((10 + 50) * 2) / 20);
  expect(secondsPerEpoch({ seconds: 200, explanation }, null)).toBeNull();
  expect(secondsPerEpoch({ seconds: null, explanation: [] }, 20)).toBeNull();
});
