import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { Block } from "./block.ts";

type Reverse = Block["reverse"];

/**
 * The edges of a block by src, sorted when they are first read: most edges lie in the first layer's block, and its
 * gradient does not walk them where the layer sums features, nor does inference. Stable, so that sums have one order.
 */
export class ReverseEdges implements Reverse {
  readonly #block: EdgesByDst;
  #sorted: Reverse | null = null;

  constructor(block: EdgesByDst) {
    this.#block = block;
  }

  get indptr(): Int32Array {
    return this.#all().indptr;
  }

  get indices(): Int32Array {
    return this.#all().indices;
  }

  get edges(): Int32Array {
    return this.#all().edges;
  }

  /** What has been sorted so far */
  get arrays(): readonly Int32Array[] {
    return this.#sorted ? [this.#sorted.indptr, this.#sorted.indices, this.#sorted.edges] : [];
  }

  #all(): Reverse {
    if (!this.#sorted) {
      const { numSrc, numDst, indptr, indices } = this.#block;
      this.#sorted = nativeSync(() => loadAddon().reverseEdges([numSrc, numDst, indptr, indices]));
    }
    return this.#sorted;
  }
}

/** A block as samplers make it */
export type EdgesByDst = Omit<Block, "reverse">;

export function withReverse(block: EdgesByDst): Block {
  return { ...block, reverse: new ReverseEdges(block) };
}
