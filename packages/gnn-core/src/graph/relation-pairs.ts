import { GnnError } from "../errors/gnn-error.ts";
import type { Block } from "./block.ts";
import { relationTypes } from "./relation-types.ts";
import { withReverse } from "./reverse-edges.ts";

/** The rows of a block once for each relation that they have edges of, and the edges between these. */
export interface RelationPairs {
  /** From src rows to pairs (src row, relation): row p has one in-edge, from its src row, of its relation */
  readonly sending: Block & { readonly types: Int32Array };
  /** From src rows to pairs (dst row, relation): row q has one in-edge, from its dst row, of its relation */
  readonly receiving: Block & { readonly types: Int32Array };
  /** The block's edges in their order, from sending pairs to receiving pairs: a dst row apart for each relation */
  readonly byRelation: Block;
  /** The block's edges in their order, from sending pairs to the block's dst rows */
  readonly together: Block;
}

const known = new WeakMap<Int32Array, RelationPairs>();

/**
 * @returns the pairs of a block, none of which is without an edge
 * @throws GnnError SHAPE_MISMATCH when the block does not say of which relation its edges are, or not in their order
 */
export function relationPairs(block: Block): RelationPairs {
  const types = relationTypes(block);
  const found = known.get(types);
  if (found) return found;
  const { numSrc, numDst, indptr } = block;
  const sent = sendingPairs(block, types);
  const received = receivingPairs(block, types);
  const [numSending, numReceiving] = [sent.relations.length, received.relations.length];
  const edges = { ...block, numSrc: numSending, indices: sent.ofEdges };
  const pairs: RelationPairs = {
    sending: { ...pairBlock(block, numSrc, sent.rows), types: sent.relations },
    receiving: { ...pairBlock(block, numSrc, received.rows), types: received.relations },
    byRelation: edgeBlock(edges, numReceiving, received.indptr),
    together: edgeBlock(edges, numDst, indptr),
  };
  known.set(types, pairs);
  return pairs;
}

/** The block in which dst row i has one in-edge, from src row `indices[i]`. */
export function pairBlock({ device, srcIds }: Block, numSrc: number, indices: Int32Array): Block {
  const indptr = Int32Array.from({ length: indices.length + 1 }, (_, row) => row);
  return withReverse({ device, numSrc, numDst: indices.length, indptr, indices, srcIds, weights: null });
}

function edgeBlock({ device, numSrc, indices, srcIds }: Block, numDst: number, indptr: Int32Array): Block {
  return withReverse({ device, numSrc, numDst, indptr, indices, srcIds, weights: null });
}

/** Src row after src row, the relations of each as its out-edges first show them. */
function sendingPairs({ numSrc, reverse }: Block, types: Int32Array) {
  const { indptr, edges } = reverse;
  const [rows, relations]: [number[], number[]] = [[], []];
  const ofEdges = new Int32Array(types.length);
  const pairOf = new Map<number, number>();
  for (let u = 0; u < numSrc; u++) {
    pairOf.clear();
    for (let i = indptr[u] as number; i < (indptr[u + 1] as number); i++) {
      const edge = edges[i] as number;
      const relation = types[edge] as number;
      let pair = pairOf.get(relation);
      if (pair === undefined) {
        pair = rows.length;
        pairOf.set(relation, pair);
        rows.push(u);
        relations.push(relation);
      }
      ofEdges[edge] = pair;
    }
  }
  return { rows: Int32Array.from(rows), relations: Int32Array.from(relations), ofEdges };
}

/** Dst row after dst row; the edges of each lie by relation, so that those of a pair are a slice. */
function receivingPairs({ numDst, indptr }: Block, types: Int32Array) {
  const [rows, relations, begins]: [number[], number[], number[]] = [[], [], []];
  for (let v = 0; v < numDst; v++) {
    const first = indptr[v] as number;
    for (let edge = first; edge < (indptr[v + 1] as number); edge++) {
      const relation = types[edge] as number;
      const before = edge === first ? -1 : (types[edge - 1] as number);
      if (relation < before) throw notAscending(edge, relation, before, v);
      if (relation === before) continue;
      rows.push(v);
      relations.push(relation);
      begins.push(edge);
    }
  }
  begins.push(types.length);
  return { rows: Int32Array.from(rows), relations: Int32Array.from(relations), indptr: Int32Array.from(begins) };
}

function notAscending(edge: number, relation: number, before: number, dst: number): GnnError {
  const message = `Edge ${edge} is of relation ${relation}, behind one of relation ${before}; expected relations ascending within dst row ${dst}.`;
  return new GnnError("SHAPE_MISMATCH", message);
}
