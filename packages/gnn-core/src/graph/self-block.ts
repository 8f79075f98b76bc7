import type { Block } from "./block.ts";

/** Each node is its own and only in-neighbour: sums over it are the rows themselves. @param ids GlobalIds, int32 [n] */
export function selfBlock(ids: Int32Array): Block {
  const numNodes = ids.length;
  const offsets = Int32Array.from({ length: numNodes + 1 }, (_, row) => row);
  const rows = offsets.subarray(0, numNodes);
  return {
    device: "cpu",
    numSrc: numNodes,
    numDst: numNodes,
    indptr: offsets,
    indices: rows,
    srcIds: ids,
    weights: null,
    reverse: { indptr: offsets, indices: rows, edges: rows },
  };
}
