import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assignByLevels } from "../../src/partition/assign-by-levels.ts";
import { metisPartitioner } from "../../src/partition/metis.partitioner.ts";
import type { PartitionInput } from "../../src/partition/partitioner.ts";
import { streamingPartitioner } from "../../src/partition/streaming.partitioner.ts";
import { cutOf, shuffledCommunities, spreadOf } from "../support/communities.ts";
import { edgeArrays } from "../support/graphs.ts";
import { partitionInput } from "../support/partition-input.ts";

const never = new AbortController().signal;
const metis = (input: PartitionInput) => metisPartitioner.assign(input, metisPartitioner.options.parse({}), never);

describe("two levels of parts", () => {
  test("cut the graph between hosts as one level of that many parts does, and each host evenly", async () => {
    const { numNodes, edges } = shuffledCommunities(40);
    const input = await partitionInput(numNodes, edges, 6, 0);
    const parts = await assignByLevels(input, 2, metis);
    const hosts = await metis({ ...input, numParts: 3 });
    expect(parts.map((part) => Math.floor(part / 2))).toEqual(hosts);
    expect(spreadOf(parts, 6, () => 1).most).toBeLessThan(1.08);
    const graph = await input.adjacency();
    expect(cutOf(graph, parts)).toBeLessThan((graph.adjncy.length / 2) * (5 / 6) * 0.6);
  });

  test("show each host its own nodes, weights and the edges between them", async () => {
    const cases = fc.record({
      edges: edgeArrays(10, 40),
      hosts: fc.array(fc.nat(1), { minLength: 10, maxLength: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ edges, hosts }) => {
        const nodeWeights = Int32Array.from({ length: 20 }, (_, i) =>
          i % 2 === 0 ? i + 1 : Number(hosts[i >> 1] === 0),
        );
        const input = { ...(await partitionInput(10, edges, 4, 0)), nodeWeights, numConstraints: 2 };
        const seen: PartitionInput[] = [];
        await assignByLevels(input, 2, async (shown) => {
          seen.push(shown);
          return seen.length === 1 ? Int32Array.from(hosts) : new Int32Array(shown.numNodes);
        });
        const [whole, ...inside] = seen;
        expect(whole).toMatchObject({ numNodes: 10, numParts: 2 });
        const groups = [0, 1].map((host) => [...hosts.keys()].filter((node) => hosts[node] === host));
        for (const [g, nodes] of groups.filter(({ length }) => length > 0).entries()) {
          const { numNodes, numParts, inEdges, nodeWeights: weights, numConstraints } = inside[g]!;
          expect([numNodes, numParts]).toEqual([nodes.length, 2]);
          const isFirst = hosts[nodes[0]!] === 0;
          expect(numConstraints).toBe(isFirst ? 2 : 1);
          expect([...weights]).toEqual(nodes.flatMap((node) => (isFirst ? [2 * node + 1, 1] : [2 * node + 1])));
          const columns = nodes.map((_, i) => {
            const begin = Number(inEdges.indptr[i]);
            const end = Number(inEdges.indptr[i + 1]);
            return Array.from(inEdges.indices.subarray(begin, end), (src) => nodes[src]!);
          });
          expect(columns).toEqual(
            nodes.map((dst) => {
              const { indptr, indices } = input.inEdges;
              const all = [...indices.subarray(Number(indptr[dst]), Number(indptr[dst + 1]))];
              return all.filter((src) => nodes.includes(src));
            }),
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  test("of one part per host, or of one host, are one level", async () => {
    const { numNodes, edges } = shuffledCommunities(4);
    const input = await partitionInput(numNodes, edges, 4, 0);
    const streaming = (shown: PartitionInput) =>
      streamingPartitioner.assign(shown, streamingPartitioner.options.parse({}), never);
    const flat = await streaming(input);
    for (const partsPerHost of [1, 4]) expect(await assignByLevels(input, partsPerHost, streaming)).toEqual(flat);
  });

  test("are refused where parts do not fill their hosts", async () => {
    const input = await partitionInput(8, { src: [0], dst: [1] }, 4, 0);
    await expect(assignByLevels(input, 3, metis)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/partition/options/partsPerHost" },
    });
  });
});
