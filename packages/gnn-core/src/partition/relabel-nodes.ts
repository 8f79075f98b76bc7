import { GnnError } from "../errors/gnn-error.ts";

export interface Relabelling {
  /** nodeMap[globalId] = NodeIndex, int32 [numNodes] */
  readonly nodeMap: Int32Array;
  /** globalIds[nodeIndex] = GlobalId: the inverse */
  readonly globalIds: Int32Array;
  /** Part p owns the GlobalIds [nodeOffsets[p], nodeOffsets[p + 1]) */
  readonly nodeOffsets: readonly number[];
}

/**
 * Numbers the nodes part after part, inside a part by NodeIndex.
 *
 * Parts of nodes 0…3 are 1, 0, 1, 0: nodeMap [1, 3, 0, 2], globalIds [2, 0, 3, 1], nodeOffsets [0, 2, 4].
 *
 * @throws GnnError PARTITION_FAILED when a part lies outside [0, numParts)
 */
export function relabelNodes(assignment: Int32Array, numParts: number): Relabelling {
  const counts = new Float64Array(numParts + 1);
  for (let node = 0; node < assignment.length; node++) {
    const part = assignment[node]!;
    if (part < 0 || part >= numParts) {
      throw new GnnError("PARTITION_FAILED", `Node ${node} was put into part ${part}; there are ${numParts} parts.`);
    }
    counts[part + 1]! += 1;
  }
  for (let part = 0; part < numParts; part++) counts[part + 1]! += counts[part]!;
  const nodeOffsets = [...counts];
  const nodeMap = new Int32Array(assignment.length);
  const globalIds = new Int32Array(assignment.length);
  for (let node = 0; node < assignment.length; node++) {
    const globalId = counts[assignment[node]!]!++;
    nodeMap[globalId] = node;
    globalIds[node] = globalId;
  }
  return { nodeMap, globalIds, nodeOffsets };
}
