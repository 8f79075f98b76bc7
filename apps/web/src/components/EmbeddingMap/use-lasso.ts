import { type PointerEvent, useState } from "react";
import type { Outline } from "./lasso.ts";

/** Fewer corners than this are a slip of the hand. */
const leastCorners = 3;

/** An area drawn with mouse, pen or a finger, in pixels of the map. */
export function useLasso(onDone: (outline: Outline) => void) {
  const [outline, setOutline] = useState<Outline>([]);
  const cornerOf = ({ nativeEvent }: PointerEvent) => [nativeEvent.offsetX, nativeEvent.offsetY] as const;
  return {
    outline,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLCanvasElement>) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setOutline([cornerOf(event)]);
      },
      onPointerMove: (event: PointerEvent<HTMLCanvasElement>) => {
        if (outline.length > 0) setOutline([...outline, cornerOf(event)]);
      },
      onPointerUp: () => {
        if (outline.length >= leastCorners) onDone(outline);
        setOutline([]);
      },
      onPointerCancel: () => setOutline([]),
    },
  };
}
