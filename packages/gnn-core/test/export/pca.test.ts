import { describe, expect, it } from "vitest";
import { principalAxes, projectRows } from "../../src/export/pca.ts";
import { sampleRows } from "../../src/export/sample-rows.ts";
import { SeededRandom } from "../../src/generate/random.ts";

describe("principalAxes", () => {
  it("finds the directions and variances that a cloud was made with", () => {
    // x = 3·a·(1,1,0)/√2 + 1·b·(0,0,1) + 0.1·noise: variances 9, 1 and 0.01 of 10.03 in all.
    const random = new SeededRandom(3);
    const rows = new Float32Array(20_000 * 3);
    for (let row = 0; row < 20_000; row++) {
      const a = random.normal() * 3;
      const b = random.normal();
      const c = random.normal() * 0.1;
      rows.set([5 + (a + c) / Math.SQRT2, (a - c) / Math.SQRT2, b - 7], row * 3);
    }
    const pca = principalAxes(rows, 3);
    expect(pca.axes[0][0]).toBeCloseTo(Math.SQRT1_2, 1);
    expect(pca.axes[0][1]).toBeCloseTo(Math.SQRT1_2, 1);
    expect(pca.axes[1][2]).toBeCloseTo(1, 2);
    expect(pca.explained[0]).toBeCloseTo(9 / 10.01, 1);
    expect(pca.explained[1]).toBeCloseTo(1 / 10.01, 1);
    // (Σλ)² / Σλ² of 9, 1 and 0.01
    expect(pca.effectiveDim).toBeCloseTo(10.01 ** 2 / 82, 1);
    const points = projectRows(rows, 3, pca);
    let sumX = 0;
    let sumXY = 0;
    for (let i = 0; i < points.length; i += 2) {
      sumX += points[i]!;
      sumXY += points[i]! * points[i + 1]!;
    }
    expect(sumX / 20_000).toBeCloseTo(0, 4);
    expect(sumXY / 20_000).toBeCloseTo(0, 3);
  });

  it("survives rows that are all equal, and rows of one column", () => {
    expect(principalAxes(new Float32Array(30).fill(2), 3).explained).toEqual([0, 0]);
    const line = projectRows(Float32Array.from([1, 2, 3]), 1, principalAxes(Float32Array.from([1, 2, 3]), 1));
    expect([...line]).toEqual([-1, 0, 0, 0, 1, 0]);
  });
});

describe("sampleRows", () => {
  it("takes every row when they are few", () => {
    expect([...sampleRows(Int32Array.from([2, -1, 0]), 100)]).toEqual([0, 1, 2]);
  });

  it("gives every class its share, the smallest at least one, spread over the rows", () => {
    const labels = Int32Array.from({ length: 10_000 }, (_, row) => (row === 77 ? 2 : row % 4 === 0 ? 1 : 0));
    const rows = sampleRows(labels, 1000);
    expect(rows.length).toBeLessThanOrEqual(1000);
    expect(rows.length).toBeGreaterThan(980);
    expect(rows).toContain(77);
    const ones = rows.filter((row) => labels[row] === 1).length;
    expect(Math.abs(ones / rows.length - 1 / 4)).toBeLessThan(0.01);
    expect(rows.filter((row) => row < 5000).length / rows.length).toBeCloseTo(0.5, 1);
    expect([...rows]).toEqual([...rows].toSorted((a, b) => a - b));
  });
});
