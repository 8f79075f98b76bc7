import { tensorFloats } from "../backends/tensor-floats.ts";
import type { NamedTensorMap, Tensor } from "../backends/tf.ts";
import type { NamedVariable } from "../nn/variables.ts";

/** Number of float32 of all variables together: the length of a flat gradient. */
export function countParameters(variables: readonly NamedVariable[]): number {
  return variables.reduce((sum, { variable }) => sum + variable.size, 0);
}

/**
 * Copies gradients into one flat array in the order of the variables, ready to be summed over ranks. A variable
 * without a gradient gets zeros.
 *
 * @param gradients  as tf.variableGrads returns them, by tfjs variable name
 * @param out        float32, at least `countParameters(variables)` long; what lies behind stays untouched
 */
export function flattenGradients(
  variables: readonly NamedVariable[],
  gradients: NamedTensorMap,
  out: Float32Array,
): void {
  let offset = 0;
  for (const { variable } of variables) {
    const gradient: Tensor | undefined = gradients[variable.name];
    if (gradient) out.set(tensorFloats(gradient), offset);
    else out.fill(0, offset, offset + variable.size);
    offset += variable.size;
  }
}
