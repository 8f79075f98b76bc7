import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reuseKeyOf } from "../../src/artifacts/reuse-key.ts";

const parts = {
  step: "partition",
  stepVersion: 1,
  engine: "0.1.0",
  options: { numParts: 2, balance: ["nodes", "train"] },
  inputs: { graph: "abc" },
};

describe("reuseKeyOf", () => {
  it("is sha256 over the canonical JSON of everything that decides the bits", () => {
    const text =
      '{"engine":"0.1.0","inputs":{"graph":"abc"},"options":{"balance":["nodes","train"],"numParts":2},"step":"partition","stepVersion":1}';
    expect(reuseKeyOf(parts)).toBe(createHash("sha256").update(text).digest("hex"));
  });

  it("does not depend on the order in which options were written", () => {
    const options = { balance: ["nodes", "train"], numParts: 2 };
    expect(reuseKeyOf({ ...parts, options })).toBe(reuseKeyOf(parts));
  });

  it.each([
    ["step", { step: "train" }],
    ["version", { stepVersion: 2 }],
    ["engine", { engine: "0.2.0" }],
    ["options", { options: { numParts: 3, balance: ["nodes", "train"] } }],
    ["order inside a list", { options: { numParts: 2, balance: ["train", "nodes"] } }],
    ["input", { inputs: { graph: "abd" } }],
  ])("changes with the %s", (_what, change) => {
    expect(reuseKeyOf({ ...parts, ...change })).not.toBe(reuseKeyOf(parts));
  });
});
