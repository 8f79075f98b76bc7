import type { CscGraph, CscPart } from "../graph/csc-graph.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";

/**
 * The subgraph induced by the training nodes, for inductive training: an edge stays when both its ends are of the
 * training split. All nodes keep their GlobalIds; the others have no edge left.
 *
 * @param split int8 [numNodes], one of `splitCode`
 */
export function inducedByTrainNodes(graph: CscGraph, split: Int8Array): CscGraph {
  const isTrain = (node: number) => split[node] === splitCode.train;
  const parts = graph.parts.map((part) => inducedPart(part, isTrain));
  return { ...graph, numEdges: parts.reduce((sum, { indices }) => sum + indices.length, 0), parts };
}

function inducedPart(
  { firstNode, numNodes, indptr, indices, weights, types }: CscPart,
  isKept: (node: number) => boolean,
) {
  const offsets = int64Words(indptr);
  const keptOffsets = new BigInt64Array(numNodes + 1);
  const into = int64Words(keptOffsets);
  const kept = new Int32Array(indices.length);
  const keptWeights = weights && new Float32Array(weights.length);
  const keptTypes = types && new Int32Array(types.length);
  let end = 0;
  for (let row = 0; row < numNodes; row++) {
    const begin = int64At(offsets, row);
    const stop = int64At(offsets, row + 1);
    for (let i = begin; isKept(firstNode + row) && i < stop; i++) {
      if (!isKept(indices[i] as number)) continue;
      kept[end] = indices[i] as number;
      if (keptWeights && weights) keptWeights[end] = weights[i] as number;
      if (keptTypes && types) keptTypes[end] = types[i] as number;
      end += 1;
    }
    setInt64(into, row + 1, end);
  }
  return {
    firstNode,
    numNodes,
    indptr: keptOffsets,
    indices: kept.slice(0, end),
    weights: keptWeights && keptWeights.slice(0, end),
    ...(keptTypes && { types: keptTypes.slice(0, end) }),
  };
}
