import { describe, expect, it } from "vitest";
import { pointsInside } from "../../src/components/EmbeddingMap/lasso.ts";

const points = {
  x: Float32Array.from([0.5, 1.5, 2.5, 0.5]),
  y: Float32Array.from([0.5, 1.5, 0.5, 2.5]),
  groups: new Int16Array(4),
};

describe("the points inside an outline", () => {
  it("are those within its corners, whichever way round it was drawn", () => {
    const square = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ] as const;
    expect([...pointsInside(points, square)]).toEqual([0, 1]);
    expect([...pointsInside(points, square.toReversed())]).toEqual([0, 1]);
  });

  it("leave out what lies in a bay of it", () => {
    // A U around (1.5, 1.5)
    const bay = [
      [0, 0],
      [3, 0],
      [3, 3],
      [2, 3],
      [2, 1],
      [1, 1],
      [1, 3],
      [0, 3],
    ] as const;
    expect([...pointsInside(points, bay)]).toEqual([0, 2, 3]);
  });

  it("are none without an area", () => {
    expect([...pointsInside(points, [])]).toEqual([]);
    const line = [
      [0, 0],
      [3, 3],
    ] as const;
    expect([...pointsInside(points, line)]).toEqual([]);
  });
});
