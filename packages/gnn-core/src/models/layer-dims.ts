import type { ModelShape } from "../nn/model.ts";

/** [inDim, outDim] of each layer: in → hidden → … → hidden → out. */
export function layerDims(
  { inDim, outDim }: Pick<ModelShape, "inDim" | "outDim">,
  hiddenFeats: number,
  numLayers: number,
): readonly (readonly [number, number])[] {
  return Array.from({ length: numLayers }, (_, i) => [
    i === 0 ? inDim : hiddenFeats,
    i === numLayers - 1 ? outDim : hiddenFeats,
  ]);
}
