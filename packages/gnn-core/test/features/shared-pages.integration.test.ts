import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { mappedMemory } from "../support/mapped-memory.ts";
import { runStep } from "../support/run-step.ts";

const numNodes = 40_000;
const dim = 64;
let temp: Awaited<ReturnType<typeof tempDir>>;
let parts: ArtifactDir;
beforeAll(async () => {
  temp = await tempDir();
  const row = Array.from({ length: dim }, (_, column) => column);
  const rows = Array.from({ length: numNodes }, () => row);
  const graph = await writeGraphArtifact(temp.dir, { numNodes, edges: [[0, 1]], features: { kind: "dense", rows } });
  parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 1 } } });
});
afterAll(() => temp.remove());

const script = await compileProgram(new URL("./reading-process.ts", import.meta.url));

test.each(["memory", "mapped"])(
  "processes that read all rows (%s) have one copy of them between them",
  async (storage) => {
    const ranks: ChildProcess[] = [];
    try {
      for (let rank = 0; rank < 3; rank++) {
        const child = fork(script, [parts.dir, storage]);
        ranks.push(child);
      }
      await Promise.all(ranks.map((child) => once(child, "message")));
      const file = join(parts.dir, "part0/features.npy");
      const bytes = numNodes * dim * 4;
      const each = await Promise.all(ranks.map((child) => mappedMemory(child.pid as number, file)));
      for (const memory of each) {
        expect(memory.rss).toBeGreaterThanOrEqual(bytes);
        expect(memory.private).toBe(0);
      }
      const together = each.reduce((sum, { pss }) => sum + pss, 0);
      expect(together).toBeGreaterThan(bytes * 0.9);
      expect(together).toBeLessThan(bytes * 1.1);
    } finally {
      for (const child of ranks) child.kill("SIGKILL");
    }
  },
);
