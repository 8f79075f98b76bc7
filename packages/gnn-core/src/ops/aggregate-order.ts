import { numEdgesOf } from "../backends/block-edges.ts";
import type { Block } from "../graph/block.ts";

// Moving one float of a gathered row costs about as much as this many floating-point operations of sgemm.
const flopsPerGatheredFloat = 32;

/** mean(x)·W = mean(x·W): aggregate rows of inDim first, or project every src row and aggregate rows of outDim? */
export function aggregatesFirst(block: Block, inDim: number, outDim: number): boolean {
  const gathered = numEdgesOf(block) * flopsPerGatheredFloat;
  const projected = 2 * inDim * outDim;
  return gathered * inDim + block.numDst * projected <= gathered * outDim + block.numSrc * projected;
}
