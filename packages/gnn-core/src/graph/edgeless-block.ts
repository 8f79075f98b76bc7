import type { Block } from "./block.ts";

/** The block of a model that ignores edges: every src row is a dst row and receives nothing. */
export function edgelessBlock(ids: Int32Array): Block {
  const numNodes = ids.length;
  const indptr = new Int32Array(numNodes + 1);
  const none = new Int32Array();
  return {
    device: "cpu",
    numSrc: numNodes,
    numDst: numNodes,
    indptr,
    indices: none,
    srcIds: ids,
    weights: null,
    reverse: { indptr, indices: none, edges: none },
  };
}
