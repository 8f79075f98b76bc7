import type { FrameBudget } from "./frame-budget.ts";
import type { Frame, PointRenderer } from "./point-renderer.ts";

/**
 * Draws a map in as many frames as it takes: a sample of the points at once, the others on top of it.
 * @returns what ends it, for a map that has moved on
 */
export function drawInFrames(
  canvas: HTMLCanvasElement,
  renderer: PointRenderer,
  frame: Frame,
  numPoints: number,
  budget: FrameBudget,
): () => void {
  let drawn = 0;
  delete canvas.dataset["whole"];
  const step = (at: number) => {
    const count = budget.next(at);
    if (drawn >= numPoints && drawn > 0) {
      canvas.dataset["whole"] = "true";
      return budget.rest();
    }
    if (drawn === 0) fitCanvas(canvas, frame);
    renderer.draw(frame, drawn, Math.min(numPoints, drawn + count));
    drawn += count;
    handle = requestAnimationFrame(step);
  };
  let handle = requestAnimationFrame(step);
  return () => cancelAnimationFrame(handle);
}

/** A canvas that is given a size is emptied and made anew, even if it had the same one. */
function fitCanvas(canvas: HTMLCanvasElement, { size }: Frame): void {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
