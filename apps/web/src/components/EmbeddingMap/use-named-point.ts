import { useMemo, useState } from "react";
import { PointGrid } from "./nearest.ts";
import type { MapPoints } from "./view.ts";

/** A place of the map, and how far around it a point may lie */
export interface Around {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** The point that is named: the nearest of those in colour around a place of the map. */
export function useNamedPoint(points: MapPoints, highlighted: ReadonlySet<number> | null) {
  const grid = useMemo(() => new PointGrid(points), [points]);
  const [named, setNamed] = useState<number | null>(null);
  const isShown = (index: number) => highlighted === null || highlighted.has(points.groups[index] ?? -1);
  const nearestAt = ({ x, y, radius }: Around) => grid.nearest(x, y, radius, isShown);
  const nameAt = (around: Around | null) => setNamed(around && nearestAt(around));
  // A layout with fewer points may not have the one that was named.
  return { named: named !== null && named < points.x.length ? named : null, nameAt, nearestAt };
}
