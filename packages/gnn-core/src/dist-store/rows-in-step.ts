import type { CudaBackend } from "../backends/cuda/cuda-backend.ts";
import { fill, type Rank, type Tensor2D } from "../backends/tf.ts";
import type { PeerTensors } from "../dist/peer-tensors.ts";
import type { Block } from "../graph/block.ts";
import { gatherRows } from "../ops/gather-rows.ts";
import { weightedSpmm } from "../ops/weighted-spmm.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import { distinctRows } from "./distinct-rows.ts";
import { joined } from "./join-arrays.ts";

/** Which rows of a table a step reads and updates. */
export interface RowsInStep {
  /** @param table float32 [count, dim], this rank's rows. @returns the rows that it named, in their order */
  read(table: Tensor2D): Tensor2D;
  /**
   * What the step's gradient is of this rank's rows, each once.
   *
   * @param gradient float32 [named, dim] of the rows that this rank named; null: it has none
   * @returns null: no row of this rank has one
   */
  gradientOf(gradient: Tensor2D | null): { readonly rows: Int32Array; readonly gradient: Tensor2D } | null;
}

/** The rows of a rank that has all of them. */
export function rowsOfOneRank(named: Int32Array, scratch: Int32Array): RowsInStep {
  return {
    read: (table) => gatherRows(table, named),
    gradientOf: (gradient) => {
      if (!gradient) return null;
      const { ids, sums } = distinctRows(named, scratch);
      return { rows: ids, gradient: addedUp(sums, gradient) };
    },
  };
}

interface Joined {
  /** int32 [numRows of all ranks], all −1: memory to look places up in */
  readonly places: Int32Array;
  readonly cuda: CudaBackend;
  readonly peers: PeerTensors;
}

/**
 * The rows of ranks that have some each. What any of them named lies below each other, each row once, in the order of
 * (rank, place): every rank puts its own rows there, the others zeros, and the sum is what all of them read; the
 * gradients come back in the same places. Each rank then updates its own rows. All ranks call both functions.
 *
 * @param named what each rank named, by rank
 */
export function rowsOfRanks(
  named: readonly Int32Array[],
  rank: number,
  { first, count, dim }: Pick<DistEmbedding, "first" | "count" | "dim">,
  { places: scratch, cuda, peers }: Joined,
): RowsInStep {
  const { ids, places } = distinctRows(joined("int32", named), scratch);
  const begin = named.slice(0, rank).reduce((sum, { length }) => sum + length, 0);
  const ofOwn = places.slice(begin, begin + (named[rank]?.length ?? 0));
  const isHere = (id: number) => id >= first && id < first + count;
  const here = Int32Array.from(ids.keys()).filter((place) => isHere(ids[place] as number));
  const rows = here.map((place) => (ids[place] as number) - first);
  const nothing = () => fill<Rank.R2>([ids.length, dim], 0);
  return {
    read: (table) => {
      const ofAll = nothing();
      if (rows.length > 0) cuda.putRows(gatherRows(table, rows), here, ofAll);
      return gatherRows(peers.sum(ofAll), ofOwn);
    },
    gradientOf: (gradient) => {
      const ofAll = nothing();
      if (gradient && ofOwn.length > 0) {
        const own = distinctRows(ofOwn, scratch);
        cuda.putRows(addedUp(own.sums, gradient), own.ids, ofAll);
      }
      const all = peers.sum(ofAll);
      return rows.length > 0 ? { rows, gradient: gatherRows(all, here) } : null;
    },
  };
}

function addedUp(sums: Block | null, gradient: Tensor2D): Tensor2D {
  return sums ? weightedSpmm(sums, gradient, { edgeWeights: null, selfWeights: null }) : gradient;
}
