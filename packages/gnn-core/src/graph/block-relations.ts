import { loadAddon } from "../backends/native/addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import type { EdgesByRelation } from "../backends/native/relation-addon.ts";
import type { RelationLists } from "../backends/native/relation-lists-addon.ts";
import type { Block } from "./block.ts";
import { relationTypes } from "./relation-types.ts";

/** By the array of types, which copies of a block share. */
const known = new WeakMap<Int32Array, BlockRelations>();

/**
 * The edges of a block by relation, sorted when they are first read: lists of one relation into, or out of, one row.
 * Equal edges keep the block's order, so that sums have one order.
 */
export class BlockRelations {
  readonly numRelations: number;
  readonly #block: Block & { readonly types: Int32Array };
  #byDst: RelationLists | null = null;
  #bySrc: RelationLists | null = null;

  constructor(block: Block & { readonly types: Int32Array }, numRelations: number) {
    this.#block = block;
    this.numRelations = numRelations;
  }

  /** How the native kernels take the edges by dst. */
  get byDst(): EdgesByRelation {
    const { numSrc, numDst, indptr, indices, types } = this.#block;
    this.#byDst ??= nativeSync(() =>
      loadAddon().relationsByDst([numSrc, numDst, indptr, indices], this.numRelations, types),
    );
    const { relations, rows, indptr: offsets, entries } = this.#byDst;
    return [numSrc, numDst, types.length, this.numRelations, rows.length, relations, rows, offsets, entries];
  }

  get bySrc(): RelationLists {
    this.#bySrc ??= nativeSync(() => loadAddon().relationsBySrc(...this.byDst));
    return this.#bySrc;
  }

  /** Sorts them off the JavaScript thread, so that nobody who reads them later waits for it. */
  async sortAhead(): Promise<void> {
    if (this.#byDst && this.#bySrc) return;
    const { numSrc, numDst, indptr, indices, types } = this.#block;
    const { byDst, bySrc } = await native(() =>
      loadAddon().sortRelations([numSrc, numDst, indptr, indices], this.numRelations, types),
    );
    this.#byDst ??= byDst;
    this.#bySrc ??= bySrc;
  }

  /** What has been sorted so far */
  get arrays(): readonly Int32Array[] {
    return [this.#byDst, this.#bySrc].flatMap((lists) => (lists ? Object.values<Int32Array>({ ...lists }) : []));
  }
}

/**
 * @param numRelations of the graph
 * @throws GnnError SHAPE_MISMATCH when the block does not say of which relation its edges are
 */
export function relationsOf(block: Block, numRelations: number): BlockRelations {
  const types = relationTypes(block);
  const found = known.get(types);
  if (found?.numRelations === numRelations) return found;
  const made = new BlockRelations({ ...block, types }, numRelations);
  known.set(types, made);
  return made;
}

/** Arrays that belong to a block whose types these are. */
export function releasableRelations(types: Int32Array | undefined): readonly Int32Array[] {
  return (types && known.get(types)?.arrays) ?? [];
}
