import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { fitView, type MapPoints, type Size, toScreen, type View } from "./view.ts";

/** What part of the map is seen: all of it until it is moved. */
export function useView(points: MapPoints, size: Size) {
  const fitted = useMemo(() => fitView(points, size), [points, size]);
  const [moved, setMoved] = useState<View | null>(null);
  const move = useCallback((change: (from: View) => View) => setMoved((from) => change(from ?? fitted)), [fitted]);
  const showAll = useCallback(() => setMoved(null), []);
  return { view: moved ?? fitted, fitted, moved: moved !== null, move, showAll };
}

/** Moves the map to the picked point when that lies outside of what is seen; only when another is picked. */
export function useInSight(
  picked: number | null,
  points: MapPoints,
  view: View,
  size: Size,
  move: (change: (from: View) => View) => void,
): void {
  const seen = useRef(picked);
  useEffect(() => {
    if (picked === null || picked === seen.current || size.width <= 1) return;
    seen.current = picked;
    const [centerX, centerY] = [points.x[picked] ?? 0, points.y[picked] ?? 0];
    const [px, py] = toScreen(view, size, centerX, centerY);
    if (px < 0 || py < 0 || px > size.width || py > size.height) move((from) => ({ ...from, centerX, centerY }));
  }, [picked, points, view, size, move]);
}
