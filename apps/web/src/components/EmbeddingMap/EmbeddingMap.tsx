import { Button, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createCanvasPoints } from "./canvas-points.ts";
import classes from "./EmbeddingMap.module.css";
import { PointGrid } from "./nearest.ts";
import type { PointRenderer } from "./point-renderer.ts";
import { fitView, type MapPoints, panBy, pointRadius, toMap, toScreen, type View, zoomAt } from "./view.ts";
import { createWebglPoints } from "./webgl-points.ts";

export interface EmbeddingMapProps {
  readonly points: MapPoints;
  readonly colors: readonly string[];
  /** Groups drawn in colour; null: all. */
  readonly highlighted: ReadonlySet<number> | null;
  /** What the tooltip says of a point: a title and a line below. */
  readonly describe: (index: number) => readonly [string, string];
}

const height = 560;
const hoverPixels = 10;

/** A map of points to pan (drag, arrow keys) and zoom (wheel, + and −); hovering names a point. */
export default function EmbeddingMap({ points, colors, highlighted, describe }: EmbeddingMapProps) {
  const { ref: boxRef, width } = useElementSize();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [renderer, setRenderer] = useState<PointRenderer | null>(null);
  const size = useMemo(() => ({ width: Math.max(width, 1), height }), [width]);
  const fitted = useMemo(() => fitView(points, size), [points, size]);
  const [moved, setMoved] = useState<View | null>(null);
  const view = moved ?? fitted;
  const grid = useMemo(() => new PointGrid(points), [points]);
  const [hovered, setHovered] = useState<number | null>(null);
  const dragRef = useRef<{ x: number; y: number } | null>(null);

  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return undefined;
    const created = createWebglPoints(canvas, points, colors) ?? createCanvasPoints(canvas, points, colors);
    setRenderer(created);
    return () => created?.dispose();
  }, [points, colors]);

  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas || !renderer || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(size.width * ratio);
    canvas.height = Math.round(size.height * ratio);
    renderer.draw({ view, size, radius: pointRadius(view, fitted, points.x.length), highlighted });
  }, [renderer, view, size, fitted, highlighted, points, width]);

  const move = useCallback((change: (from: View) => View) => setMoved((from) => change(from ?? fitted)), [fitted]);
  useWheelZoom(canvasRef, (px, py, factor) => move((from) => zoomAt(from, size, px, py, factor)));

  const isShown = (index: number) => highlighted === null || highlighted.has(points.groups[index] ?? -1);
  const onPointerMove = (event: PointerEvent<HTMLCanvasElement>) => {
    const { offsetX, offsetY } = event.nativeEvent;
    if (dragRef.current) {
      const { x, y } = dragRef.current;
      dragRef.current = { x: offsetX, y: offsetY };
      move((from) => panBy(from, offsetX - x, offsetY - y));
      return;
    }
    const [x, y] = toMap(view, size, offsetX, offsetY);
    setHovered(grid.nearest(x, y, hoverPixels / view.scale, isShown));
  };
  const middle = [size.width / 2, size.height / 2] as const;
  const onKeyDown = (event: KeyboardEvent) => {
    const change = keyMoves[event.key];
    if (!change) return;
    event.preventDefault();
    if (event.key === "0") setMoved(null);
    else move((from) => change(from, (factor) => zoomAt(from, size, ...middle, factor)));
  };
  const tip = hovered === null ? null : toScreen(view, size, points.x[hovered] ?? 0, points.y[hovered] ?? 0);
  const [title, line] = hovered === null ? ["", ""] : describe(hovered);

  return (
    <div ref={boxRef} className={classes.box} data-renderer={renderer?.kind}>
      <canvas
        ref={canvasRef}
        className={classes.canvas}
        style={{ height }}
        tabIndex={0}
        role="img"
        aria-label={`Map of ${points.x.length} embeddings. Arrow keys move, plus and minus zoom, 0 shows all.`}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragRef.current = { x: event.nativeEvent.offsetX, y: event.nativeEvent.offsetY };
        }}
        onPointerUp={() => {
          dragRef.current = null;
        }}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(null)}
      />
      {tip && (
        <div
          role="tooltip"
          className={classes.tip}
          style={{ left: tip[0], top: tip[1] }}
          data-flip={tip[0] > size.width - 180}
        >
          <Text size="sm" fw={600} ff="monospace" className="clip">
            {title}
          </Text>
          <Text size="xs" c="dimmed">
            {line}
          </Text>
        </div>
      )}
      <Group className={classes.buttons} gap={4}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label="Zoom in"
          onClick={() => move((from) => zoomAt(from, size, ...middle, 1.5))}
        >
          +
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-label="Zoom out"
          onClick={() => move((from) => zoomAt(from, size, ...middle, 1 / 1.5))}
        >
          −
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setMoved(null)} disabled={moved === null}>
          Show all
        </Button>
      </Group>
    </div>
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
