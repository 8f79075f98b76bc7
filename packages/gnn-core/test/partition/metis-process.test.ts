import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { metisLevel } from "../../src/partition/metis-levels.ts";
import { checkMetisMemory, checkMetisWeights, metisBytes } from "../../src/partition/metis-limits.ts";
import { type MetisRun, runMetis } from "../../src/partition/metis-process.ts";
import { communities } from "../support/communities.ts";
import { edgeArrays } from "../support/graphs.ts";
import { partitionInput } from "../support/partition-input.ts";

const never = new AbortController().signal;

async function runOf(count: number, more: Partial<MetisRun> = {}): Promise<MetisRun> {
  const { numNodes, edges } = communities(count);
  const input = await partitionInput(numNodes, edges, 4, 7);
  const graph = await input.adjacency();
  const { nodeWeights, numConstraints, numParts, seed } = input;
  const common = { graph, nodeWeights, numConstraints, numParts, seed, signal: never };
  return { ...common, method: "kway", objective: "cut", ...more };
}

function inThisProcess({ graph, nodeWeights, numConstraints, numParts, method, objective, seed }: MetisRun) {
  const { xadj, adjncy } = graph;
  const recursive = method === "recursive";
  const volume = objective === "volume";
  return loadAddon().metisPartition(xadj, adjncy, nodeWeights, numConstraints, numParts, recursive, volume, seed);
}

describe("METIS in a process of its own", () => {
  test.each([
    { method: "kway", objective: "cut" },
    { method: "kway", objective: "volume" },
    { method: "recursive", objective: "cut" },
  ] as const)("$method for the $objective finds the parts that METIS finds in this process", async (choice) => {
    const run = await runOf(20, choice);
    expect(await runMetis(run)).toEqual(await inThisProcess(run));
  });

  test("so it does on graphs without structure or edges, with several weights", async () => {
    const cases = fc.record({ edges: edgeArrays(12, 40), seed: fc.nat(99), weights: fc.infiniteStream(fc.nat(3)) });
    await fc.assert(
      fc.asyncProperty(cases, async ({ edges, seed, weights }) => {
        const graph = await (await partitionInput(12, edges, 3, seed)).adjacency();
        const nodeWeights = Int32Array.from({ length: 24 }, (_, i) => (i < 2 ? 1 : weights.next().value));
        const run = await runOf(1, { graph, nodeWeights, numConstraints: 2, numParts: 3, seed });
        expect(await runMetis(run)).toEqual(await inThisProcess(run));
      }),
      { numRuns: 15 },
    );
  });

  test("tells of its levels: the graph gets smaller, then as large as it was", async () => {
    const levels: { phase: string; nodes: number }[] = [];
    await runMetis(await runOf(40, { onLevel: (level) => levels.push(level) }));
    const coarse = levels.filter(({ phase }) => phase === "coarsen").map(({ nodes }) => nodes);
    const refined = levels.filter(({ phase }) => phase === "refine").map(({ nodes }) => nodes);
    expect(coarse[0]).toBe(2000);
    expect(coarse).toEqual(coarse.toSorted((a, b) => b - a));
    expect(refined).toEqual(refined.toSorted((a, b) => a - b));
    expect(refined.at(-1)).toBe(2000);
  });

  test("says what it took: more memory than its input", async () => {
    const run = await runOf(40);
    const usages: { cpuSeconds: number; peakBytes: number }[] = [];
    await runMetis({ ...run, onUsage: (usage) => usages.push(usage) });
    expect(usages).toHaveLength(1);
    expect(usages[0]!.cpuSeconds).toBeGreaterThan(0);
    expect(usages[0]!.peakBytes).toBeGreaterThan(run.graph.adjncy.byteLength);
  });

  test("is gone when it is aborted", async () => {
    const controller = new AbortController();
    let pid = 0;
    const onStart = (started: number) => {
      pid = started;
    };
    const run = runMetis(await runOf(40, { signal: controller.signal, onStart }));
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    controller.abort();
    await expect(run).rejects.toThrow(/abort/);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  test("is not started once aborted", async () => {
    const started: number[] = [];
    const run = runMetis(await runOf(1, { signal: AbortSignal.abort(), onStart: (pid) => started.push(pid) }));
    await expect(run).rejects.toThrow(/abort/);
    expect(started).toEqual([]);
  });

  test.each(["SIGSEGV", "SIGABRT", "SIGKILL"] as const)(
    "that dies of %s is an error, and nothing else dies",
    async (signal) => {
      const run = runMetis(await runOf(40, { onStart: (pid) => process.kill(pid, signal) }));
      await expect(run).rejects.toMatchObject({
        name: "GnnError",
        code: "PARTITION_FAILED",
        message: expect.stringContaining(signal),
      });
    },
  );

  test("an error of METIS' own comes through", async () => {
    // METIS wants at least one constraint.
    const run = runMetis(await runOf(1, { nodeWeights: new Int32Array(0), numConstraints: 0 }));
    await expect(run).rejects.toMatchObject({ code: "PARTITION_FAILED", message: /METIS returned/ });
  });
});

describe("what METIS cannot hold", () => {
  const size = { numNodes: 1000, numEntries: 50_000, numConstraints: 2 };

  test("is refused before it starts when memory is short, with what it needs and what is free", () => {
    const bytes = metisBytes(size);
    expect(() => checkMetisMemory(size, bytes)).not.toThrow();
    const refusal = { code: "PARTITION_TOO_LARGE", message: expect.stringMatching(/1000 nodes.*50000.*streaming/) };
    expect(() => checkMetisMemory(size, bytes - 1)).toThrow(expect.objectContaining(refusal));
  });

  test("is refused when what is balanced adds up to more than 32 bits hold", () => {
    const half = 2 ** 30;
    const most = 2 ** 31 - 1;
    expect(() => checkMetisWeights(Int32Array.of(1, half, 1, half - 1), 2)).not.toThrow();
    const refusal = expect.objectContaining({ code: "PARTITION_TOO_LARGE", message: expect.stringContaining("2^31") });
    expect(() => checkMetisWeights(Int32Array.of(1, half, 1, half), 2)).toThrow(refusal);
    expect(() => checkMetisWeights(Int32Array.of(most, most), 1)).toThrow(refusal);
  });
});

describe("a line that METIS prints", () => {
  test.each([
    ["    250000   6000000   6000000 [80] [   257500:  250000 ]", { phase: "coarsen", nodes: 250_000 }],
    ["GRC: [ 61 63]-[ 60 64], Bal: 1.008, Nv-Nb[  2000    310], Cut:    402", { phase: "refine", nodes: 2000 }],
    ["Initial cut: 12", null],
    ["", null],
  ])("%j is read as %o", (line, level) => {
    expect(metisLevel(line)).toEqual(level);
  });
});
