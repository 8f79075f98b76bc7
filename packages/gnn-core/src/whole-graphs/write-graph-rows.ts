import { join } from "node:path";
import { readNpy, type WrittenArray, writeNpy } from "../io/npy.ts";
import type { GraphArtifact } from "../partition/graph-artifact.ts";
import { graphsFolder } from "./graph-rows-artifact.ts";

/** The graphs of a set as a job uses them, by NodeIndex of their nodes */
export interface SplitGraphs {
  /** `graphsAsRows` of the set, mapped */
  readonly rows: GraphArtifact;
  /** int32 [numGraphs + 1] */
  readonly offsets: Int32Array;
  /** int8 [numGraphs] */
  readonly split: Int8Array;
}

/** The side of every node: that of its graph. */
export function splitOfNodes({ offsets, split }: Pick<SplitGraphs, "offsets" | "split">): Int8Array {
  const sides = new Int8Array(offsets.at(-1) ?? 0);
  for (let g = 0; g < split.length; g++) sides.fill(split[g] as number, offsets[g], offsets[g + 1]);
  return sides;
}

/**
 * Writes what a training reads of the graphs, in the order in which the parts have them, after the parts were written:
 * `graphs/offsets.npy` by GlobalId, and the folder `graphs` as parts of one part whose rows are the graphs.
 */
export async function writeGraphRows(outDir: string, { rows, offsets, split }: SplitGraphs): Promise<WrittenArray[]> {
  const nodeMap = (await readNpy(join(outDir, "node_map.npy"), "int32")).values;
  const order = orderOf(nodeMap, offsets);
  const width = rows.targets?.names.length ?? 0;
  const starts = new Int32Array(order.length + 1);
  const targets = new Float32Array(order.length * width);
  for (const [i, g] of order.entries()) {
    starts[i + 1] = (starts[i] as number) + (offsets[g + 1] as number) - (offsets[g] as number);
    if (rows.targets) targets.set(rows.targets.values.subarray(g * width, (g + 1) * width), i * width);
  }
  const n = order.length;
  const arrays = [
    { name: "offsets.npy", dtype: "int32", shape: [n + 1], values: starts },
    { name: "node_map.npy", dtype: "int32", shape: [n], values: order },
    { name: "part0/labels.npy", dtype: "int32", shape: [n], values: order.map((g) => rows.labels[g] as number) },
    { name: "part0/split.npy", dtype: "int8", shape: [n], values: Int8Array.from(order, (g) => split[g] as number) },
    ...(width > 0
      ? [{ name: "part0/targets.npy", dtype: "float32", shape: [n, width], values: targets } as const]
      : []),
  ] as const;
  const blobs: WrittenArray[] = [];
  for (const { name, dtype, shape, values } of arrays) {
    const path = `${graphsFolder}/${name}`;
    await writeNpy(join(outDir, path), dtype, [...shape], values);
    blobs.push({ name: path, dtype, shape: [...shape] });
  }
  return blobs;
}

/** The graphs in the order of the GlobalIds of their nodes. */
function orderOf(nodeMap: Int32Array, offsets: Int32Array): Int32Array {
  const graphAt = new Map<number, number>();
  for (let g = 0; g + 1 < offsets.length; g++) graphAt.set(offsets[g] as number, g);
  const order = new Int32Array(offsets.length - 1);
  let found = 0;
  for (const node of nodeMap) {
    const g = graphAt.get(node);
    if (g !== undefined) order[found++] = g;
  }
  return order;
}
