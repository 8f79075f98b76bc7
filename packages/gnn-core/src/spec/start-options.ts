import { z } from "zod";

export const startLayers = z
  .enum(["all", "hidden"])
  .describe(
    "all: every weight is taken over; hidden: all but those of the outputs, which begin anew, for other classes",
  );
export type StartLayers = z.infer<typeof startLayers>;

/** Beginnings of names: a layer of many weights, or one weight. */
export const frozenWeights = z
  .array(z.string().min(1).max(200))
  .max(1000)
  .describe(
    "Layers or single weights that stay as they are, by their names on the model's card: layers.0, layers.1.bias",
  );

/** Whether a weight is what `entry` names, or belongs to the layer of this name. */
export function isNamedBy(entry: string, weight: string): boolean {
  return weight === entry || weight.startsWith(`${entry}.`);
}
