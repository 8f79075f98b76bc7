import type { Block } from "../graph/block.ts";

/**
 * How many edges a block has, without a look at them: they may lie on a device. It is here and not beside `Block`, as
 * kernels call it, and the graph's own code is built on them.
 */
export function numEdgesOf(block: Pick<Block, "numEdges" | "indices">): number {
  return block.numEdges ?? block.indices.length;
}
