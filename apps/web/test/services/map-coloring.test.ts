import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coloringByCategory, coloringByNumber, groupName } from "../../src/services/map-coloring.ts";

describe("the colours of a map's points", () => {
  it("are one for each category, with the number of its points", () => {
    const coloring = coloringByCategory(Int32Array.from([1, 0, -1, 1]), ["cat", "dog"], "no label");
    expect([...coloring.counts]).toEqual([
      [-1, 1],
      [0, 1],
      [1, 2],
    ]);
    expect([0, 1, -1].map((group) => groupName(coloring, group))).toEqual(["cat", "dog", "no label"]);
    expect(coloring.colors[0]).not.toBe(coloring.colors[1]);
  });

  it("are ranges of a number with about as many points in each", () => {
    const { groups, names, counts } = coloringByNumber(Float32Array.from({ length: 80 }, (_, i) => 79 - i));
    expect(names).toHaveLength(8);
    expect(names[0]).toBe("0 – 10");
    expect([...counts.values()]).toEqual(Array.from({ length: 8 }, () => 10));
    expect([groups[0], groups[79]]).toEqual([7, 0]);
  });

  it("are fewer where values repeat, and none where nothing is known", () => {
    const { groups, names } = coloringByNumber(Float32Array.from([3, 3, 3, Number.NaN]));
    expect([names, [...groups]]).toEqual([["3"], [0, 0, 0, -1]]);
    expect(coloringByNumber(Float32Array.from([Number.NaN])).names).toEqual([]);
  });

  it("put every number into the range that its name tells", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }), (values) => {
        const { groups, names, colors } = coloringByNumber(Float32Array.from(values));
        expect(colors).toHaveLength(names.length);
        for (const [i, value] of values.entries()) {
          const [low = Number.NaN, high = low] = (names[groups[i] ?? -1] ?? "").split(" – ").map(Number);
          expect(value).toBeGreaterThanOrEqual(low);
          expect(value).toBeLessThanOrEqual(high);
        }
      }),
    );
  });
});
