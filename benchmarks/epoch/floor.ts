import type { Block } from "../../packages/gnn-core/src/graph/block.ts";
import type { ModelName } from "./benchmark-model.ts";
import type { Ceilings } from "./ceilings.ts";

export interface Work {
  readonly gflop: number;
  readonly gigabytes: number;
}

const cacheLine = 64;

/**
 * The least that a step must do on these blocks: each product forward, one more for the weight's gradient and, but for
 * the first layer, one for its input's; each array moved once per pass that needs it. SAGE has two products per layer,
 * on dst rows; GCN one on dst rows; GAT one on src rows, whose results its edges read in both directions. Caches larger
 * than an array are not credited.
 */
export function stepWork(
  model: ModelName,
  blocks: readonly Block[],
  dims: readonly (readonly [number, number])[],
): Work {
  let flop = 0;
  let bytes = 0;
  for (const [layer, { numSrc, numDst, indices }] of blocks.entries()) {
    const [inDim, outDim] = dims[layer] as readonly [number, number];
    const rows = model === "gat" ? numSrc : numDst;
    const products = model === "sage" ? 2 : 1;
    flop += 2 * products * rows * inDim * outDim * (layer === 0 ? 2 : 3);
    // Features: read. SAGE and GCN: the sum written, read forward and backward; own rows read in both.
    const input = numSrc * inDim + (model === "gat" ? numSrc * (inDim + 4 * outDim) : 5 * numDst * inDim);
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
