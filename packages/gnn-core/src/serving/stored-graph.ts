import { loadAddon } from "../backends/native/addon.ts";
import { native } from "../backends/native/native-error.ts";
import type { CscGraph, NodeTypes } from "../graph/csc-graph.ts";
import { unknownType } from "../graph/unknown-type.ts";
import type { GraphInfo } from "../io/ingest/ingest-report.ts";
import type { GraphArtifact } from "../partition/graph-artifact.ts";

/**
 * A stored graph as models see it, in one part: GlobalIds are NodeIndex. Columns of a graph with types of edges are
 * sorted by relation, as those of parts are.
 *
 * @throws GnnError SHAPE_MISMATCH for columns that are none
 */
export async function storedGraph(artifact: GraphArtifact, info: GraphInfo): Promise<CscGraph> {
  const { indptr, indices, weights, edgeTypes } = artifact;
  const { numNodes, numEdges } = info;
  if (!edgeTypes || info.edgeTypes.length < 2) {
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
    relations: info.edgeTypes,
    ...(nodeTypes && { nodeTypes }),
  };
}

/** A node whose type is not known is of one more. */
function nodeTypesOf({ nodeTypes: codes }: GraphArtifact, { nodeTypes, features }: GraphInfo): NodeTypes | null {
  if (!codes) return null;
  const columns =
    features.types &&
    nodeTypes.map((name) => features.types?.find((type) => type.name === name) ?? { first: 0, dim: 0 });
  return {
    names: codes.includes(-1) ? [...nodeTypes, unknownType] : nodeTypes,
    codes: codes.map((code) => (code < 0 ? nodeTypes.length : code)),
    ...(columns && { columns }),
  };
}
