import { GnnError } from "../errors/gnn-error.ts";
import type { ModelGraph, ModelShape } from "../nn/model.ts";

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
