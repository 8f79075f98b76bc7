import { add, mul, tensor2d, tidy } from "../backends/tf.ts";
import type { GnnModel, Layer } from "../nn/model.ts";

/** prediction = output · scale + mean, column by column */
export interface OutputScaling {
  readonly mean: number[];
  readonly scale: number[];
}

/** The same model with predictions in the user's units. It shares the variables; only one of the two is disposed. */
export function withOutputScaling(model: GnnModel, scaling: OutputScaling | null): GnnModel {
  const last = model.layers.at(-1);
  if (!scaling || !last) return model;
  const scaled: Layer = {
    ...last,
    forward: (block, x, context) =>
      tidy(() => {
        const width: [number, number] = [1, last.outDim];
        const spread = mul(last.forward(block, x, context), tensor2d([...scaling.scale], width));
        return add(spread, tensor2d([...scaling.mean], width));
      }),
  };
  return { ...model, layers: [...model.layers.slice(0, -1), scaled], dispose: () => model.dispose() };
}
