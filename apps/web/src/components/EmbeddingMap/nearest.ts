import type { MapPoints } from "./view.ts";

const cellsPerSide = 128;

/** Finds the point under the pointer without looking at every point: a grid of cells over the map. */
export class PointGrid {
  readonly #points: MapPoints;
  readonly #left: number;
  readonly #bottom: number;
  readonly #cell: number;
  readonly #cells = new Map<number, number[]>();

  constructor(points: MapPoints) {
    this.#points = points;
    let left = Infinity;
    let bottom = Infinity;
    let right = -Infinity;
    let top = -Infinity;
    for (let i = 0; i < points.x.length; i++) {
      left = Math.min(left, points.x[i] ?? 0);
      right = Math.max(right, points.x[i] ?? 0);
      bottom = Math.min(bottom, points.y[i] ?? 0);
      top = Math.max(top, points.y[i] ?? 0);
    }
    this.#left = left;
    this.#bottom = bottom;
    this.#cell = Math.max(right - left, top - bottom, 1e-9) / cellsPerSide;
    for (let i = 0; i < points.x.length; i++) {
      const key = this.#key(this.#column(points.x[i] ?? 0), this.#row(points.y[i] ?? 0));
      const cell = this.#cells.get(key);
      if (cell) cell.push(i);
      else this.#cells.set(key, [i]);
    }
  }

  /**
   * Index of the point nearest to (x, y) within `radius` map units among those that `isShown`; null when there is none.
   */
  nearest(x: number, y: number, radius: number, isShown: (index: number) => boolean): number | null {
    let best: number | null = null;
    let bestDistance = radius * radius;
    const columns = [this.#column(x - radius), this.#column(x + radius)] as const;
    const rows = [this.#row(y - radius), this.#row(y + radius)] as const;
    for (let column = Math.max(0, columns[0]); column <= Math.min(cellsPerSide, columns[1]); column++) {
      for (let row = Math.max(0, rows[0]); row <= Math.min(cellsPerSide, rows[1]); row++) {
        for (const i of this.#cells.get(this.#key(column, row)) ?? []) {
          const distance = ((this.#points.x[i] ?? 0) - x) ** 2 + ((this.#points.y[i] ?? 0) - y) ** 2;
          if (distance <= bestDistance && isShown(i)) {
            best = i;
            bestDistance = distance;
          }
        }
      }
    }
    return best;
  }

  #column(x: number): number {
    return Math.floor((x - this.#left) / this.#cell);
  }

  #row(y: number): number {
    return Math.floor((y - this.#bottom) / this.#cell);
  }

  #key(column: number, row: number): number {
    return column * (cellsPerSide + 1) + row;
  }
}
