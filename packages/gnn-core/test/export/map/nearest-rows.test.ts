import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestRows } from "../../../src/export/map/nearest-rows.ts";

/** Cosines in float64, every pair by itself. */
function cosine(rows: Float32Array, dim: number, a: number, b: number): number {
  const rowAt = (row: number) => [...rows.subarray(row * dim, (row + 1) * dim)];
  const dot = (x: number[], y: number[]) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  const lengths = Math.sqrt(dot(rowAt(a), rowAt(a)) * dot(rowAt(b), rowAt(b)));
  return lengths === 0 ? 0 : dot(rowAt(a), rowAt(b)) / lengths;
}

describe("the nearest rows", () => {
  it("are those that a comparison of all pairs finds", async () => {
    const matrix = fc
      .record({ numRows: fc.integer({ min: 1, max: 40 }), dim: fc.integer({ min: 1, max: 6 }) })
      .chain(({ numRows, dim }) =>
        fc.record({
          dim: fc.constant(dim),
          values: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: numRows * dim, maxLength: numRows * dim }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(matrix, fc.integer({ min: 0, max: 12 }), async ({ values, dim }, asked) => {
        const rows = Float32Array.from(values);
        const numRows = rows.length / dim;
        const { count, rows: found, similarities } = await nearestRows(rows, dim, asked);
        expect(count).toBe(Math.min(asked, numRows - 1));
        for (let row = 0; row < numRows; row++) {
          const others = Array.from({ length: numRows }, (_, other) => other).filter((other) => other !== row);
          const best = others.map((other) => cosine(rows, dim, row, other)).toSorted((a, b) => b - a);
          const ofRow = [...found.subarray(row * count, (row + 1) * count)];
          expect(new Set(ofRow).size).toBe(count);
          expect(ofRow).not.toContain(row);
          for (const [i, other] of ofRow.entries()) {
            expect(cosine(rows, dim, row, other)).toBeCloseTo(best[i]!, 5);
            expect(similarities[row * count + i]).toBeCloseTo(best[i]!, 5);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are found across blocks of rows, the lower number first where several are equally near", async () => {
    const numRows = 600;
    // Two directions, by turns: every other row of the same direction is at similarity 1.
    const rows = Float32Array.from({ length: numRows * 2 }, (_, i) => Number(i % 2 === Math.floor(i / 2) % 2));
    const { rows: found, similarities } = await nearestRows(rows, 2, 3);
    expect([...found.subarray(0, 3)]).toEqual([2, 4, 6]);
    expect([...found.subarray(599 * 3)]).toEqual([1, 3, 5]);
    expect(similarities.every((value) => Math.abs(value - 1) < 1e-6)).toBe(true);
  });

  it("may be given up by whoever watches", async () => {
    const stopped = new Error("stopped");
    const search = nearestRows(new Float32Array(1000).fill(1), 2, 3, () => {
      throw stopped;
    });
    await expect(search).rejects.toBe(stopped);
  });
});
