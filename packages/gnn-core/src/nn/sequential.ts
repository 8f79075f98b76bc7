import type { ParametricLayer } from "./index.ts";
import type { GnnModel, ModelTraits } from "./model.ts";

/** A model of these layers in order; disposing it disposes them. */
export function sequential(
  layers: readonly ParametricLayer[],
  { usesNeighbors, usesDegrees = false, walksRelations = false }: ModelTraits,
): GnnModel {
  return {
    layers,
    variables: layers.flatMap((layer) => layer.variables),
    buffers: layers.flatMap((layer) => layer.buffers ?? []),
    usesNeighbors,
    usesDegrees,
    walksRelations,
    dispose: () => {
      for (const layer of layers) layer.dispose();
    },
  };
}
