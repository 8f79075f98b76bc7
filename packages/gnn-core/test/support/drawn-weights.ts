import { tensor, tidy } from "../../src/backends/tf.ts";
import type { GnnModel } from "../../src/nn/model.ts";
import { randomFloats } from "./seeded-random.ts";

/**
 * Draws every weight of a model, those too that begin with zeros or ones, so that each shows whether it is read.
 *
 * @returns the weights by name
 */
export function drawWeights(model: GnnModel): Readonly<Record<string, Float32Array>> {
  for (const [i, { variable }] of model.variables.entries())
    tidy(() => variable.assign(tensor(randomFloats(variable.size, i), variable.shape)));
  return Object.fromEntries(
    model.variables.map(({ name, variable }) => [name, variable.dataSync<"float32">().slice()]),
  );
}
