import type { MapPoints } from "./view.ts";

export type Outline = readonly (readonly [number, number])[];

/** Indices of the points inside an outline of the map, by the even-odd rule; ascending. */
export function pointsInside({ x, y }: MapPoints, outline: Outline): Int32Array {
  const found = new Int32Array(x.length);
  const xs = Float64Array.from(outline, ([at]) => at);
  const ys = Float64Array.from(outline, ([, at]) => at);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  let count = 0;
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [x[i] ?? 0, y[i] ?? 0];
    if (px < left || px > right || py < bottom || py > top) continue;
    if (isInside(xs, ys, px, py)) found[count++] = i;
  }
  return found.slice(0, count);
}

function isInside(xs: Float64Array, ys: Float64Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, before = xs.length - 1; i < xs.length; before = i++) {
    const [x1, y1, x2, y2] = [xs[before] ?? 0, ys[before] ?? 0, xs[i] ?? 0, ys[i] ?? 0];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
