import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import type { Ceilings } from "./ceilings.ts";

export interface Work {
  readonly gflop: number;
  readonly gigabytes: number;
}

const cacheLine = 64;

/**
 * The least that a GraphSAGE step must do on these blocks: each layer's two products forward, two for the weights'
 * gradients and, but for the first layer, two for its input's, on dst rows only; each array moved once per pass that
 * needs it. Caches larger than an array are not credited.
 */
export function sageWork(blocks: readonly Block[], dims: readonly (readonly [number, number])[]): Work {
  let [flop, bytes] = [0, 0];
  for (const [layer, { numSrc, numDst, indices }] of blocks.entries()) {
    const [inDim, outDim] = dims[layer] as readonly [number, number];
    flop += 2 * 2 * numDst * inDim * outDim * (layer === 0 ? 2 : 3);
    // Features: read. Mean: written, read forward and backward. Own rows: read in both.
    const input = numSrc * inDim + 5 * numDst * inDim;
    // Output: written, read as mask. Its gradient: written, read.
    const output = 4 * numDst * outDim;
    bytes += 4 * (input + output) + indices.length * cacheLine;
  }
  return { gflop: flop / 1e9, gigabytes: bytes / 1e9 };
}

/** CPU seconds of that work when nothing but the ceilings holds it up. */
export function floorSeconds({ gflop, gigabytes }: Work, { sgemmGflops, copyGBs }: Ceilings): number {
  return gflop / sgemmGflops + gigabytes / copyGBs;
}
