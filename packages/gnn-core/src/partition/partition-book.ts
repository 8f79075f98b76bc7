import { GnnError } from "../errors/gnn-error.ts";
import { type IdArray, IdRanges } from "./id-ranges.ts";

/**
 * Who owns which node and which edge: both are numbered part after part, so two short lists of offsets say it all.
 * DGL: RangePartitionBook. Nodes go by GlobalId, edges by their position after relabelling; `node_map.npy` and
 * `edge_map.npy` of the artifact lead back to NodeIndex and EdgeId. A part owns the in-edges of its inner nodes.
 *
 *   nodeOffsets [0, 2, 5]: part 0 owns nodes 0, 1; part 1 owns 2, 3, 4. toLocal([1, 3], 1) = [-1, 1].
 *
 * Every method takes and returns whole typed arrays (int32, or float64 and int64 where ids pass 2^31).
 */
export class PartitionBook {
  readonly numParts: number;
  readonly numNodes: number;
  readonly numEdges: number;
  readonly #nodes: IdRanges;
  readonly #edges: IdRanges;

  /**
   * @param nodeOffsets [numParts + 1], from 0 to numNodes
   * @param edgeOffsets [numParts + 1], from 0 to numEdges
   * @throws GnnError MANIFEST_INVALID when they do not ascend from 0, or speak of other numbers of parts
   */
  constructor(nodeOffsets: readonly number[], edgeOffsets: readonly number[]) {
    this.#nodes = new IdRanges(nodeOffsets, "node");
    this.#edges = new IdRanges(edgeOffsets, "edge");
    if (this.#edges.numParts !== this.#nodes.numParts) {
      const found = `${this.#nodes.numParts} parts of nodes and ${this.#edges.numParts} of edges`;
      throw new GnnError("MANIFEST_INVALID", `The partition has ${found}.`);
    }
    this.numParts = this.#nodes.numParts;
    this.numNodes = this.#nodes.numIds;
    this.numEdges = this.#edges.numIds;
  }

  /** [numParts + 1], from 0 to numNodes */
  get nodeOffsets(): readonly number[] {
    return this.#nodes.offsets;
  }

  /** [numParts + 1], from 0 to numEdges */
  get edgeOffsets(): readonly number[] {
    return this.#edges.offsets;
  }

  /** Range of GlobalIds of one part. @throws GnnError SHAPE_MISMATCH for a part that does not exist */
  partToNodes(part: number): { first: number; count: number } {
    return this.#nodes.rangeOf(part);
  }

  /** Part of every GlobalId, int32 [ids.length]. @throws GnnError SHAPE_MISMATCH for an id outside the graph */
  nodeToPart(globalIds: IdArray): Int32Array {
    return this.#nodes.partsOf(globalIds);
  }

  /** LocalIds of inner nodes of `part`; -1 for nodes that it does not own. */
  toLocal<T extends IdArray>(globalIds: T, part: number): T {
    return this.#nodes.toLocal(globalIds, part);
  }

  /** GlobalIds of inner nodes of `part`. @throws GnnError SHAPE_MISMATCH for a LocalId that is no inner node */
  toGlobal<T extends IdArray>(localIds: T, part: number): T {
    return this.#nodes.toGlobal(localIds, part);
  }

  /** Range of relabelled edges of one part. @throws GnnError SHAPE_MISMATCH for a part that does not exist */
  partToEdges(part: number): { first: number; count: number } {
    return this.#edges.rangeOf(part);
  }

  /**
   * Part of every relabelled edge, which is that of its dst. @throws GnnError SHAPE_MISMATCH for one outside the graph
   */
  edgeToPart(edges: IdArray): Int32Array {
    return this.#edges.partsOf(edges);
  }

  /** Positions among the edges of `part`, which index its edge data; -1 for edges that it does not own. */
  toLocalEdges<T extends IdArray>(edges: T, part: number): T {
    return this.#edges.toLocal(edges, part);
  }

  /** The reverse of `toLocalEdges`. @throws GnnError SHAPE_MISMATCH for a position outside the part */
  toGlobalEdges<T extends IdArray>(localEdges: T, part: number): T {
    return this.#edges.toGlobal(localEdges, part);
  }
}
