import { GnnError } from "../errors/gnn-error.ts";
import { concatInt32 } from "../io/concat-arrays.ts";

/** Pairs of nodes by GlobalId, row for row: src[i] → dst[i]. Of an undirected graph either order means the same. */
export interface NodePairs {
  readonly src: Int32Array;
  readonly dst: Int32Array;
  /** The relation of every pair, where links are told apart by theirs; left out: all pairs are alike */
  readonly relations?: Int32Array;
}

export const noPairs: NodePairs = { src: new Int32Array(), dst: new Int32Array() };

/** The rows at some positions, in their order. */
export function takePairs({ src, dst, relations }: NodePairs, rows: Int32Array): NodePairs {
  const taken = (values: Int32Array) => rows.map((row) => values[row] as number);
  return { src: taken(src), dst: taken(dst), ...(relations && { relations: taken(relations) }) };
}

/** Some pairs in a row, a view. */
export function pairsBetween({ src, dst, relations }: NodePairs, first: number, end: number): NodePairs {
  return {
    src: src.subarray(first, end),
    dst: dst.subarray(first, end),
    ...(relations && { relations: relations.subarray(first, end) }),
  };
}

/** Pairs one after another; all of them have relations, or none has. */
export function joinedPairs(some: readonly NodePairs[]): NodePairs {
  const relations = some.flatMap((pairs) => pairs.relations ?? []);
  return {
    src: concatInt32(some.map(({ src }) => src)),
    dst: concatInt32(some.map(({ dst }) => dst)),
    ...(relations.length > 0 && { relations: concatInt32(relations) }),
  };
}

/**
 * @param what what the pairs are, for the message: "negatives of test"
 * @throws GnnError SHAPE_MISMATCH on unequal lengths, DATASET_NODE_UNKNOWN with its row on an id outside the graph
 */
export function checkPairs({ src, dst }: NodePairs, numNodes: number, what: string): void {
  if (src.length !== dst.length) {
    throw new GnnError(
      "SHAPE_MISMATCH",
      `${what}: ${src.length} sources and ${dst.length} targets; expected a pair each.`,
    );
  }
  const isOutside = (id: number) => !(id >= 0 && id < numNodes);
  for (let row = 0; row < src.length; row++) {
    const [from, to] = [src[row] as number, dst[row] as number];
    if (!isOutside(from) && !isOutside(to)) continue;
    const message = `${what}: row ${row} is ${from} → ${to}, and nodes are numbered from 0 to ${numNodes - 1}.`;
    throw new GnnError("DATASET_NODE_UNKNOWN", message, { place: { line: row + 1 } });
  }
}
