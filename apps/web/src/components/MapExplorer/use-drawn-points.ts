import { useMemo } from "react";
import type { MapDetail } from "../../services/map-detail.ts";
import type { MapPoints } from "../EmbeddingMap/view.ts";
import type { LayoutName } from "./MapToolbar.tsx";

/** The points of a layout: all of the map's, or some of them under numbers of their own. */
export interface DrawnPoints {
  readonly points: MapPoints;
  /** The map's number of a drawn point */
  readonly pointOf: (index: number) => number;
  /** The number that a point of the map is drawn under; null when it is not in this layout */
  readonly indexOf: (point: number) => number | null;
}

/** @param groups of all points of the map */
export function useDrawnPoints(
  all: MapPoints,
  groups: Int16Array,
  detail: MapDetail | null,
  layout: LayoutName,
): DrawnPoints {
  const umap = layout === "umap" ? (detail?.umap ?? null) : null;
  return useMemo(() => {
    if (umap === null) {
      return { points: { x: all.x, y: all.y, groups }, pointOf: (index) => index, indexOf: (point) => point };
    }
    const { points, xy } = umap;
    const indices = new Map(Array.from(points, (point, index) => [point, index]));
    return {
      points: {
        x: Float32Array.from(points, (_, i) => xy[2 * i] ?? 0),
        y: Float32Array.from(points, (_, i) => xy[2 * i + 1] ?? 0),
        groups: Int16Array.from(points, (point) => groups[point] ?? -1),
      },
      pointOf: (index) => points[index] ?? 0,
      indexOf: (point) => indices.get(point) ?? null,
    };
  }, [all, groups, umap]);
}
