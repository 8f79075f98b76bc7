import { describe, expect, it } from "vitest";
import { nearestRows } from "../../../src/export/map/nearest-rows.ts";
import { umapLayout, umapNeighbors } from "../../../src/export/map/umap-layout.ts";
import { keyedHash } from "../../../src/random/keyed-order.ts";

const dim = 8;
const numGroups = 4;
const perGroup = 30;

/** Rows in groups around directions of their own, by turns. */
function groupedRows(): Float32Array {
  return Float32Array.from({ length: numGroups * perGroup * dim }, (_, i) => {
    const [row, column] = [Math.floor(i / dim), i % dim];
    return Number(column === row % numGroups) + (keyedHash(row, column) / 2 ** 32 - 0.5) * 0.4;
  });
}

describe("the layout by UMAP", () => {
  it("keeps groups together: of nearly every point the nearest on the plane is of its own group", async () => {
    const layout = await umapLayout(await nearestRows(groupedRows(), dim, umapNeighbors));
    if (!layout) throw new Error("There is no layout.");
    expect(layout).toHaveLength(numGroups * perGroup * 2);
    expect(layout.every(Number.isFinite)).toBe(true);
    const nearestOf = (point: number) => {
      const distance = (other: number) =>
        Math.hypot(layout[2 * point]! - layout[2 * other]!, layout[2 * point + 1]! - layout[2 * other + 1]!);
      const others = Array.from({ length: numGroups * perGroup }, (_, i) => i).filter((other) => other !== point);
      return others.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    };
    const kept = Array.from({ length: numGroups * perGroup }, (_, point) => point).filter(
      (point) => nearestOf(point) % numGroups === point % numGroups,
    );
    expect(kept.length / (numGroups * perGroup)).toBeGreaterThan(0.97);
  });

  it("is the same every time", async () => {
    const nearest = await nearestRows(groupedRows(), dim, umapNeighbors);
    expect(await umapLayout(nearest)).toEqual(await umapLayout(nearest));
  });

  it("does without rows that are too few to have so many neighbours", async () => {
    expect(await umapLayout(await nearestRows(new Float32Array(10 * dim).fill(1), dim, umapNeighbors))).toBeNull();
    expect(await umapLayout(await nearestRows(new Float32Array(0), dim, umapNeighbors))).toBeNull();
  });

  it.each([1, 2, 13, 14, 15, 16, 17, 18])("lays out %i rows, or does without", async (numRows) => {
    const rows = groupedRows().slice(0, numRows * dim);
    const layout = await umapLayout(await nearestRows(rows, dim, umapNeighbors));
    expect(layout?.length ?? 0).toBe(numRows > umapNeighbors + 1 ? 2 * numRows : 0);
    expect((layout ?? []).every(Number.isFinite)).toBe(true);
  });

  it("tells how far it is, and ends when whoever watches throws", async () => {
    const nearest = await nearestRows(groupedRows(), dim, umapNeighbors);
    const seen: number[] = [];
    const layout = umapLayout(nearest, (done, total) => {
      seen.push(done / total);
      if (done >= 20) throw new Error("stopped");
    });
    await expect(layout).rejects.toThrow("stopped");
    expect(seen).toEqual([...seen].toSorted((a, b) => a - b));
  });
});
