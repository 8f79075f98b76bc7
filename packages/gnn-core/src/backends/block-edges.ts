import type { Block } from "../graph/block.ts";

/** How many edges a block has, without a look at them: they may lie on a device. */
export function numEdgesOf(block: Pick<Block, "numEdges" | "indices">): number {
  return block.numEdges ?? block.indices.length;
}
