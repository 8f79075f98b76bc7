import { expect, test } from "vitest";
import { hasErrorIn, isFound, saysIt } from "../../src/services/field-search.ts";
import type { JsonSchema } from "../../src/services/json-schema.ts";

const optimizer: JsonSchema = {
  type: "object",
  description: "How weights follow from gradients",
  properties: {
    lr: { type: "number", description: "Learning rate" },
    kind: { enum: ["adam", "sgd"] },
  },
};

test("a group is found by what is inside it, but says only its own words", () => {
  expect(isFound("optimizer", optimizer, "learning rate")).toBe(true);
  expect(saysIt("optimizer", optimizer, "learning rate")).toBe(false);
  expect(saysIt("optimizer", optimizer, "WEIGHTS optim")).toBe(true);
  expect(isFound("optimizer", optimizer, "dropout")).toBe(false);
});

test("a field is found by its choices as they are read, and everything by nothing", () => {
  expect(isFound("kind", { enum: ["leakyRelu", "tanh"] }, "leaky ReLU")).toBe(true);
  expect(isFound("anything", {}, "")).toBe(true);
});

test("an error counts for its field and for all around it", () => {
  const errors = new Map([["/train/optimizer/options/lr", "Found -1."]]);
  expect(hasErrorIn(errors, "/train/optimizer")).toBe(true);
  expect(hasErrorIn(errors, "/train/opt")).toBe(false);
});
