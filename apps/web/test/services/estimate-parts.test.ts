import { expect, test } from "vitest";
import { estimateParts } from "../../src/services/estimate-parts.ts";

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
