import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words, setInt64 } from "../io/int64.ts";
import { cscFromCoo } from "./csc-from-coo.ts";
import type { CscGraph } from "./csc-graph.ts";
import { reverseName } from "./reverse-name.ts";

/** Edges of one relation between ids of one space: src[i] → dst[i] */
export interface RelationEdgeList {
  readonly src: Int32Array | readonly number[];
  readonly dst: Int32Array | readonly number[];
}

export interface RelationEdgeLists {
  readonly numNodes: number;
  /** By name; a relation's place is its order here */
  readonly relations: Readonly<Record<string, RelationEdgeList>>;
  /** Adds the reverse of every relation as one of its own, named `rev_<name>`, behind the given ones. Default false */
  readonly reverse?: boolean;
  /** `drop` (the default) keeps the first of equal edges of a relation. */
  readonly duplicates?: "drop" | "keep";
  /** Types of the nodes. Default: all are alike */
  readonly nodeTypes?: { readonly names: readonly string[]; readonly codes: Int32Array };
}

/**
 * An in-memory graph of several relations; GlobalId = NodeIndex = the ids given, one space for nodes of all types.
 *
 *   const graph = await graphFromRelations({
 *     numNodes: 3,
 *     relations: { writes: { src: [0], dst: [2] }, cites: { src: [1], dst: [2] } },
 *     reverse: true, // rev_writes 2 → 0, rev_cites 2 → 1
 *   });
 *
 * @throws GnnError SHAPE_MISMATCH on unequal lengths, DATASET_NODE_UNKNOWN on an id outside [0, numNodes)
 */
export async function graphFromRelations(given: RelationEdgeLists): Promise<CscGraph> {
  const { numNodes, duplicates = "drop", nodeTypes } = given;
  if (nodeTypes && nodeTypes.codes.length !== numNodes) {
    throw new GnnError("SHAPE_MISMATCH", `${nodeTypes.codes.length} types for ${numNodes} nodes; give one per node.`);
  }
  const lists = Object.entries(given.relations);
  const turned = given.reverse
    ? lists.map(([name, { src, dst }]) => [reverseName(name), { src: dst, dst: src }] as const)
    : [];
  const all = [...lists, ...turned];
  const columns = await Promise.all(
    all.map(([, { src, dst }]) => cscFromCoo(Int32Array.from(src), Int32Array.from(dst), numNodes, { duplicates })),
  );
  return {
    device: "cpu",
    numNodes,
    numEdges: columns.reduce((sum, { indices }) => sum + indices.length, 0),
    parts: [{ firstNode: 0, numNodes, ...joinRelations(columns, numNodes), weights: null }],
    relations: all.map(([name]) => name),
    ...(nodeTypes && { nodeTypes }),
  };
}

/** Columns that hold the edges of all relations, one relation after the other. */
function joinRelations(
  relations: readonly { readonly indptr: BigInt64Array; readonly indices: Int32Array }[],
  numNodes: number,
): { indptr: BigInt64Array; indices: Int32Array; types: Int32Array } {
  const offsets = relations.map(({ indptr }) => int64Words(indptr));
  const numEdges = relations.reduce((sum, { indices }) => sum + indices.length, 0);
  const indptr = new BigInt64Array(numNodes + 1);
  const words = int64Words(indptr);
  const indices = new Int32Array(numEdges);
  const types = new Int32Array(numEdges);
  let end = 0;
  for (let node = 0; node < numNodes; node++) {
    relations.forEach((relation, type) => {
      const own = relation.indices.subarray(int64At(offsets[type]!, node), int64At(offsets[type]!, node + 1));
      indices.set(own, end);
      types.fill(type, end, end + own.length);
      end += own.length;
    });
    setInt64(words, node + 1, end);
  }
  return { indptr, indices, types };
}
