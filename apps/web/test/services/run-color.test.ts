import fc from "fast-check";
import { expect, test } from "vitest";
import { dashOf, runColor } from "../../src/services/run-color.ts";
import { palette } from "../../src/theme.ts";

test("a run's colour follows from its id by FNV-1a", () => {
  // Published vectors of FNV-1a, 32 bits: "" is 0x811c9dc5, "a" 0xe40c292c, "foobar" 0xbf9cf968.
  expect(runColor("")).toBe(0x811c9dc5 % palette.length);
  expect(runColor("a")).toBe(0xe40c292c % palette.length);
  expect(runColor("foobar")).toBe(0xbf9cf968 % palette.length);
});

test("every id has a colour of the palette, and runs spread over all of them", () => {
  fc.assert(fc.property(fc.string(), (id) => palette[runColor(id)] !== undefined));
  const used = new Set(Array.from({ length: 200 }, (_, i) => runColor(`job_${i}`)));
  expect(used.size).toBe(palette.length);
});

test("lines of one colour differ in their dashes, the first has none", () => {
  expect(dashOf(0)).toEqual([]);
  expect(new Set([0, 1, 2, 3, 4, 5].map((i) => dashOf(i).join(" "))).size).toBe(6);
});
