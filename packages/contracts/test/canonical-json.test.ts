import { expect, it } from "vitest";
import { canonicalJson } from "../src/canonical-json.ts";

it("keys are sorted at every depth, and undefined is left out", () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}');
});
