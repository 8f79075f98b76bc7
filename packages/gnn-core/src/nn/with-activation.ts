import { type Tensor2D, tidy } from "../backends/tf.ts";
import { activate } from "./activate.ts";
import type { Activation } from "./activations.ts";
import type { GnnModel, Layer } from "./model.ts";

/**
 * Wraps a model so that an activation follows its last layer. It shares the variables; only one of the two is disposed.
 */
export function withActivation(model: GnnModel, activation: Activation): GnnModel {
  const last = model.layers.at(-1);
  if (activation === "none" || !last) return model;
  const after = (work: () => Tensor2D) => tidy(() => activate(work(), activation));
  const { keepsSigns: _, dropsInPlace: _inPlace, batchNorm: _cut, applyToMeans, projection, ...rest } = last;
  const activated: Layer = {
    ...rest,
    forward: (block, x, context) => after(() => last.forward(block, x, context)),
    ...(applyToMeans && { applyToMeans: (rows) => after(() => applyToMeans(rows)) }),
    ...(projection && {
      projection: { ...projection, sum: (block, own, rows) => after(() => projection.sum(block, own, rows)) },
    }),
  };
  return {
    ...model,
    layers: [...model.layers.slice(0, -1), activated],
    ...(model.forward && {
      forward: (blocks, x, context) =>
        after(() => (model.forward as NonNullable<GnnModel["forward"]>)(blocks, x, context)),
    }),
    dispose: () => model.dispose(),
  };
}
