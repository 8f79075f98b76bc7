import { GnnError } from "../errors/gnn-error.ts";
import type { Nn, ParametricLayer } from "../nn/index.ts";
import type { ModelGraph, ModelShape } from "../nn/model.ts";
import { type StackOptions, stackUsesDropout } from "./stacked-layers.ts";

/** What the catalogue says of every stack of layers that tell relations apart. */
export const relationModel = {
  numHops: ({ numLayers }: StackOptions) => numLayers,
  hiddenFeats: ({ hiddenFeats }: StackOptions) => hiddenFeats,
  usesDropout: stackUsesDropout,
  readsEdgeWeights: () => false,
  readsEdgeTypes: () => true,
  projectsTypes: true,
};

/** @throws GnnError SPEC_INVALID for a graph whose edges are all alike */
export function relationsOfShape(model: string, { numRelations = 0 }: ModelShape): number {
  if (numRelations > 0) return numRelations;
  const pointer = "/model/type";
  const message = `${pointer}: ${model} learns weights for each type of edge, and the graph has no edge types. Map a column of the edges to their type, or choose a model for edges that are all alike, such as sage.`;
  throw new GnnError("SPEC_INVALID", message, { place: { pointer } });
}

/** Types of the nodes where there are several */
export function ownTypes(
  { numNodeTypes = 1 }: ModelShape,
  graph: ModelGraph | undefined,
): { readonly numTypes: number; readonly types: Int32Array } | null {
  return numNodeTypes > 1 && graph?.nodeTypes ? { numTypes: numNodeTypes, types: graph.nodeTypes } : null;
}

/** Parameters by which a layer reads the node's own row: a weight and a bias of each type of node. */
export function ownParameters(
  { norm }: StackOptions,
  { numNodeTypes = 1 }: ModelShape,
  { inDim, outDim, isLast }: { readonly inDim: number; readonly outDim: number; readonly isLast: boolean },
): number {
  // Batch normalisation takes off what all rows have in common, so biases of several types stay.
  const keptBias = norm === "batch" && numNodeTypes > 1 && !isLast ? outDim : 0;
  return numNodeTypes * (inDim + 1) * outDim + keptBias;
}

/**
 * The shape that the layers of a model have behind the projection of typed features: rows as wide as hidden ones. Where
 * all types have the same columns, the shape itself.
 */
export function projectedShape(shape: ModelShape, hiddenFeats: number): ModelShape {
  return shape.numLearnedRows === undefined ? shape : { ...shape, inDim: hiddenFeats };
}

/** Parameters of that projection: a weight of each column, a bias of each type, and the learned rows */
export function projectionParameters(
  { inDim, numNodeTypes = 1, numLearnedRows }: ModelShape,
  hiddenFeats: number,
): number {
  return numLearnedRows === undefined ? 0 : (inDim + numNodeTypes + numLearnedRows) * hiddenFeats;
}

/** The layers, the first of them behind the projection where types have columns of their own. */
export function behindTypedInput(
  layers: readonly ParametricLayer[],
  { inDim, seed }: ModelShape,
  hiddenFeats: number,
  graph: ModelGraph | undefined,
  nn: Nn,
): readonly ParametricLayer[] {
  const [first, ...others] = layers;
  if (!graph?.typedInput || !first) return layers;
  return [nn.withTypedInput({ inDim, outDim: hiddenFeats, seed, input: graph.typedInput }, first), ...others];
}
