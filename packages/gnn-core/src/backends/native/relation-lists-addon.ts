import type { EdgesByRelation } from "./relation-addon.ts";
import type { NativeBlock } from "./sparse-addon.ts";

/** Edges by relation as the addon makes them (native/include/gnn/sparse/relation_segments.h). */
export interface RelationLists {
  /** int32 [numRelations + 1] */
  readonly relations: Int32Array;
  /** int32 [segments] */
  readonly rows: Int32Array;
  /** int32 [segments + 1] */
  readonly indptr: Int32Array;
  /** int32 [numEdges] */
  readonly entries: Int32Array;
}

/** Sorts the edges of blocks by relation, on the processor (native/binding/relation_lists_binding.cc). */
export interface RelationListsAddon {
  relationsByDst(block: NativeBlock, numRelations: number, types: Int32Array): RelationLists;
  relationsBySrc(...edges: EdgesByRelation): RelationLists;
  /** Both, on libuv's pool; the arrays stay as they are until then. */
  sortRelations(
    block: NativeBlock,
    numRelations: number,
    types: Int32Array,
  ): Promise<{ readonly byDst: RelationLists; readonly bySrc: RelationLists }>;
}
