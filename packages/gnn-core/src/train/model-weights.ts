import { tensor } from "../backends/tf.ts";
import { GnnError } from "../errors/gnn-error.ts";
import type { NamedTensor } from "../io/safetensors.ts";
import type { GnnModel } from "../nn/model.ts";

/** Copies of all variables of a model and of its buffers, in their order. */
export function copyWeights(model: GnnModel): readonly NamedTensor[] {
  return stored(model).map(({ name, variable }) => ({
    name,
    shape: variable.shape,
    values: variable.dataSync<"float32">().slice(),
  }));
}

/** Names and shapes of all that is stored of a model, in its order. */
export function shapesOfWeights(model: Stored): { name: string; shape: number[] }[] {
  return stored(model).map(({ name, variable }) => ({ name, shape: [...variable.shape] }));
}

/**
 * Sets every variable of a model, and its buffers.
 *
 * @throws GnnError CHECKPOINT_INVALID naming the first variable that is missing or has another shape
 */
export function assignWeights(model: Stored, weights: Iterable<NamedTensor>): void {
  const byName = new Map(Array.from(weights, (weight) => [weight.name, weight]));
  for (const { name, variable } of stored(model)) {
    const weight = byName.get(name);
    if (weight?.shape.join() !== variable.shape.join()) {
      const found = weight ? `has shape [${weight.shape.join(", ")}]` : "is missing";
      throw new GnnError("CHECKPOINT_INVALID", `${name} ${found}; the model expects [${variable.shape.join(", ")}].`);
    }
    // A copy: the optimizer updates the variable's memory in place.
    const value = tensor(weight.values.slice(), variable.shape, "float32");
    variable.assign(value);
    value.dispose();
  }
}

type Stored = Pick<GnnModel, "variables" | "buffers">;

const stored = ({ variables, buffers = [] }: Stored) => [...variables, ...buffers];
