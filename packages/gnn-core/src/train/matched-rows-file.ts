import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import type { CscGraph } from "../graph/csc-graph.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type WrittenArray, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { RowsOf } from "../spec/row-names.ts";

const fileOf = (rows: RowsOf) => `${rows}.npy`;

/** @param rowOf by GlobalId: the learned row of a model, −1: it has none of the node */
export async function writeMatchedRows(outDir: string, rows: RowsOf, rowOf: Int32Array): Promise<WrittenArray> {
  const shape = [rowOf.length];
  await writeNpy(join(outDir, fileOf(rows)), "int32", shape, rowOf);
  return { name: fileOf(rows), dtype: "int32", shape };
}

/**
 * Which learned row is whose, as a `matchedRows` artifact says it of the graph at hand: int32 [numNodes] by GlobalId.
 *
 * @param matched null: the graph is the one that the model was trained on, whose rows lie in its order
 * @returns null for that, and where the model has no such rows
 * @throws GnnError MANIFEST_INVALID when they are matched with another graph
 */
export function matchedRowsOf(matched: ArtifactDir | null, rows: RowsOf, numNodes: number): Int32Array | null {
  if (!matched?.manifest.blobs.some(({ name }) => name === fileOf(rows))) return null;
  const { values } = mapNpy(join(matched.dir, fileOf(rows)), "int32");
  if (values.length === numNodes) return values;
  const message = `${matched.dir}: rows of ${values.length} nodes, and the graph has ${numNodes}; match them again.`;
  throw new GnnError("MANIFEST_INVALID", message);
}

/** The graph with the learned rows of nodes whose types have no features, as far as the model has one of each. */
export function withMatchedTypes(graph: CscGraph, matched: ArtifactDir | null, count: number | undefined): CscGraph {
  const rowOf = matchedRowsOf(matched, "types", graph.numNodes);
  if (!rowOf || !graph.nodeTypes) return graph;
  return { ...graph, nodeTypes: { ...graph.nodeTypes, learned: { rowOf, count: count ?? 0 } } };
}
