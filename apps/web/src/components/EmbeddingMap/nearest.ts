import type { MapPoints } from "./view.ts";

/** Points of a cell, were they spread evenly */
const pointsPerCell = 8;
const fewestCells = 128;
const mostCells = 1024;

interface Cells {
  readonly left: number;
  readonly bottom: number;
  /** Length of a cell's side, in units of the map */
  readonly side: number;
  readonly perSide: number;
  /** Where the points of each cell begin in `order`, and at last their number; uint32 [perSide² + 1] */
  readonly starts: Uint32Array;
  /** Points, cell by cell; uint32 [number of points] */
  readonly order: Uint32Array;
}

/**
 * Finds the point under the pointer without looking at every point: a grid of cells over the map. It is made when it
 * is first asked, so that a large map is seen before.
 */
export class PointGrid {
  readonly #points: MapPoints;
  #made: Cells | null = null;

  constructor(points: MapPoints) {
    this.#points = points;
  }

  /**
   * Index of the point nearest to (x, y) within `radius` map units among those that `isShown`; null when there is none.
   */
  nearest(x: number, y: number, radius: number, isShown: (index: number) => boolean): number | null {
    this.#made ??= cellsOf(this.#points);
    const { left, bottom, side, perSide, starts, order } = this.#made;
    const cellAt = (place: number) => Math.min(perSide - 1, Math.max(0, Math.floor(place / side)));
    const [firstColumn, lastColumn] = [cellAt(x - radius - left), cellAt(x + radius - left)];
    let best: number | null = null;
    let bestDistance = radius * radius;
    for (let row = cellAt(y - radius - bottom); row <= cellAt(y + radius - bottom); row++) {
      // Cells of one row lie one after the other.
      const end = starts[row * perSide + lastColumn + 1] ?? 0;
      for (let at = starts[row * perSide + firstColumn] ?? 0; at < end; at++) {
        const i = order[at] ?? 0;
        const distance = ((this.#points.x[i] ?? 0) - x) ** 2 + ((this.#points.y[i] ?? 0) - y) ** 2;
        if (distance <= bestDistance && isShown(i)) {
          best = i;
          bestDistance = distance;
        }
      }
    }
    return best;
  }
}

/** Sorts the points into cells by counting. */
function cellsOf({ x, y }: MapPoints): Cells {
  const count = x.length;
  const perSide = Math.min(mostCells, Math.max(fewestCells, Math.ceil(Math.sqrt(count / pointsPerCell))));
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < count; i++) {
    left = Math.min(left, x[i] ?? 0);
    right = Math.max(right, x[i] ?? 0);
    bottom = Math.min(bottom, y[i] ?? 0);
    top = Math.max(top, y[i] ?? 0);
  }
  const side = Math.max(right - left, top - bottom, 1e-9) / perSide;
  const cellAt = (place: number) => Math.min(perSide - 1, Math.floor(place / side));
  const cells = new Uint32Array(count);
  const starts = new Uint32Array(perSide * perSide + 1);
  for (let i = 0; i < count; i++) {
    const cell = cellAt((y[i] ?? 0) - bottom) * perSide + cellAt((x[i] ?? 0) - left);
    cells[i] = cell;
    starts[cell + 1] = (starts[cell + 1] ?? 0) + 1;
  }
  for (let cell = 0; cell < perSide * perSide; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice(0, -1);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const cell = cells[i] ?? 0;
    const at = next[cell] ?? 0;
    order[at] = i;
    next[cell] = at + 1;
  }
  return { left, bottom, side, perSide, starts, order };
}
