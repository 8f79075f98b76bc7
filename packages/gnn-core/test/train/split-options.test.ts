import { expect, it } from "vitest";
import { splitOptions } from "../../src/spec/train-options.ts";

const refusal = (split: object) => splitOptions.safeParse({ type: "random", ...split }).error?.issues[0];

it("refuses shares that come to more than all nodes, and says what they come to", () => {
  const issue = refusal({ train: 0.9, val: 0.9, test: 0.2 });
  expect(issue).toMatchObject({ path: ["train"], message: expect.stringMatching(/come to 2 of the nodes/) });
});

it("takes shares whose sum is 1 but for rounding, and less", () => {
  expect(refusal({ train: 0.7, val: 0.2, test: 0.1 })).toBeUndefined();
  expect(refusal({ train: 0.1, val: 0.1, test: 0.1 })).toBeUndefined();
});

it("refuses to learn from nothing", () => {
  expect(refusal({ train: 0, val: 0.5, test: 0.5 })).toMatchObject({ message: expect.stringMatching(/above 0/) });
});
