import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CscGraph } from "../graph/csc-graph.ts";
import { mapNpy } from "../io/npy-map.ts";
import { writeColumns } from "./generate-shaped-graph.ts";
import { type GenerationOptions, onThreads, progressOf } from "./generation-options.ts";
import { type RmatOptions, rmatSource } from "./rmat-graph.ts";

/**
 * Writes the graph of `rmatGraph` as `indptr.npy` and `indices.npy` without holding it, within `memoryBytes` (default
 * 256 MiB), and maps it.
 *
 * @throws GnnError SPEC_INVALID, CANCELLED
 */
export async function generateRmatGraph(
  dir: string,
  options: RmatOptions,
  generation: GenerationOptions & { readonly memoryBytes?: number } = {},
): Promise<CscGraph> {
  const { threads, memoryBytes = 256 * 2 ** 20 } = generation;
  const drawn = rmatSource(options);
  await mkdir(dir, { recursive: true });
  const numEdges = await onThreads(threads, () => writeColumns(dir, drawn, memoryBytes, progressOf(generation)));
  const indptr = mapNpy(join(dir, "indptr.npy"), "int64").values;
  const indices = mapNpy(join(dir, "indices.npy"), "int32").values;
  const { numNodes } = drawn;
  return { device: "cpu", numNodes, numEdges, parts: [{ firstNode: 0, numNodes, indptr, indices, weights: null }] };
}
