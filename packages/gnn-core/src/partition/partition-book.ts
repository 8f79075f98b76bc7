import { GnnError } from "../errors/gnn-error.ts";

/**
 * Who owns which node: GlobalIds are contiguous per part, so ranges say it all. DGL: RangePartitionBook.
 * LocalId of an inner node = GlobalId − first GlobalId of its part.
 */
export class PartitionBook {
  readonly numParts: number;
  readonly numNodes: number;
  /** [numParts + 1], from 0 to numNodes */
  readonly nodeOffsets: readonly number[];

  /** @throws GnnError MANIFEST_INVALID when the offsets do not ascend from 0 */
  constructor(nodeOffsets: readonly number[]) {
    const ascends = nodeOffsets.every((offset, i) => (i === 0 ? offset === 0 : offset >= nodeOffsets[i - 1]!));
    if (nodeOffsets.length < 2 || !ascends) {
      throw new GnnError("MANIFEST_INVALID", `Node offsets [${nodeOffsets.join(", ")}] do not ascend from 0.`);
    }
    this.nodeOffsets = nodeOffsets;
    this.numParts = nodeOffsets.length - 1;
    this.numNodes = nodeOffsets.at(-1)!;
  }

  /** Range of GlobalIds of one part: `first` and `count`. */
  partToNodes(part: number): { first: number; count: number } {
    const first = this.nodeOffsets[part];
    const end = this.nodeOffsets[part + 1];
    if (first === undefined || end === undefined) {
      throw new GnnError("SHAPE_MISMATCH", `There is no part ${part}; there are ${this.numParts}.`);
    }
    return { first, count: end - first };
  }

  /** Part of every GlobalId, int32 [ids.length]. @throws GnnError SHAPE_MISMATCH for an id outside the graph */
  nodeToPart(globalIds: Int32Array): Int32Array {
    return globalIds.map((globalId) => this.#partOf(globalId));
  }

  /** LocalIds of inner nodes of `part`; -1 for nodes that it does not own. */
  toLocal(globalIds: Int32Array, part: number): Int32Array {
    const { first, count } = this.partToNodes(part);
    return globalIds.map((globalId) => (globalId >= first && globalId < first + count ? globalId - first : -1));
  }

  /** GlobalIds of inner nodes of `part`. @throws GnnError SHAPE_MISMATCH for a LocalId that is no inner node */
  toGlobal(localIds: Int32Array, part: number): Int32Array {
    const { first, count } = this.partToNodes(part);
    return localIds.map((localId) => {
      if (localId >= 0 && localId < count) return first + localId;
      throw new GnnError("SHAPE_MISMATCH", `Part ${part} has no inner node ${localId}; it owns ${count}.`);
    });
  }

  /** The last part that begins at or before the id; empty parts begin where the next one does. */
  #partOf(globalId: number): number {
    if (globalId < 0 || globalId >= this.numNodes) {
      throw new GnnError("SHAPE_MISMATCH", `Node ${globalId} is not among the ${this.numNodes} nodes.`);
    }
    let low = 0;
    let high = this.numParts - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.nodeOffsets[middle]! <= globalId) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
