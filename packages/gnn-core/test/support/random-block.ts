import type { FeatureRows } from "../../src/features/feature-store.ts";
import type { Block } from "../../src/graph/block.ts";
import { seededRandom } from "./seeded-random.ts";

/** The block with these in-neighbours per dst row. */
export function blockOf(numSrc: number, neighbours: readonly (readonly number[])[]): Block {
  const indices = Int32Array.from(neighbours.flat());
  const dstOf = neighbours.flatMap((list, dst) => list.map(() => dst));
  const edges = Int32Array.from(indices.keys()).toSorted((a, b) => indices[a]! - indices[b]! || a - b);
  return {
    device: "cpu",
    numSrc,
    numDst: neighbours.length,
    indptr: offsets(neighbours.length, dstOf),
    indices,
    srcIds: Int32Array.from({ length: numSrc }, (_, i) => 1000 + 7 * i),
    weights: null,
    reverse: { indptr: offsets(numSrc, indices), indices: edges.map((e) => dstOf[e]!), edges },
  };
}

/** Where the edges of each row begin, given the row of every edge. */
function offsets(numRows: number, rowOf: Iterable<number>): Int32Array {
  const indptr = new Int32Array(numRows + 1);
  for (const row of rowOf) indptr[row + 1]! += 1;
  for (let row = 0; row < numRows; row++) indptr[row + 1]! += indptr[row]!;
  return indptr;
}

/** Degrees from 0 to `maxDegree`, a quarter of them 0. */
export function randomBlock(numSrc: number, numDst: number, maxDegree: number, seed: number): Block {
  const random = seededRandom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const neighbours = Array.from({ length: numDst }, () =>
    Array.from({ length: below(4) === 0 ? 0 : below(maxDegree + 1) }, () => below(numSrc)),
  );
  return blockOf(numSrc, neighbours);
}

/** Relations of a block's edges, in turn and then in order within each dst row, as samplers give them. */
export function ascendingTypes({ numDst, indptr, indices }: Block, numRelations: number): Int32Array {
  const types = indices.map((_, edge) => edge % numRelations);
  for (let v = 0; v < numDst; v++) types.subarray(indptr[v], indptr[v + 1]).sort();
  return types;
}

/** CSR rows with about `density` of their values, some rows empty. */
export function randomCsr(numRows: number, dim: number, density: number, seed: number): FeatureRows & { kind: "csr" } {
  const random = seededRandom(seed);
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < numRows; row++) {
    for (let column = 0; column < dim; column++) {
      if (row % 5 !== 4 && random() < density) {
        indices.push(column);
        values.push(2 * random() - 1);
      }
    }
    indptr.push(indices.length);
  }
  return {
    kind: "csr",
    numRows,
    dim,
    indptr: Int32Array.from(indptr),
    indices: Int32Array.from(indices),
    values: Float32Array.from(values),
  };
}

export function denseOf({ numRows, dim, indptr, indices, values }: FeatureRows & { kind: "csr" }): Float32Array {
  const dense = new Float32Array(numRows * dim);
  for (let row = 0; row < numRows; row++) {
    for (let i = indptr[row] as number; i < (indptr[row + 1] as number); i++) {
      dense[row * dim + (indices[i] as number)] = values[i] as number;
    }
  }
  return dense;
}

/** Edges of relation 1 are rare, those of relation 2 come first: the kernel needs no order. */
export function typed(block: Block): Block {
  return { ...block, types: block.indices.map((src, e) => (e % 7 === 0 ? 1 : src % 2 === 0 ? 2 : 0)) };
}
