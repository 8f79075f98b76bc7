import { describe, expect, test } from "vitest";
import { sharedRowsInMemory } from "../../src/dist/shared-rows.ts";

/** In float32: below, at and above two huge pages of 2 MiB, and none. */
const lengths = [0, 1, 1_000, 2 ** 20 - 1, 2 ** 20, 3 * 2 ** 20 + 7];

describe("rows in memory", () => {
  test.each(lengths)("of %i numbers are all there, zero at first and writable", (length) => {
    const rows = sharedRowsInMemory()("rows", length);
    expect(rows.length).toBe(length);
    expect(rows.every((value) => value === 0)).toBe(true);
    rows.fill(1.5);
    expect(rows.every((value) => value === 1.5)).toBe(true);
  });

  test("are zero again when other rows have filled and left their memory", () => {
    for (let round = 0; round < 8; round++) {
      const rows = sharedRowsInMemory()("rows", 2 ** 20);
      expect(rows.indexOf(1)).toBe(-1);
      rows.fill(1);
    }
  });

  test("are the same under one name, and others under another", () => {
    const rowsOf = sharedRowsInMemory();
    rowsOf("hidden", 8)[3] = 2;
    expect(rowsOf("hidden", 8)[3]).toBe(2);
    expect(rowsOf("scores", 8)[3]).toBe(0);
  });

  test("of a length that no machine has are refused", () => {
    expect(() => sharedRowsInMemory()("rows", 2 ** 50)).toThrow(RangeError);
  });
});
