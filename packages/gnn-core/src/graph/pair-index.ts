import type { KnownPairs } from "../links/known-pairs.ts";
import type { NodePairs } from "../links/node-pairs.ts";
import { cscFromCoo } from "./csc-from-coo.ts";

/**
 * Which pairs there are, whatever their relations: the targets of every node, ascending, each once. 8 bytes per node
 * and 4 per pair, twice that of an undirected graph, whose pairs stand with both ends.
 */
export class PairIndex implements KnownPairs {
  readonly numNodes: number;
  /** Distinct pairs; of an undirected graph both orders count, a pair of a node with itself once */
  readonly numEntries: number;
  readonly #offsets: Float64Array;
  readonly #targets: Int32Array;

  private constructor(numNodes: number, offsets: Float64Array, targets: Int32Array) {
    this.numNodes = numNodes;
    this.numEntries = targets.length;
    this.#offsets = offsets;
    this.#targets = targets;
  }

  /** @throws GnnError DATASET_NODE_UNKNOWN when an id is outside the graph */
  static async of({ src, dst }: NodePairs, numNodes: number, directed: boolean): Promise<PairIndex> {
    // Columns of the sorted form are sources here, for it is targets that are looked for.
    const sorted = await cscFromCoo(dst, src, numNodes, { duplicates: "drop", bothDirections: !directed });
    return new PairIndex(numNodes, Float64Array.from(sorted.indptr, Number), sorted.indices);
  }

  /** The targets of a node, ascending; a view. */
  targetsOf(src: number): Int32Array {
    return this.#targets.subarray(this.#offsets[src], this.#offsets[src + 1]);
  }

  degreesIn(): Int32Array {
    const degrees = new Int32Array(this.numNodes);
    for (const dst of this.#targets) degrees[dst]! += 1;
    return degrees;
  }

  has(src: number, dst: number): boolean {
    let low = this.#offsets[src] as number;
    let high = this.#offsets[src + 1] as number;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#targets[middle] as number) < dst) low = middle + 1;
      else high = middle;
    }
    return low < (this.#offsets[src + 1] as number) && this.#targets[low] === dst;
  }
}
