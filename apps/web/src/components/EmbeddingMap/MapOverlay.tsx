import classes from "./EmbeddingMap.module.css";
import type { Outline } from "./lasso.ts";
import { type MapPoints, type Size, toScreen, type View } from "./view.ts";

/** Lines from the picked point to others. */
export interface Links {
  readonly nearest: readonly number[];
  readonly neighbors: readonly number[];
}

interface MapOverlayProps {
  readonly points: MapPoints;
  readonly view: View;
  readonly size: Size;
  readonly picked: number | null;
  readonly links: Links;
  /** Corners of the area that is being drawn, in pixels */
  readonly outline: Outline;
}

/** What lies above the points: a ring around the picked one, lines to those near it, and the area that is drawn. */
export function MapOverlay({ points, view, size, picked, links, outline }: MapOverlayProps) {
  const placeOf = (point: number) => toScreen(view, size, points.x[point] ?? 0, points.y[point] ?? 0);
  const from = picked === null ? null : placeOf(picked);
  const linesTo = (ends: readonly number[], kind: string) =>
    from &&
    ends.map((end) => {
      const [x, y] = placeOf(end);
      return <line key={`${kind}${end}`} className={classes[kind]} x1={from[0]} y1={from[1]} x2={x} y2={y} />;
    });
  return (
    <svg className={classes.overlay} width={size.width} height={size.height} aria-hidden="true">
      {linesTo(links.nearest, "nearest")}
      {linesTo(links.neighbors, "neighbor")}
      {from && <circle className={classes.ring} cx={from[0]} cy={from[1]} r={9} data-testid="picked" />}
      {outline.length > 1 && (
        <polygon className={classes.outline} points={outline.map((at) => at.join(",")).join(" ")} />
      )}
    </svg>
  );
}
