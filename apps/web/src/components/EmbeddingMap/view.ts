/** What part of the map is seen: the point at the middle, and pixels per unit. */
export interface View {
  readonly centerX: number;
  readonly centerY: number;
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The points of a map; `groups` is an index into the colours, −1 for points without a class. */
export interface MapPoints {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly groups: Int16Array;
}

/** Shows every point with a margin. */
export function fitView(points: MapPoints, size: Size): View {
  const [left, right] = rangeOf(points.x);
  const [bottom, top] = rangeOf(points.y);
  const scale = 0.92 * Math.min(size.width / (right - left || 1), size.height / (top - bottom || 1));
  return { centerX: (left + right) / 2, centerY: (bottom + top) / 2, scale };
}

function rangeOf(values: Float32Array): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return values.length > 0 ? [low, high] : [0, 1];
}

/** Pixel → map. y grows upwards on the map, downwards on the screen. */
export function toMap(view: View, size: Size, px: number, py: number): [number, number] {
  return [view.centerX + (px - size.width / 2) / view.scale, view.centerY - (py - size.height / 2) / view.scale];
}

export function toScreen(view: View, size: Size, x: number, y: number): [number, number] {
  return [(x - view.centerX) * view.scale + size.width / 2, size.height / 2 - (y - view.centerY) * view.scale];
}

/** Zooms by a factor so that the place under the pointer stays where it is. */
export function zoomAt(view: View, size: Size, px: number, py: number, factor: number): View {
  const [x, y] = toMap(view, size, px, py);
  const scale = view.scale * factor;
  return { scale, centerX: x - (px - size.width / 2) / scale, centerY: y + (py - size.height / 2) / scale };
}

export function panBy(view: View, dx: number, dy: number): View {
  return { ...view, centerX: view.centerX - dx / view.scale, centerY: view.centerY + dy / view.scale };
}

/** Radius in pixels: larger when there are few points or one is close to them. */
export function pointRadius(view: View, fitted: View, numPoints: number): number {
  const base = numPoints > 500_000 ? 0.8 : numPoints > 20_000 ? 1.3 : numPoints > 4_000 ? 1.9 : 2.8;
  return Math.min(9, base * Math.sqrt(Math.max(1, view.scale / fitted.scale)));
}
