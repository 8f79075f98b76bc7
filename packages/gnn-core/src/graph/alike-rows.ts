import { loadAddon } from "../backends/native/addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { EdgesByRelation } from "../backends/native/relation-addon.ts";
import type { AlikeLists } from "../backends/native/typed-addon.ts";
import type { Block } from "./block.ts";
import { relationTypes } from "./relation-types.ts";

/** The dst rows of a block, those of one type with edges of the same relations beside each other. */
export interface AlikeRows {
  readonly numDst: number;
  readonly numSrc: number;
  readonly numTypes: number;
  readonly lists: AlikeLists;
  /** The edges by relation, of rows in that order, as kernels take them */
  readonly edges: EdgesByRelation;
}

export interface RowKinds {
  readonly numRelations: number;
  readonly numTypes: number;
  /** Type of every dst row, int32 [numDst]; null where there is one */
  readonly rowTypes: Int32Array | null;
}

/** By the array of types of edges, which copies of a block share. */
const known = new WeakMap<Int32Array, AlikeRows>();

/** @throws GnnError SHAPE_MISMATCH when the block does not say of which relation its edges are */
export function alikeRowsOf(block: Block, { numRelations, numTypes, rowTypes }: RowKinds): AlikeRows {
  const types = relationTypes(block);
  const found = known.get(types);
  if (found && found.edges[3] === numRelations && found.numTypes === numTypes) return found;
  const { numSrc, numDst, indptr, indices } = block;
  const lists = nativeSync(() =>
    loadAddon().alikeRows([numSrc, numDst, indptr, indices], numRelations, types, numTypes, rowTypes ?? noTypes),
  );
  const { relations, rows, indptr: offsets, entries } = lists;
  const edges = [
    numSrc,
    numDst,
    types.length,
    numRelations,
    rows.length,
    relations,
    rows,
    offsets,
    entries,
  ] satisfies EdgesByRelation;
  const made = { numDst, numSrc, numTypes, lists, edges };
  known.set(types, made);
  return made;
}

const noTypes = new Int32Array(0);

/** Arrays that belong to a block whose types of edges these are. */
export function releasableAlikeRows(types: Int32Array | undefined): readonly Int32Array[] {
  const lists = types && known.get(types)?.lists;
  return lists ? Object.values<Int32Array>({ ...lists }) : [];
}
