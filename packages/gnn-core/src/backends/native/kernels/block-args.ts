import type { Block } from "../../../graph/block.ts";
import type { NativeBlock, ReversibleBlock } from "../sparse-addon.ts";

/** The block as kernels take it. */
export function nativeBlock(block: Block): NativeBlock {
  return [block.numSrc, block.numDst, block.indptr, block.indices];
}

/** The block as the kernels of gradients take it that walk its edges by src. */
export function reversibleBlock(block: Block): ReversibleBlock {
  return [...nativeBlock(block), block.reverse.indptr, block.reverse.indices];
}
