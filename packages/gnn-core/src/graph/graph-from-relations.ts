import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
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
  const kept = await Promise.all(all.map(([, list]) => edgesOf(list, numNodes, duplicates)));
  return {
    device: "cpu",
    numNodes,
    numEdges: kept.reduce((sum, { src }) => sum + src.length, 0),
    parts: [{ firstNode: 0, numNodes, ...(await joinRelations(kept, numNodes)), weights: null }],
    relations: all.map(([name]) => name),
    ...(nodeTypes && { nodeTypes }),
  };
}

interface Edges {
  readonly src: Int32Array;
  readonly dst: Int32Array;
}

async function edgesOf(list: RelationEdgeList, numNodes: number, duplicates: "drop" | "keep"): Promise<Edges> {
  const [src, dst] = [Int32Array.from(list.src), Int32Array.from(list.dst)];
  const { edgeIds } = await cscFromCoo(src, dst, numNodes, { duplicates });
  return { src: Int32Array.from(edgeIds, (row) => src[row]!), dst: Int32Array.from(edgeIds, (row) => dst[row]!) };
}

/** Columns of all edges, sorted by relation as those of parts are. */
async function joinRelations(relations: readonly Edges[], numNodes: number) {
  const numEdges = relations.reduce((sum, { src }) => sum + src.length, 0);
  const all = { src: new Int32Array(numEdges), dst: new Int32Array(numEdges), types: new Int32Array(numEdges) };
  let end = 0;
  relations.forEach(({ src, dst }, type) => {
    all.src.set(src, end);
    all.dst.set(dst, end);
    all.types.fill(type, end, end + src.length);
    end += src.length;
  });
  const { indptr, indices, edgeIds } = await cscFromCoo(all.src, all.dst, numNodes);
  const types = Int32Array.from(edgeIds, (row) => all.types[row]!);
  const same = Int32Array.from({ length: numNodes }, (_, node) => node);
  const sorted = await native(() => loadAddon().relabelColumns(indptr, indices, same, same, 0, numNodes, types));
  const { edgeMap } = sorted;
  return {
    indptr: sorted.indptr,
    indices: sorted.indices,
    types: await native(() => loadAddon().takeRows(types, 1, edgeMap)),
  };
}
