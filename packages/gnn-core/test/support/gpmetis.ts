import { spawnSync } from "node:child_process";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Adjacency } from "../../src/partition/partitioner.ts";

export const hasGpmetis = spawnSync("gpmetis", ["-help"]).status !== null;

/** The parts that METIS' own program finds, of the same graph and weights. */
export async function gpmetis(
  { xadj, adjncy }: Adjacency,
  nodeWeights: Int32Array,
  numConstraints: number,
  numParts: number,
): Promise<Int32Array> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-gpmetis-"));
  try {
    const path = join(dir, "graph");
    const file = await open(path, "w");
    const numNodes = xadj.length - 1;
    let lines = [`${numNodes} ${adjncy.length / 2} 010 ${numConstraints}`];
    for (let node = 0; node < numNodes; node++) {
      const weights = nodeWeights.subarray(node * numConstraints, (node + 1) * numConstraints);
      lines.push([...weights, ...adjncy.subarray(xadj[node], xadj[node + 1]).map((other) => other + 1)].join(" "));
      if (lines.length === 10_000 || node + 1 === numNodes) {
        await file.appendFile(`${lines.join("\n")}\n`);
        lines = [];
      }
    }
    await file.close();
    const { status, stdout, stderr } = spawnSync("gpmetis", ["-seed=0", path, String(numParts)], { encoding: "utf8" });
    if (status !== 0) throw new Error(`gpmetis ended with status ${status}: ${stdout}${stderr}`);
    const parts = await readFile(`${path}.part.${numParts}`, "utf8");
    return Int32Array.from(parts.trim().split("\n"), Number);
  } finally {
    await rm(dir, { recursive: true });
  }
}
