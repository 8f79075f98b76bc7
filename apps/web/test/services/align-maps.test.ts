import { describe, expect, it } from "vitest";
import { alignedMap, turnBetween } from "../../src/services/align-maps.ts";
import type { EmbeddingMapData } from "../../src/services/embedding-map.ts";

/** A map of a few named nodes */
function mapOf(places: Readonly<Record<string, readonly [number, number]>>): EmbeddingMapData {
  const names = Object.keys(places);
  const values = Object.values(places);
  return {
    points: {
      x: Float32Array.from(values, ([x]) => x),
      y: Float32Array.from(values, ([, y]) => y),
      groups: new Int16Array(names.length),
    },
    labels: new Int32Array(names.length),
    hasIds: true,
    titleOf: (point) => names[point] ?? "",
    find: (id) => (names.includes(id) ? names.indexOf(id) : null),
  };
}

const base = mapOf({ a: [3, 0], b: [0, 1], c: [-2, -2], d: [-1, 1] });

function placesOf({ points, titleOf }: EmbeddingMapData): Record<string, readonly number[]> {
  const places = Array.from(points.x, (x, i) => [titleOf(i), [round(x), round(points.y[i] ?? 0)]] as const);
  return Object.fromEntries(places);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}

describe("maps of two runs", () => {
  it("lie alike once one is turned by a quarter", () => {
    const turned = mapOf({ a: [0, 3], b: [-1, 0], c: [2, -2], d: [-1, -1] });
    expect(placesOf(alignedMap(turned, base))).toEqual(placesOf(base));
  });

  it("lie alike once one is turned over, in another order and with nodes that the other lacks", () => {
    const mirrored = mapOf({ new: [5, 5], d: [1, 1], c: [2, -2], b: [0, 1], a: [-3, 0] });
    expect(placesOf(alignedMap(mirrored, base))).toEqual({ ...placesOf(base), new: [-5, 5] });
  });

  it("stay as they are without a node in common", () => {
    const other = mapOf({ x: [1, 2], y: [3, 4] });
    expect(placesOf(alignedMap(other, base))).toEqual({ x: [1, 2], y: [3, 4] });
  });

  it("are turned by what brings the places nearest: no other angle of a full circle does better", () => {
    const from = [...Array(40).keys()].map((i) => [Math.sin(3 * i), Math.cos(i * i)] as const);
    const to = from.map(([x, y], i) => [0.4 * x + y + 0.1 * Math.sin(i), -x + 0.4 * y] as const);
    const centred = (places: readonly (readonly [number, number])[]) => {
      const mean = (axis: 0 | 1) => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
      return places.map(([x, y]) => [x - mean(0), y - mean(1)] as const);
    };
    const distance = (cos: number, sin: number, flip: number) =>
      centred(from).reduce((sum, [x, y], i) => {
        const [qx, qy] = centred(to)[i] ?? [0, 0];
        return sum + (cos * x - sin * flip * y - qx) ** 2 + (sin * x + cos * flip * y - qy) ** 2;
      }, 0);
    const { cos, sin, isMirrored } = turnBetween({ from, to });
    const least = distance(cos, sin, isMirrored ? -1 : 1);
    for (let degree = 0; degree < 360; degree++) {
      const angle = (degree * Math.PI) / 180;
      for (const flip of [1, -1]) {
        expect(distance(Math.cos(angle), Math.sin(angle), flip)).toBeGreaterThanOrEqual(least - 1e-9);
      }
    }
  });
});
