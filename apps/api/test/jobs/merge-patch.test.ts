import { expect, test } from "vitest";
import { mergePatch } from "../../src/jobs/merge-patch.ts";

/** The test cases of RFC 7396, appendix A */
test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j is %j", (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

test("a patch that names the prototype of all objects changes it for nobody", () => {
  const merged = mergePatch({}, JSON.parse('{ "__proto__": { "polluted": true } }')) as object;
  expect(Object.hasOwn(merged, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});
