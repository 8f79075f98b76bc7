import { Button, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { createCanvasPoints } from "./canvas-points.ts";
import { drawInFrames } from "./draw-in-frames.ts";
import classes from "./EmbeddingMap.module.css";
import { FrameBudget } from "./frame-budget.ts";
import { type Outline, pointsInside } from "./lasso.ts";
import { type Links, MapOverlay } from "./MapOverlay.tsx";
import type { PointRenderer } from "./point-renderer.ts";
import { useLasso } from "./use-lasso.ts";
import { type Pointed, useMapPointers } from "./use-map-pointers.ts";
import { type Around, useNamedPoint } from "./use-named-point.ts";
import { useInSight, useView } from "./use-view.ts";
import { type MapPoints, panBy, pointRadius, type Size, toMap, toScreen, type View, zoomAt } from "./view.ts";
import { createWebglPoints } from "./webgl-points.ts";

export interface EmbeddingMapProps {
  readonly points: MapPoints;
  readonly colors: readonly string[];
  /** Groups drawn in colour; null: all. */
  readonly highlighted: ReadonlySet<number> | null;
  /** What the tooltip says of a point: a title and a line below. */
  readonly describe: (index: number) => readonly [string, string];
  /** The point with a ring around it; brought into sight when it is not. */
  readonly picked: number | null;
  readonly links: Links;
  /** A click or tap on a point; null: beside all. */
  readonly onPick: (index: number | null) => void;
  /** Whether the pointer draws an area instead of moving the map. */
  readonly isSelecting: boolean;
  readonly onSelect: (indices: Int32Array) => void;
}

const height = 560;

/**
 * A map of points to pan (drag, arrow keys) and zoom (wheel, pinch, + and −); hovering or a tap names a point, a click
 * or tap picks it, and an area can be drawn around many.
 */
export default function EmbeddingMap(props: EmbeddingMapProps) {
  const { points, colors, highlighted, describe, picked } = props;
  const { ref: boxRef, width } = useElementSize();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const size = useMemo(() => ({ width: Math.max(width, 1), height }), [width]);
  const { view, fitted, moved, move, showAll } = useView(points, size);
  const renderer = useRenderer(canvasRef, points, colors, { view, size, fitted, highlighted });
  const { named, nameAt, nearestAt } = useNamedPoint(points, highlighted);
  const aroundOf = (at: Pointed): Around => {
    const [x, y] = toMap(view, size, at.x, at.y);
    return { x, y, radius: at.reach / view.scale };
  };
  const pointers = useMapPointers({
    size,
    onMove: move,
    onPoint: (at) => nameAt(at && aroundOf(at)),
    onTap: (at) => props.onPick(nearestAt(aroundOf(at))),
  });
  const lasso = useLasso((outline) => props.onSelect(pointsInside(points, onMap(outline, view, size))));
  useInSight(picked, points, view, size, move);
  useWheelZoom(canvasRef, (px, py, factor) => move((from) => zoomAt(from, size, px, py, factor)));
  const zoom = (factor: number) => (from: View) => zoomAt(from, size, size.width / 2, size.height / 2, factor);
  const onKeyDown = (event: KeyboardEvent) => {
    const change = keyMoves[event.key];
    if (!change) return;
    event.preventDefault();
    if (event.key === "0") showAll();
    else move((from) => change(from, (factor) => zoom(factor)(from)));
  };
  return (
    <div ref={boxRef} className={classes.box} data-renderer={renderer?.kind}>
      <canvas
        ref={canvasRef}
        className={classes.canvas}
        style={{ height }}
        tabIndex={0}
        role="img"
        aria-label={`Map of ${points.x.length} embeddings. Arrow keys move, plus and minus zoom, 0 shows all.`}
        data-selecting={props.isSelecting}
        onKeyDown={onKeyDown}
        {...(props.isSelecting ? lasso.handlers : pointers)}
      />
      <MapOverlay points={points} view={view} size={size} picked={picked} links={props.links} outline={lasso.outline} />
      {named !== null && (
        <Tip at={toScreen(view, size, points.x[named] ?? 0, points.y[named] ?? 0)} size={size} text={describe(named)} />
      )}
      <MapButtons isMoved={moved} onZoom={(factor) => move(zoom(factor))} onShowAll={showAll} />
    </div>
  );
}

interface Drawn extends Pick<EmbeddingMapProps, "highlighted"> {
  readonly view: View;
  readonly size: Size;
  readonly fitted: View;
}

/** Draws the points, again whenever what is seen of them changes. */
function useRenderer(
  canvasRef: { readonly current: HTMLCanvasElement | null },
  points: MapPoints,
  colors: readonly string[],
  { view, size, fitted, highlighted }: Drawn,
): PointRenderer | null {
  const [renderer, setRenderer] = useState<PointRenderer | null>(null);
  const [budget] = useState(() => new FrameBudget());
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return undefined;
    const created = createWebglPoints(canvas, points, colors) ?? createCanvasPoints(canvas, points, colors);
    setRenderer(created);
    return () => created?.dispose();
  }, [canvasRef, points, colors]);
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas || !renderer || size.width <= 1) return undefined;
    const frame = { view, size, radius: pointRadius(view, fitted, points.x.length), highlighted };
    return drawInFrames(canvas, renderer, frame, points.x.length, budget);
  }, [canvasRef, renderer, view, size, fitted, highlighted, points, budget]);
  return renderer;
}

function onMap(outline: Outline, view: View, size: Size): Outline {
  return outline.map(([px, py]) => toMap(view, size, px, py));
}

interface TipProps {
  readonly at: readonly [number, number];
  readonly size: Size;
  readonly text: readonly [string, string];
}

function Tip({ at: [left, top], size, text: [title, line] }: TipProps) {
  return (
    <div role="tooltip" className={classes.tip} style={{ left, top }} data-flip={left > size.width - 180}>
      <Text size="sm" fw={600} ff="monospace" className="clip">
        {title}
      </Text>
      <Text size="xs" c="dimmed">
        {line}
      </Text>
    </div>
  );
}

interface MapButtonsProps {
  readonly isMoved: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onShowAll: () => void;
}

function MapButtons({ isMoved, onZoom, onShowAll }: MapButtonsProps) {
  return (
    <Group className={classes.buttons} gap={4}>
      <Button size="compact-sm" variant="default" aria-label="Zoom in" onClick={() => onZoom(1.5)}>
        +
      </Button>
      <Button size="compact-sm" variant="default" aria-label="Zoom out" onClick={() => onZoom(1 / 1.5)}>
        −
      </Button>
      <Button size="compact-sm" variant="default" onClick={onShowAll} disabled={!isMoved}>
        Show all
      </Button>
    </Group>
  );
}

const keyMoves: Readonly<Record<string, (view: View, zoom: (factor: number) => View) => View>> = {
  ArrowLeft: (view) => panBy(view, 40, 0),
  ArrowRight: (view) => panBy(view, -40, 0),
  ArrowUp: (view) => panBy(view, 0, 40),
  ArrowDown: (view) => panBy(view, 0, -40),
  "+": (_view, zoom) => zoom(1.3),
  "-": (_view, zoom) => zoom(1 / 1.3),
  "0": (view) => view,
};

/** React listens to the wheel passively and cannot keep the page from scrolling. */
function useWheelZoom(
  canvasRef: { readonly current: HTMLCanvasElement | null },
  onZoom: (px: number, py: number, factor: number) => void,
): void {
  const latest = useRef(onZoom);
  useEffect(() => {
    latest.current = onZoom;
  }, [onZoom]);
  useEffect(() => {
    const canvas = canvasRef.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      latest.current(event.offsetX, event.offsetY, Math.exp(-event.deltaY * 0.0015));
    };
    canvas?.addEventListener("wheel", onWheel, { passive: false });
    return () => canvas?.removeEventListener("wheel", onWheel);
  }, [canvasRef]);
}
