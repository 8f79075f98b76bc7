import { GnnError } from "../errors/gnn-error.ts";
import { int64At, int64Words } from "../io/int64.ts";
import type { TypesOfModel } from "../spec/types-of-model.ts";
import type { GraphArtifact } from "./graph-artifact.ts";

/**
 * A graph whose types of nodes and edges are counted as a model counts them, which was trained on another graph or an
 * earlier version. Types of the model that do not occur have no nodes or edges here; edges of types that it does not
 * know are left out, as if the dataset did not have them. EdgeIds stay those of the graph.
 *
 * @throws GnnError MANIFEST_INVALID when the graph has nodes of a type that the model does not know
 */
export function inTypesOfModel(graph: GraphArtifact, types: TypesOfModel): GraphArtifact {
  const { facts } = graph;
  const typed = {
    ...graph,
    facts: { ...facts, nodeTypes: types.nodes, edgeTypes: types.edges },
    nodeTypes: nodesCounted(graph, types.nodes),
  };
  const codeOf = facts.edgeTypes.map((name) => types.edges.indexOf(name));
  const { edgeTypes } = graph;
  // Where all edges of a graph are alike, the graph does not say so of each.
  const codes = edgeTypes
    ? edgeTypes.map((type) => codeOf[type] as number)
    : new Int32Array(graph.indices.length).fill(codeOf[0] ?? -1);
  const isOne = types.edges.length < 2;
  return withKnownEdges({ ...typed, edgeTypes: isOne ? null : codes }, codes);
}

function nodesCounted({ facts, nodeTypes }: GraphArtifact, names: readonly string[]): Int32Array | null {
  const codeOf = facts.nodeTypes.map((name) => names.indexOf(name));
  const unknown = facts.nodeTypes[codeOf.indexOf(-1)];
  if (unknown !== undefined) {
    const message = `The model knows no nodes of the type "${unknown}"; leave them out, or train on a version that has them.`;
    throw new GnnError("MANIFEST_INVALID", message);
  }
  if (nodeTypes) return nodeTypes.map((type) => (type < 0 ? type : (codeOf[type] as number)));
  return names.length < 2 ? null : new Int32Array(facts.numNodes).fill(codeOf[0] as number);
}

/** @param codes int32 by EdgeId; −1: the edge is of a type that the model does not know */
function withKnownEdges(graph: GraphArtifact, codes: Int32Array): GraphArtifact {
  if (!codes.includes(-1)) return graph;
  const { facts, indptr, indices } = graph;
  const numKept = codes.reduce((sum, code) => sum + Number(code >= 0), 0);
  const kept = { indptr: new BigInt64Array(indptr.length), indices: new Int32Array(numKept) };
  const edgeIds = new Int32Array(numKept);
  const offsets = int64Words(indptr);
  let end = 0;
  for (let node = 0; node < facts.numNodes; node++) {
    for (let edge = int64At(offsets, node); edge < int64At(offsets, node + 1); edge++) {
      if ((codes[edge] as number) < 0) continue;
      kept.indices[end] = indices[edge] as number;
      edgeIds[end++] = edge;
    }
    kept.indptr[node + 1] = BigInt(end);
  }
  return { ...graph, facts: { ...facts, numEdges: numKept }, ...kept, edgeIds };
}

/** int32 by the place of each edge: its type; null: all edges are alike */
export function edgeTypesByPlace({ edgeTypes, edgeIds }: GraphArtifact): Int32Array | null {
  if (!edgeTypes || !edgeIds) return edgeTypes;
  return edgeIds.map((edge) => edgeTypes[edge] as number);
}
