import { colorOfGroup, noClassColor, type RendererFactory } from "./point-renderer.ts";
import { scattered } from "./scatter-order.ts";
import { toScreen } from "./view.ts";

/** Draws with the 2-D canvas, for browsers without WebGL 2: slower, the same picture. */
export const createCanvasPoints: RendererFactory = (canvas, sorted, colors) => {
  const points = scattered(sorted);
  const context = canvas.getContext("2d");
  if (!context) return null;
  return {
    kind: "canvas",
    draw({ view, size, radius, highlighted }, first, end) {
      const ratio = canvas.width / size.width;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (first === 0) context.clearRect(0, 0, size.width, size.height);
      for (let i = first; i < end; i++) {
        const group = points.groups[i] ?? -1;
        const isFaint = highlighted !== null && !highlighted.has(group);
        const [px, py] = toScreen(view, size, points.x[i] ?? 0, points.y[i] ?? 0);
        if (px < -radius || py < -radius || px > size.width + radius || py > size.height + radius) continue;
        context.globalAlpha = isFaint ? 0.12 : 0.78;
        context.fillStyle = isFaint ? noClassColor : colorOfGroup(colors, group);
        context.beginPath();
        context.arc(px, py, radius, 0, 2 * Math.PI);
        context.fill();
      }
    },
    dispose: () => undefined,
  };
};
