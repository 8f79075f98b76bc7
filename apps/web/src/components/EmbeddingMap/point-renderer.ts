import type { MapPoints, Size, View } from "./view.ts";

export interface Frame {
  readonly view: View;
  readonly size: Size;
  readonly radius: number;
  /** Groups drawn in colour; the others are faint. null: all. */
  readonly highlighted: ReadonlySet<number> | null;
}

/** Draws the points of one map into one canvas. */
export interface PointRenderer {
  readonly kind: "webgl" | "canvas";
  /**
   * Draws the points from the first to the last but one, in an order of which every beginning is a fair sample. From 0
   * on it begins a picture, else it goes on with the one that is there.
   */
  draw(frame: Frame, first: number, end: number): void;
  dispose(): void;
}

/** "#17806a" → [0.09, 0.5, 0.42] */
export function rgbOf(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export const noClassColor = "#868e96";

/** Colour of a group: of its class, or grey. */
export function colorOfGroup(colors: readonly string[], group: number): string {
  return group < 0 ? noClassColor : (colors[group % colors.length] ?? noClassColor);
}

export type RendererFactory = (
  canvas: HTMLCanvasElement,
  points: MapPoints,
  colors: readonly string[],
) => PointRenderer | null;
