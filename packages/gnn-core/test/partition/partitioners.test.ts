import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadAddon } from "../../src/backends/native/addon.ts";
import { weightTotals } from "../../src/partition/balance-weights.ts";
import { metisPartitioner } from "../../src/partition/metis.partitioner.ts";
import type { PartitionInput } from "../../src/partition/partitioner.ts";
import { randomPartitioner } from "../../src/partition/random.partitioner.ts";
import { rangePartitioner } from "../../src/partition/range.partitioner.ts";
import { streamingPartitioner } from "../../src/partition/streaming.partitioner.ts";
import { partitionerSuite } from "../conformance/partitioner.suite.ts";
import { communities, cutOf, shuffledCommunities, spreadOf } from "../support/communities.ts";
import { gpmetis, hasGpmetis } from "../support/gpmetis.ts";
import { edgeArrays } from "../support/graphs.ts";
import { partitionInput } from "../support/partition-input.ts";

partitionerSuite(metisPartitioner);
partitionerSuite(randomPartitioner);
partitionerSuite(rangePartitioner);
partitionerSuite(streamingPartitioner);

const never = new AbortController().signal;

/** Only the nodes of the first five communities are of the second kind. */
function isTrain(node: number): number {
  return node < 250 ? 1 : 0;
}

describe("the adjacency that partitioners see", () => {
  test("has each edge from both ends once, without self-loops, as sets of pairs do", async () => {
    await fc.assert(
      fc.asyncProperty(edgeArrays(9, 50), async (edges) => {
        const { xadj, adjncy } = await (await partitionInput(9, edges, 2, 0)).adjacency();
        const sets = Array.from({ length: 9 }, () => new Set<number>());
        edges.src.forEach((src, i) => {
          const dst = edges.dst[i]!;
          if (src === dst) return;
          sets[src]!.add(dst);
          sets[dst]!.add(src);
        });
        const expected = sets.map((set) => [...set].toSorted((a, b) => a - b));
        expect(Array.from({ length: 9 }, (_, v) => [...adjncy.subarray(xadj[v], xadj[v + 1])])).toEqual(expected);
      }),
    );
  });
});

describe("METIS", () => {
  test("cuts far fewer edges than chance on a graph of communities", async () => {
    const { numNodes, edges } = communities(40);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const graph = await input.adjacency();
    const cut = cutOf(graph, await metisPartitioner.assign(input, metisPartitioner.options.parse({}), never));
    const chance = cutOf(graph, await randomPartitioner.assign(input, randomPartitioner.options.parse({}), never));
    expect(chance / (graph.adjncy.length / 2)).toBeCloseTo(0.75, 1);
    expect(cut).toBeLessThan(chance / 2);
  });

  test("balances every constraint it is given", async () => {
    const { numNodes, edges } = communities(20);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const nodeWeights = Int32Array.from({ length: numNodes * 2 }, (_, i) => (i % 2 === 0 ? 1 : isTrain((i - 1) / 2)));
    const options = metisPartitioner.options.parse({});
    const assignment = await metisPartitioner.assign({ ...input, nodeWeights, numConstraints: 2 }, options, never);
    for (let part = 0; part < 4; part++) {
      const train = assignment.filter((p, node) => p === part && isTrain(node) === 1).length;
      expect(train / (250 / 4)).toBeLessThan(1.1);
    }
  });

  test.each([
    { method: "kway", objective: "volume" },
    { method: "recursive", objective: "cut" },
  ])("$method for the $objective cuts far fewer edges than chance, evenly", async (choice) => {
    const { numNodes, edges } = communities(20);
    const input = await partitionInput(numNodes, edges, 3, 0);
    const assignment = await metisPartitioner.assign(input, metisPartitioner.options.parse(choice), never);
    const graph = await input.adjacency();
    expect(cutOf(graph, assignment)).toBeLessThan((graph.adjncy.length / 2) * (2 / 3) * 0.5);
    expect(spreadOf(assignment, 3, () => 1).most).toBeLessThan(1.05);
  });

  test("recursive bisection has no volume to make small, and says so", () => {
    const parsed = metisPartitioner.options.safeParse({ method: "recursive", objective: "volume" });
    expect(parsed.error?.issues).toMatchObject([{ path: ["objective"], message: /kway/ }]);
  });

  test("refuses weights that do not fit, instead of reading beyond them", async () => {
    const input = await partitionInput(4, { src: [0, 1], dst: [1, 2] }, 2, 0);
    const options = metisPartitioner.options.parse({});
    const assigned = metisPartitioner.assign({ ...input, nodeWeights: new Int32Array(3) }, options, never);
    await expect(assigned).rejects.toMatchObject({ name: "GnnError", code: "SHAPE_MISMATCH" });
  });

  test("does not start once aborted", async () => {
    const input = await partitionInput(4, { src: [0, 1], dst: [1, 2] }, 2, 0);
    const assigned = metisPartitioner.assign(input, metisPartitioner.options.parse({}), AbortSignal.abort());
    await expect(assigned).rejects.toThrow(/abort/);
  });
});

describe("streaming", () => {
  const streaming = (options = {}) => streamingPartitioner.options.parse(options);

  test("places each node as a plain reading of Fennel's score does, pass after pass", async () => {
    const cases = fc.integer({ min: 2, max: 12 }).chain((numNodes) =>
      fc.record({
        numNodes: fc.constant(numNodes),
        edges: edgeArrays(numNodes, 40),
        numParts: fc.integer({ min: 2, max: 4 }),
        passes: fc.integer({ min: 1, max: 3 }),
        tolerance: fc.constantFrom(0, 0.3, 1),
        weights: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(2)), {
          minLength: numNodes,
          maxLength: numNodes,
        }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ numNodes, edges, numParts, passes, tolerance, weights }) => {
        fc.pre(weights.some(([, second]) => second > 0));
        const nodeWeights = Int32Array.from(weights.flat());
        const input = { ...(await partitionInput(numNodes, edges, numParts, 5)), nodeWeights, numConstraints: 2 };
        const { indptr, indices } = input.inEdges;
        const totals = weightTotals(nodeWeights, 2);
        const parts = new Int32Array(numNodes).fill(-1);
        const loads = new Float64Array(numParts * 2);
        for (let turn = 0; turn < passes * numNodes; turn++) {
          const node = turn % numNodes;
          const allowed = fennelChoices(input, tolerance, node, parts);
          const slice = [parts, loads, node, 1, tolerance, 5] as const;
          await loadAddon().streamNodes(indptr, indices, nodeWeights, totals, numParts, ...slice);
          expect(allowed).toContain(parts[node]);
        }
        expect(await streamingPartitioner.assign(input, streaming({ passes, tolerance }), never)).toEqual(parts);
      }),
      { numRuns: 40 },
    );
  });

  test("cuts far fewer edges than chance in one pass, and fewer still in more", async () => {
    const { numNodes, edges } = shuffledCommunities(40);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const graph = await input.adjacency();
    const cut = async (passes: number) =>
      cutOf(graph, await streamingPartitioner.assign(input, streaming({ passes }), never));
    const once = await cut(1);
    const often = await cut(10);
    expect(once).toBeLessThan((graph.adjncy.length / 2) * 0.75 * 0.8);
    expect(often).toBeLessThan(once * 0.75);
  });

  test("keeps every weight within its tolerance", async () => {
    const { numNodes, edges } = shuffledCommunities(40);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const degree = (node: number) => Number(input.inEdges.indptr[node + 1]! - input.inEdges.indptr[node]!);
    const weights = [() => 1, degree, isTrain];
    const nodeWeights = Int32Array.from({ length: numNodes * 3 }, (_, i) => weights[i % 3]!(Math.floor(i / 3)));
    const options = streaming({ tolerance: 0.02 });
    const assignment = await streamingPartitioner.assign({ ...input, nodeWeights, numConstraints: 3 }, options, never);
    for (const weightOf of weights) expect(spreadOf(assignment, 4, weightOf).most).toBeLessThanOrEqual(1.02 + 1 / 60);
  });

  test("ends between two pieces of its work when aborted, and tells how far it has come", async () => {
    const input = await partitionInput(4, { src: [0, 1], dst: [1, 2] }, 2, 0);
    const controller = new AbortController();
    const seen: unknown[] = [];
    const onProgress = (...progress: unknown[]) => {
      seen.push(progress);
      if (seen.length === 2) controller.abort();
    };
    const assigned = streamingPartitioner.assign({ ...input, onProgress }, streaming({ passes: 3 }), controller.signal);
    await expect(assigned).rejects.toThrow(/abort/);
    expect(seen).toEqual([
      ["pass 1 of 3", 0, 4, "nodes"],
      ["pass 2 of 3", 0, 4, "nodes"],
    ]);
  });

  test("asks for no adjacency: what METIS cannot hold does not stop it", async () => {
    const input = await partitionInput(5, { src: [0, 1], dst: [1, 2] }, 2, 0);
    const adjacency = () => Promise.reject(new Error("asked for the undirected graph"));
    await expect(streamingPartitioner.assign({ ...input, adjacency }, streaming(), never)).resolves.toHaveLength(5);
  });
});

describe("ranges", () => {
  test("are contiguous and share out what is balanced", async () => {
    const input = await partitionInput(8, { src: [], dst: [] }, 2, 0);
    const assign = (weights: number[], numConstraints: number) =>
      rangePartitioner.assign(
        { ...input, nodeWeights: Int32Array.from(weights), numConstraints },
        rangePartitioner.options.parse({}),
        never,
      );
    expect([...(await assign([1, 1, 1, 1, 1, 1, 1, 1], 1))]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect([...(await assign([9, 1, 1, 1, 2, 2, 1, 1], 1))]).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
    // Nodes alone would be cut after the fourth, the second weight after the sixth.
    const both = [1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    expect([...(await assign(both, 2))]).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });
});

/**
 * The parts that the rule of native/include/gnn/partition/streaming.h may choose for a node; several when they are
 * equal.
 */
function fennelChoices(
  { numNodes, numParts, inEdges, nodeWeights }: PartitionInput,
  tolerance: number,
  node: number,
  placed: Int32Array,
): number[] {
  const nodes = [...Array(numNodes).keys()];
  const parts = [...Array(numParts).keys()];
  const weight = (of: number, c: number) => nodeWeights[of * 2 + c]!;
  const total = (c: number) => nodes.reduce((sum, of) => sum + weight(of, c), 0);
  const owner = (of: number) => (of === node ? -1 : placed[of]!);
  const fill = (part: number, c: number, more: number) => {
    const load = nodes.reduce((sum, of) => sum + (owner(of) === part ? weight(of, c) : 0), 0);
    return ((load + more) * numParts) / total(c);
  };
  const neighbors = inEdges.indices.subarray(Number(inEdges.indptr[node]), Number(inEdges.indptr[node + 1]));
  const slope = (0.75 * inEdges.indices.length) / numNodes / 2;
  const penalty = (part: number, c: number) => ((weight(node, c) * numNodes) / total(c)) * Math.sqrt(fill(part, c, 0));
  const score = (part: number) =>
    neighbors.filter((src) => owner(src) === part).length - slope * (penalty(part, 0) + penalty(part, 1));
  const loaded = (part: number) =>
    Math.max(...[0, 1].filter((c) => weight(node, c) > 0).map((c) => fill(part, c, weight(node, c))));
  const room = parts.filter((part) => loaded(part) <= 1 + tolerance);
  const among = room.length > 0 ? room : parts;
  const value = room.length > 0 ? score : (part: number) => -loaded(part);
  const best = Math.max(...among.map(value));
  return among.filter((part) => value(part) >= best - 1e-9);
}

describe.skipIf(!hasGpmetis)("METIS beside its own program (gpmetis must be installed)", () => {
  test("cuts as many edges as gpmetis does with the same seed, to 3 %", async () => {
    const { numNodes, edges } = communities(40);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const graph = await input.adjacency();
    const ours = cutOf(graph, await metisPartitioner.assign(input, metisPartitioner.options.parse({}), never));
    const theirs = cutOf(graph, await gpmetis(graph, input.nodeWeights, 1, 4));
    expect(ours).toBeLessThanOrEqual(1.03 * theirs);
  });
});
