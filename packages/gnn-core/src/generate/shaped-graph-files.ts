import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { GnnError } from "../errors/gnn-error.ts";
import { splitCode } from "../graph/split-nodes.ts";
import { readNpy, writeNpy } from "../io/npy.ts";
import { mapNpy } from "../io/npy-map.ts";
import type { ShapedGraph } from "./shaped-graph.ts";

const meta = z.object({ nodes: z.number().int(), features: z.number().int(), classes: z.number().int() });
export const splitNames = ["train", "val", "test"] as const;

/**
 * Writes the arrays as plain `.npy` files that other frameworks' benchmarks read too: `indptr` int64, `indices` int32
 * (in-edges by dst), `feat` float32 [n, f], `label` int64, `train_idx`, `val_idx`, `test_idx` int64, and `meta.json`.
 */
export async function writeShapedGraph(dir: string, data: ShapedGraph): Promise<void> {
  const { graph, featureDim, features, labels, split, numClasses } = data;
  const [part] = graph.parts;
  if (!part || graph.parts.length !== 1) {
    throw new GnnError("SHAPE_MISMATCH", `The graph has ${graph.parts.length} parts; expected one.`);
  }
  await writeNpy(join(dir, "indptr.npy"), "int64", [part.indptr.length], part.indptr);
  await writeNpy(join(dir, "indices.npy"), "int32", [part.indices.length], part.indices);
  await writeNpy(join(dir, "feat.npy"), "float32", [graph.numNodes, featureDim], features);
  await writeNpy(join(dir, "label.npy"), "int64", [labels.length], BigInt64Array.from(labels, BigInt));
  for (const name of splitNames) {
    const ids = BigInt64Array.from(nodesOf(split, splitCode[name]), BigInt);
    await writeNpy(join(dir, `${name}_idx.npy`), "int64", [ids.length], ids);
  }
  await writeShapedMeta(dir, { numNodes: graph.numNodes, numEdges: graph.numEdges, featureDim, numClasses });
}

/** Written last: a folder without it is not complete. */
export async function writeShapedMeta(
  dir: string,
  counts: { numNodes: number; numEdges: number; featureDim: number; numClasses: number },
): Promise<void> {
  const { numNodes: nodes, numEdges: edges, featureDim: features, numClasses: classes } = counts;
  await writeFile(join(dir, "meta.json"), JSON.stringify({ nodes, edges, features, classes }, null, 1));
}

/**
 * Reads what `writeShapedGraph` wrote; edges and features stay mapped files.
 *
 * @throws GnnError DATASET_FORMAT_INVALID when an array is missing its type or meta.json its counts
 */
export async function readShapedGraph(dir: string): Promise<ShapedGraph> {
  const metaFile = join(dir, "meta.json");
  const parsed = meta.safeParse(JSON.parse(await readFile(metaFile, "utf8")));
  if (!parsed.success) {
    throw new GnnError("DATASET_FORMAT_INVALID", `${metaFile} lacks nodes, features or classes.`, {
      cause: parsed.error,
    });
  }
  const { nodes, features: featureDim, classes } = parsed.data;
  const indptr = mapNpy(join(dir, "indptr.npy"), "int64").values;
  const indices = mapNpy(join(dir, "indices.npy"), "int32").values;
  const labels = Int32Array.from((await readNpy(join(dir, "label.npy"), "int64")).values, Number);
  const split = new Int8Array(nodes);
  for (const name of splitNames) {
    for (const id of (await readNpy(join(dir, `${name}_idx.npy`), "int64")).values) split[Number(id)] = splitCode[name];
  }
  return {
    graph: {
      device: "cpu",
      numNodes: nodes,
      numEdges: indices.length,
      parts: [{ firstNode: 0, numNodes: nodes, indptr, indices, weights: null }],
    },
    featureDim,
    features: mapNpy(join(dir, "feat.npy"), "float32").values,
    labels,
    split,
    numClasses: classes,
  };
}

function nodesOf(split: Int8Array, code: number): Int32Array {
  return Int32Array.from(split.keys()).filter((node) => split[node] === code);
}
