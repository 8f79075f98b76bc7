import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "./block.ts";

/**
 * The relation of every edge of a block, int32 [numEdges].
 *
 * @throws GnnError SHAPE_MISMATCH when the block does not say of which relation its edges are
 */
export function relationTypes({ types }: Block): Int32Array {
  if (types) return types;
  throw new GnnError(
    "SHAPE_MISMATCH",
    "The block does not say of which relation its edges are; draw it from a graph with edge types, by a sampler that keeps them.",
  );
}
