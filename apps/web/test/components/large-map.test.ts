import { describe, expect, it } from "vitest";
import { FrameBudget } from "../../src/components/EmbeddingMap/frame-budget.ts";
import { PointGrid } from "../../src/components/EmbeddingMap/nearest.ts";
import { scattered, scatterStep } from "../../src/components/EmbeddingMap/scatter-order.ts";

/** A fifth of the points in one spot, the others spread unevenly */
function clusteredPoints(count: number) {
  const random = (i: number) => Math.abs(Math.sin(12.9898 * i) * 43758.5453) % 1;
  const place = (seed: number) => (_: unknown, i: number) => (i % 5 === 0 ? 0.5 : random(i + seed) ** 3 * 10 - 2);
  return {
    x: Float32Array.from({ length: count }, place(1)),
    y: Float32Array.from({ length: count }, place(7)),
    groups: Int16Array.from({ length: count }, (_, i) => Math.floor((4 * i) / count)),
  };
}

describe("the order in which points are drawn", () => {
  it("meets every point once, with its group", () => {
    for (const count of [1, 2, 3, 12, 100, 1009, 4096]) {
      const x = Float32Array.from({ length: count }, (_, i) => i);
      const drawn = scattered({ x, y: x, groups: Int16Array.from(x) });
      expect([...drawn.x].toSorted((a, b) => a - b)).toEqual([...x]);
      expect([...drawn.groups]).toEqual([...drawn.x]);
    }
    expect(scatterStep(0)).toBe(1);
  });

  it("has every class in its share from the beginning, though the points were sorted by class", () => {
    const { groups } = scattered(clusteredPoints(40_000));
    for (const end of [100, 1000, 10_000]) {
      const counts = [0, 1, 2, 3].map((group) => groups.subarray(0, end).filter((one) => one === group).length);
      for (const count of counts) expect(count / end).toBeCloseTo(0.25, 1);
    }
  });
});

describe("the point nearest to a place", () => {
  it("is the one that a look at every point finds, among those that are shown", () => {
    const points = clusteredPoints(5000);
    const grid = new PointGrid(points);
    const isShown = (i: number) => points.groups[i] !== 2;
    const distanceTo = (x: number, y: number) => (i: number) =>
      Math.hypot((points.x[i] ?? 0) - x, (points.y[i] ?? 0) - y);
    for (let probe = 0; probe < 200; probe++) {
      const [x, y] = [(probe % 20) * 0.7 - 3, Math.floor(probe / 20) * 1.3 - 3];
      const radius = 0.05 + (probe % 7) * 0.3;
      const distance = distanceTo(x, y);
      const within = [...points.x.keys()].filter((i) => isShown(i) && distance(i) <= radius);
      const found = grid.nearest(x, y, radius, isShown);
      if (within.length === 0) expect(found).toBeNull();
      else expect(distance(found ?? -1)).toBeCloseTo(Math.min(...within.map(distance)), 6);
    }
  });

  it("is found where all points are the same, and is none where there are no points", () => {
    const one = { x: new Float32Array(3), y: new Float32Array(3), groups: new Int16Array(3) };
    expect(new PointGrid(one).nearest(0, 0, 1, (i) => i === 1)).toBe(1);
    const none = { x: new Float32Array(0), y: new Float32Array(0), groups: new Int16Array(0) };
    expect(new PointGrid(none).nearest(0, 0, 1, () => true)).toBeNull();
  });
});

describe("the points of a frame", () => {
  it("become fewer while frames are slow, down to a sample that shows the shape, and more when they are quick", () => {
    const budget = new FrameBudget();
    const first = budget.next(0);
    expect(budget.next(50)).toBeLessThan(first);
    let at = 50;
    for (let i = 0; i < 40; i++) budget.next((at += 50));
    expect(budget.next((at += 50))).toBe(20_000);
    expect(budget.next(at + 10)).toBeGreaterThan(20_000);
  });

  it("do not become fewer by a pause of the hand", () => {
    const budget = new FrameBudget();
    const first = budget.next(0);
    budget.rest();
    expect(budget.next(5000)).toBe(first);
  });
});
