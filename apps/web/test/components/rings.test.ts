import { expect, test } from "vitest";
import { rings } from "../../src/components/Explanation/rings.ts";

const edge = (from: string, to: string) => ({ from, to, weight: 1 });
const distance = ({ x, y }: { x: number; y: number }) => Math.hypot(x, y);

test("the explained node lies in the middle, and each hop a ring further out", () => {
  const places = rings("a", [edge("b", "a"), edge("c", "b"), edge("d", "c"), edge("e", "a")]);
  expect(places.size).toBe(5);
  const radii = ["a", "b", "e", "c", "d"].map((id) => distance(places.get(id) ?? { x: 9, y: 9 }));
  for (const [i, radius] of [0, 1 / 3, 1 / 3, 2 / 3, 1].entries()) expect(radii[i]).toBeCloseTo(radius, 12);
});

test("edges that do not reach the node lie outermost, and no two nodes in one place", () => {
  const places = rings("a", [edge("b", "a"), edge("x", "y"), edge("a", "a")]);
  expect(distance(places.get("x") ?? { x: 0, y: 0 })).toBeCloseTo(1, 12);
  expect(distance(places.get("b") ?? { x: 0, y: 0 })).toBeCloseTo(0.5, 12);
  expect(new Set([...places.values()].map(({ x, y }) => `${x.toFixed(6)} ${y.toFixed(6)}`)).size).toBe(4);
});
