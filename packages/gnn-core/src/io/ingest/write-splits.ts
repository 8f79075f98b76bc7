import { join } from "node:path";
import { type WrittenArray, writeNpy } from "../npy.ts";
import type { GraphInfo } from "./ingest-report.ts";
import type { NodeRows } from "./read-nodes.ts";
import { splitCodes } from "./split-words.ts";

/** Writes the side of every node; those that no row names are on none. */
export async function writeSplits(
  outDir: string,
  nodes: Pick<NodeRows, "splits"> | null,
  numNodes: number,
): Promise<{ readonly blob: WrittenArray; readonly counts: GraphInfo["splits"] }> {
  const split = new Int8Array(numNodes);
  split.set(nodes?.splits ?? []);
  const name = "nodes/split.npy";
  await writeNpy(join(outDir, name), "int8", [numNodes], split);
  const counts = { train: 0, val: 0, test: 0, none: 0 };
  for (const code of split) {
    if (code === splitCodes.train) counts.train++;
    else if (code === splitCodes.val) counts.val++;
    else if (code === splitCodes.test) counts.test++;
    else counts.none++;
  }
  return { blob: { name, dtype: "int8", shape: [numNodes] }, counts };
}
