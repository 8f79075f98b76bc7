import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PartitionerComponent } from "../../src/components/define-partitioner.ts";
import type { PartitionInput } from "../../src/partition/partitioner.ts";
import { edgeArrays } from "../support/graphs.ts";
import { partitionInput } from "../support/partition-input.ts";

const never = new AbortController().signal;

/** What every partitioner promises. */
export function partitionerSuite(partitioner: PartitionerComponent): void {
  const assign = (input: PartitionInput) => partitioner.assign(input, partitioner.options.parse({}), never);

  describe(`partitioner ${partitioner.name}`, () => {
    test("puts every node into a part that exists, the same one each time", async () => {
      const cases = fc.integer({ min: 1, max: 30 }).chain((numNodes) =>
        fc.record({
          numNodes: fc.constant(numNodes),
          edges: edgeArrays(numNodes, 90),
          numParts: fc.integer({ min: 1, max: 5 }),
          seed: fc.nat(1000),
        }),
      );
      await fc.assert(
        fc.asyncProperty(cases, async ({ numNodes, edges, numParts, seed }) => {
          const input = await partitionInput(numNodes, edges, numParts, seed);
          const assignment = await assign(input);
          expect(assignment).toHaveLength(numNodes);
          expect(assignment.every((part) => part >= 0 && part < numParts)).toBe(true);
          expect(await assign(input)).toEqual(assignment);
        }),
        { numRuns: 40 },
      );
    });

    test("one part needs no thought", async () => {
      const input = await partitionInput(5, { src: [0, 1], dst: [1, 2] }, 1, 0);
      const unused = { ...input, adjacency: () => Promise.reject(new Error("asked for edges")) };
      expect([...(await assign(unused))]).toEqual([0, 0, 0, 0, 0]);
    });

    test("parts of a large enough graph hold equal shares of the nodes to 5 %", async () => {
      const numNodes = 2000;
      const src = Array.from({ length: 6000 }, (_, i) => (i * 7919) % numNodes);
      const dst = src.map((node, i) => (node + 1 + ((i * 31) % 97)) % numNodes);
      const assignment = await assign(await partitionInput(numNodes, { src, dst }, 4, 1));
      for (let part = 0; part < 4; part++) {
        const share = assignment.filter((p) => p === part).length / (numNodes / 4);
        expect(Math.abs(share - 1)).toBeLessThan(0.05);
      }
    });

    test("documents each of its options", () => {
      expect(partitioner.options.parse({})).toMatchObject({ numParts: "auto", haloHops: 1, seed: 0 });
    });
  });
}
