import { DeviceBlock } from "../backends/cuda/device-block.ts";
import { loadAddon } from "../backends/native/addon.ts";
import { releasableAlikeRows } from "./alike-rows.ts";
import type { Block } from "./block.ts";
import { releasableRelations } from "./block-relations.ts";
import { ReverseEdges } from "./reverse-edges.ts";

/**
 * Gives the memory of blocks back at once. Left to the garbage collector, several batches would lie beside the one at
 * hand: it does not see how large their arrays are. Nobody may read the blocks afterwards.
 *
 * @param seeds the dst rows of the last block, which stay: they may be part of a longer array
 */
export function releaseBlocks(blocks: readonly Block[], seeds: Int32Array): void {
  const addon = loadAddon();
  for (const block of blocks) if (block instanceof DeviceBlock) block.release();
  for (const array of blocks.filter((block) => !(block instanceof DeviceBlock)).flatMap(arraysOf)) {
    const isWhole = array.byteLength > 0 && array.byteLength === array.buffer.byteLength;
    if (isWhole && array.buffer !== seeds.buffer) addon.freeArray(array);
  }
}

function arraysOf({ indptr, indices, srcIds, weights, importance, srcDegrees, types, reverse }: Block) {
  const sorted = reverse instanceof ReverseEdges ? reverse.arrays : [];
  const all = [
    indptr,
    indices,
    srcIds,
    weights,
    importance?.sum,
    importance?.mean,
    srcDegrees,
    types,
    ...sorted,
    ...releasableRelations(types),
    ...releasableAlikeRows(types),
  ];
  return all.filter((array) => array != null);
}
