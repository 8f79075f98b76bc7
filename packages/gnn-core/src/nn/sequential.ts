import type { ParametricLayer } from "./index.ts";
import type { GnnModel } from "./model.ts";

/** A model of these layers in order; disposing it disposes them. */
export function sequential(
  layers: readonly ParametricLayer[],
  { usesNeighbors, usesDegrees = false }: { readonly usesNeighbors: boolean; readonly usesDegrees?: boolean },
): GnnModel {
  return {
    layers,
    variables: layers.flatMap((layer) => layer.variables),
    buffers: layers.flatMap((layer) => layer.buffers ?? []),
    usesNeighbors,
    usesDegrees,
    dispose: () => {
      for (const layer of layers) layer.dispose();
    },
  };
}
