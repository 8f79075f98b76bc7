import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { smallGraphs } from "../support/arbitraries.ts";
import { type SmallGraph, tempDir } from "../support/graph-artifact.ts";
import { choices, metis, partitionIn, random } from "./support/partitions.ts";

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
});
afterAll(() => temp.remove());

const partition = (graph: SmallGraph, options: unknown) => partitionIn(temp.dir, graph, options);

// The properties run the whole step, files and all, several times.
describe("the partition step on nodes of several types", { timeout: 60_000 }, () => {
  test("reports nodes, in-edges and halo of each type, as a search over all edges finds them", async () => {
    await fc.assert(
      fc.asyncProperty(
        smallGraphs(),
        fc.array(fc.integer({ min: -1, max: 2 }), { minLength: 20, maxLength: 20 }),
        choices,
        async (graph, types, [choice, numParts]) => {
          const nodeTypes = Array.from({ length: graph.numNodes }, (_, node) => types[node % 20]!);
          const { parts, nodeMap } = await partition({ ...graph, nodeTypes }, choice(numParts));
          const partOf = Array.from({ length: graph.numNodes }, () => 0);
          for (let part = 0; part < numParts; part++) {
            const { first, count } = parts.book.partToNodes(part);
            for (const node of nodeMap.subarray(first, first + count)) partOf[node] = part;
          }
          const { numTypes, byType } = { numTypes: 3, byType: parts.info.report.types! };
          for (let code = 0; code < numTypes; code++) {
            const isType = (node: number) => nodeTypes[node] === code;
            const ofPart = (count: (part: number) => number) => Array.from({ length: numParts }, (_, p) => count(p));
            const nodesOf = (part: number) => partOf.filter((p, node) => p === part && isType(node)).length;
            const edgesOfPart = (part: number) =>
              graph.edges.filter(([, dst]) => partOf[dst] === part && isType(dst)).length;
            const haloOf = (part: number) =>
              new Set(
                graph.edges.flatMap(([src, dst]) =>
                  partOf[dst] === part && partOf[src] !== part && isType(src) ? [src] : [],
                ),
              ).size;
            expect(byType[code]).toMatchObject({
              nodes: ofPart(nodesOf),
              edges: ofPart(edgesOfPart),
              haloNodes: ofPart(haloOf),
            });
          }
          const unknown = nodeTypes.includes(-1) ? ["(not known)"] : [];
          expect(byType.map(({ type }) => type)).toEqual(["n0", "n1", "n2", ...unknown]);
        },
      ),
      { numRuns: 12 },
    );
  });

  test("reports no types of a graph whose nodes are alike", async () => {
    const { parts } = await partition({ numNodes: 4, edges: [[0, 1]] }, random(2));
    expect(parts.info.report.types).toBeUndefined();
  });

  test.each(["nodeTypes", "inEdgesByType"])("refuses to balance more node types than can be (%s)", async (kind) => {
    const nodeTypes = Array.from({ length: 40 }, (_, node) => node);
    const run = partition({ numNodes: 40, edges: [], nodeTypes }, metis(2, { balance: [kind] }));
    await expect(run).rejects.toMatchObject({ code: "SPEC_INVALID", message: /40 node types/ });
  });
});
