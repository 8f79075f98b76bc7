import type { MapPoints } from "./view.ts";

export type Outline = readonly (readonly [number, number])[];

/** Indices of the points inside an outline of the map, by the even-odd rule; ascending. */
export function pointsInside({ x, y }: MapPoints, outline: Outline): number[] {
  const found: number[] = [];
  for (let i = 0; i < x.length; i++) if (isInside(outline, x[i] ?? 0, y[i] ?? 0)) found.push(i);
  return found;
}

function isInside(outline: Outline, x: number, y: number): boolean {
  let inside = false;
  for (const [i, [x1, y1]] of outline.entries()) {
    const [x2, y2] = outline[(i + 1) % outline.length] ?? [x1, y1];
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}
