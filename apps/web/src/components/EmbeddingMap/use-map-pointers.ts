import { type PointerEvent, useState } from "react";
import { Gesture } from "./gesture.ts";
import type { Size, View } from "./view.ts";

interface MapPointers {
  readonly size: Size;
  readonly onMove: (change: (from: View) => View) => void;
  /** The pixel that is pointed at; null: none */
  readonly onPoint: (at: Pointed | null) => void;
  /** A click, or a tap of a finger */
  readonly onTap: (at: Pointed) => void;
}

export interface Pointed {
  readonly x: number;
  readonly y: number;
  /** How many pixels away a point may lie: a finger hides what it points at. */
  readonly reach: number;
}

const mouseReach = 10;
const fingerReach = 24;

/** Moves the map by mouse, pen and fingers; a mouse names points by hovering, a finger by a tap. */
export function useMapPointers({ size, onMove, onPoint, onTap }: MapPointers) {
  const [gesture] = useState(() => new Gesture());
  const placeOf = ({ nativeEvent, pointerType }: PointerEvent): Pointed => ({
    x: nativeEvent.offsetX,
    y: nativeEvent.offsetY,
    reach: pointerType === "touch" ? fingerReach : mouseReach,
  });
  return {
    onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      gesture.down(event.pointerId, placeOf(event));
    },
    onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
      const place = placeOf(event);
      if (!gesture.isHeld) return onPoint(place);
      const change = gesture.move(event.pointerId, place);
      if (change) onMove((from) => change(from, size));
    },
    onPointerUp: (event: PointerEvent<HTMLCanvasElement>) => {
      if (!gesture.up(event.pointerId)) return;
      onPoint(placeOf(event));
      onTap(placeOf(event));
    },
    onPointerCancel: (event: PointerEvent<HTMLCanvasElement>) => {
      gesture.up(event.pointerId);
    },
    onPointerLeave: (event: PointerEvent<HTMLCanvasElement>) => {
      // A finger that is lifted leaves too; what it tapped stays named until the next tap.
      if (event.pointerType === "mouse") onPoint(null);
    },
  };
}
