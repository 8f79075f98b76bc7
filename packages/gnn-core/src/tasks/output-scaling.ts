import { add, mul, type Tensor2D, tensor2d, tidy } from "../backends/tf.ts";
import type { GnnModel, Layer } from "../nn/model.ts";

/** prediction = output · scale + mean, column by column */
export interface OutputScaling {
  readonly mean: number[];
  readonly scale: number[];
}

/**
 * Wraps a model so that its predictions are in the user's units (for several labels: logits). It shares the variables;
 * only one of the two is disposed.
 */
export function withOutputScaling(model: GnnModel, scaling: OutputScaling | null): GnnModel {
  const last = model.layers.at(-1);
  if (!scaling || !last) return model;
  const scale = (work: () => Tensor2D) =>
    tidy(() => {
      const width: [number, number] = [1, last.outDim];
      return add<Tensor2D>(mul(work(), tensor2d([...scaling.scale], width)), tensor2d([...scaling.mean], width));
    });
  const { projection, applyToMeans } = last;
  const scaled: Layer = {
    ...last,
    forward: (block, x, context) => scale(() => last.forward(block, x, context)),
    ...(applyToMeans && { applyToMeans: (rows) => scale(() => applyToMeans(rows)) }),
    ...(projection && {
      projection: { ...projection, sum: (block, own, rows) => scale(() => projection.sum(block, own, rows)) },
    }),
  };
  return { ...model, layers: [...model.layers.slice(0, -1), scaled], dispose: () => model.dispose() };
}
