import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "./block.ts";
import { relationTypes } from "./relation-types.ts";

const known = new WeakMap<Int32Array, { readonly numRelations: number; readonly block: Block }>();

/**
 * The block in which the edges of each relation into a dst row have a row of their own: row v · numRelations + r has
 * those of relation r into v, all in the order that they have in the block.
 *
 * @throws GnnError SHAPE_MISMATCH when the block does not say of which relation its edges are, or not in their order
 */
export function relationRows(block: Block, numRelations: number): Block {
  const { device, numSrc, numDst, indptr, indices, srcIds } = block;
  const types = relationTypes(block);
  const found = known.get(types);
  if (found && found.numRelations === numRelations) return found.block;
  const ends = new Int32Array(numDst * numRelations + 1);
  for (let v = 0; v < numDst; v++) {
    let edge = indptr[v] as number;
    for (let r = 0; r < numRelations; r++) {
      while (edge < (indptr[v + 1] as number) && types[edge] === r) edge++;
      ends[v * numRelations + r + 1] = edge;
    }
    if (edge !== indptr[v + 1])
      throw new GnnError(
        "SHAPE_MISMATCH",
        `Edge ${edge} is of relation ${types[edge]}; expected relations below ${numRelations}, ascending within dst row ${v}.`,
      );
  }
  const rows: Block = {
    device,
    numSrc,
    numDst: numDst * numRelations,
    indptr: ends,
    indices,
    srcIds,
    weights: null,
    get reverse() {
      reverse ??= reverseOf(block, numRelations, types);
      return reverse;
    },
  };
  let reverse: Block["reverse"] | null = null;
  known.set(types, { numRelations, block: rows });
  return rows;
}

/** The edges by src in the order of the block's own, with the rows of their relations. */
function reverseOf({ reverse }: Block, numRelations: number, types: Int32Array): Block["reverse"] {
  const { indptr, indices, edges } = reverse;
  const rows = indices.map((v, i) => v * numRelations + (types[edges[i] as number] as number));
  return { indptr, edges, indices: rows };
}
