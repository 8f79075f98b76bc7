import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph, LearnedRowsOfTypes, NodeTypes } from "../graph/csc-graph.ts";
import { unknownType } from "../graph/unknown-type.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { GraphArtifact } from "../partition/graph-artifact.ts";
import { edgeTypesByPlace } from "../partition/in-types-of-model.ts";

/** Nodes that can be put behind those of a stored graph in one question */
export const mostNewNodes = 1000;

/**
 * A stored graph as models see it, in one part: GlobalIds are NodeIndex. Columns of a graph with types of edges are
 * sorted by relation, as those of parts are. Types of nodes have room for new nodes behind those of the graph.
 *
 * @param learned rows of the model for nodes of types without features; null: it has none
 * @throws GnnError SHAPE_MISMATCH for columns that are none
 */
export async function storedGraph(
  artifact: GraphArtifact,
  info: GraphInfo,
  learned: LearnedRowsOfTypes | null = null,
): Promise<CscGraph> {
  const { indptr, indices } = artifact;
  const { numNodes } = info;
  const numEdges = indices.length;
  const weights = weightsByPlace(artifact);
  const edgeTypes = edgeTypesByPlace(artifact);
  if (!edgeTypes || artifact.facts.edgeTypes.length < 2) {
    const part = { firstNode: 0, numNodes, indptr, indices, weights };
    return { device: "cpu", numNodes, numEdges, parts: [part] };
  }
  const same = Int32Array.from({ length: numNodes }, (_, node) => node);
  const addon = loadAddon();
  const sorted = await native(() => addon.relabelColumns(indptr, indices, same, same, 0, numNodes, edgeTypes));
  const part = {
    firstNode: 0,
    numNodes,
    indptr: sorted.indptr,
    indices: sorted.indices,
    weights: weights && (await native(() => addon.takeRows(weights, 1, sorted.edgeMap))),
    types: await native(() => addon.takeRows(edgeTypes, 1, sorted.edgeMap)),
  };
  const nodeTypes = nodeTypesOf(artifact, info);
  return {
    device: "cpu",
    numNodes,
    numEdges,
    parts: [part],
    relations: artifact.facts.edgeTypes,
    ...(nodeTypes && { nodeTypes: { ...nodeTypes, ...(learned && { learned }) } }),
  };
}

function weightsByPlace({ weights, edgeIds }: GraphArtifact): Float32Array | null {
  if (!weights || !edgeIds) return weights;
  return Float32Array.from(edgeIds, (edge) => weights[edge] as number);
}

/** A node whose type is not known is of one more. */
function nodeTypesOf({ nodeTypes: codes, facts }: GraphArtifact, { features }: GraphInfo): NodeTypes | null {
  if (!codes) return null;
  const { nodeTypes } = facts;
  const columns =
    features.types &&
    nodeTypes.map((name) => features.types?.find((type) => type.name === name) ?? { first: 0, dim: 0 });
  // A type with columns of its own: the room is no node with a learned row.
  const free = Math.max(0, columns?.findIndex(({ dim }) => dim > 0) ?? 0);
  const withRoom = new Int32Array(codes.length + mostNewNodes).fill(free);
  withRoom.set(codes.map((code) => (code < 0 ? nodeTypes.length : code)));
  return {
    names: codes.includes(-1) ? [...nodeTypes, unknownType] : nodeTypes,
    codes: withRoom,
    ...(columns && { columns }),
  };
}
