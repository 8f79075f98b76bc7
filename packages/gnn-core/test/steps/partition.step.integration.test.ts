import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy, writeNpy } from "../../src/io/npy.ts";
import type { LoadedParts } from "../../src/partition/load-parts.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { smallGraphs } from "../support/arbitraries.ts";
import { type SmallGraph, tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";
import { choices, metis, partitionIn, random, range, streaming } from "./support/partitions.ts";

let temp: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  temp = await tempDir();
});
afterAll(() => temp.remove());

let numWritten = 0;
const partition = (graph: SmallGraph, options: unknown, onEvent?: (event: StepEvent) => void) =>
  partitionIn(temp.dir, graph, options, onEvent);
const randomSplitOf = (seed: number) => ({
  ...random(2),
  split: { type: "random", train: 0.5, val: 0.2, test: 0.3, seed },
});

/** Every stored edge as [src, dst, weight] in NodeIndex, in GlobalId order. */
function edgesOf({ graph }: LoadedParts, nodeMap: Int32Array): [number, number, number][] {
  return graph.parts.flatMap((part) =>
    Array.from({ length: part.numNodes }, (_, i) => i).flatMap((i) => {
      const begin = Number(part.indptr[i]);
      const end = Number(part.indptr[i + 1]);
      return Array.from({ length: end - begin }, (_, k): [number, number, number] => [
        nodeMap[part.indices[begin + k]!]!,
        nodeMap[part.firstNode + i]!,
        part.weights![begin + k]!,
      ]);
    }),
  );
}

// The properties run the whole step, files and all, several times.
describe("the partition step", { timeout: 60_000 }, () => {
  test("owns every node and every edge once, ascending, with its weight", async () => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), choices, async (graph, [choice, numParts]) => {
        const { parts, nodeMap, edgeMap } = await partition(graph, choice(numParts));
        expect([...nodeMap].toSorted((a, b) => a - b)).toEqual(Array.from({ length: graph.numNodes }, (_, i) => i));
        expect(parts.book.nodeOffsets).toHaveLength(numParts + 1);
        expect([...edgeMap].map(Number).toSorted((a, b) => a - b)).toEqual(graph.edges.map((_, i) => i));
        const expected = graph.edges.map(([src, dst], i) => [src, dst, graph.weights![i]!]);
        expect(edgesOf(parts, nodeMap).toSorted(byNumbers)).toEqual(expected.toSorted(byNumbers));
        for (const { indptr, indices, numNodes } of parts.graph.parts) {
          for (let i = 0; i < numNodes; i++) {
            const column = [...indices.subarray(Number(indptr[i]), Number(indptr[i + 1]))];
            expect(column).toEqual(column.toSorted((a, b) => a - b));
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  test("edge_map leads back to the edge of the ingested graph", async () => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), choices, async (graph, [choice, numParts]) => {
        const { input, parts, nodeMap, edgeMap } = await partition(graph, choice(numParts));
        const indptr = (await readNpy(join(input.dir, "graph/indptr.npy"), "int64")).values;
        const indices = (await readNpy(join(input.dir, "graph/indices.npy"), "int32")).values;
        const ingested = [...edgeMap].map((edge) => [
          indices[Number(edge)],
          indptr.findIndex((offset) => offset > edge) - 1,
        ]);
        expect(edgesOf(parts, nodeMap).map(([src, dst]) => [src, dst])).toEqual(ingested);
      }),
      { numRuns: 8 },
    );
  });

  test("types and features of the edges follow their edges", async () => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), choices, async (plain, [choice, numParts]) => {
        const edgeTypes = plain.edges.map((_, i) => i % 3);
        const edgeFeatures = plain.edges.map((_, i) => [i, -i / 2]);
        const { input, artifact, parts, edgeMap } = await partition(
          { ...plain, edgeTypes, edgeFeatures },
          choice(numParts),
        );
        const types = (await readNpy(join(input.dir, "edges/type.npy"), "int32")).values;
        const rows = (await readNpy(join(input.dir, "edges/features.npy"), "float32")).values;
        expect(parts.info.graph.edgeTypes).toEqual(["e0", "e1", "e2"]);
        expect(parts.edgeData.flatMap((data) => [...data.types!])).toEqual(
          Array.from(edgeMap, (edge) => types[Number(edge)]),
        );
        expect(parts.edgeData.flatMap(({ features }) => [...features!.values])).toEqual(
          [...edgeMap].flatMap((edge) => [...rows.subarray(2 * Number(edge), 2 * Number(edge) + 2)]),
        );
        expect(artifact.manifest.blobs.filter(({ name }) => name.endsWith("edge_features.npy"))).toHaveLength(numParts);
        const { book } = parts;
        const owners = book.edgeToPart(Float64Array.from(edgeMap.keys()));
        expect([...owners]).toEqual(parts.graph.parts.flatMap(({ indices }, part) => Array(indices.length).fill(part)));
      }),
      { numRuns: 8 },
    );
  });

  test("labels, splits and feature rows follow their nodes", async () => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), choices, async (graph, [choice, numParts]) => {
        const { parts, nodeMap } = await partition(graph, choice(numParts));
        expect([...parts.labels]).toEqual(Array.from(nodeMap, (node) => graph.labels![node]));
        expect([...parts.split]).toEqual(Array.from(nodeMap, (node) => graph.split![node]));
        const rows = parts.features!.gather(Int32Array.from(nodeMap.keys()));
        if (rows.kind === "dense" && graph.features?.kind === "dense") {
          const { features } = graph;
          expect([...rows.values]).toEqual([...nodeMap].flatMap((node) => [...features.rows[node]!]));
        } else if (rows.kind === "csr" && graph.features?.kind === "csr") {
          const { features } = graph;
          const pairs = Array.from(rows.indices, (column, i) => [column, rows.values[i]]);
          expect(pairs).toEqual([...nodeMap].flatMap((node) => features.rows[node]!.map((pair) => [...pair])));
          expect(rows.indptr.at(-1)).toBe(pairs.length);
        } else expect.fail("the kind of the features changed");
      }),
      { numRuns: 8 },
    );
  });

  test.each(["fp16", "int8"] as const)("%s rows are stored as such, near the values they stand for", async (dtype) => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), fc.integer({ min: 1, max: 4 }), async (graph, numParts) => {
        const options = (count: number) => ({ ...random(count), features: { dtype } });
        const { artifact, parts, nodeMap } = await partition(graph, options(numParts));
        expect(parts.info.graph.features.dtype).toBe(dtype);
        const npy = { fp16: "float16", int8: "int8" }[dtype];
        const stored = artifact.manifest.blobs.filter(({ name }) => /features(\/data)?\.npy$/.test(name));
        expect(stored.map((blob) => blob.dtype)).toEqual(Array(numParts).fill(npy));
        const exact = (await partition(graph, random(1))).parts.features!.gather(nodeMap);
        const found = parts.features!.gather(Int32Array.from(nodeMap.keys()));
        expect({ ...found, values: [] }).toEqual({ ...exact, values: [] });
        // Whole numbers up to 99 are binary16; a step of 1/255 of the range -99 … 99 is under 0.8.
        const bound = dtype === "fp16" ? 0 : 0.4;
        exact.values.forEach((value, i) => {
          expect(Math.abs(found.values[i]! - value)).toBeLessThanOrEqual(bound);
        });
        if (dtype === "int8") await sameScale(artifact, (await partition(graph, options(1))).artifact);
      }),
      { numRuns: 4 },
    );
  });

  test("a feature too large for fp16 is refused with its node and column", async () => {
    const features = {
      kind: "dense" as const,
      rows: [
        [0, 1],
        [2, 70_000],
        [0, 0],
      ],
    };
    const run = partition({ numNodes: 3, edges: [], features }, { ...random(1), features: { dtype: "fp16" } });
    await expect(run).rejects.toMatchObject({ code: "DATASET_VALUE_INVALID", message: /row 1, column 1 .*70000/ });
  });

  test("reports what a count over all edges finds", async () => {
    await fc.assert(
      fc.asyncProperty(smallGraphs(), choices, async (graph, [choice, numParts]) => {
        const { parts, nodeMap } = await partition(graph, choice(numParts));
        const globalIds = new Int32Array(graph.numNodes);
        nodeMap.forEach((node, globalId) => {
          globalIds[node] = globalId;
        });
        const partOf = parts.book.nodeToPart(globalIds);
        const cut = graph.edges.filter(([src, dst]) => partOf[src] !== partOf[dst]);
        const fetched = new Set(cut.map(([src, dst]) => `${src} to part ${partOf[dst]}`));
        const { report } = parts.info;
        expect(report.edgeCut).toBeCloseTo(graph.edges.length ? cut.length / graph.edges.length : 0, 12);
        expect(report.communicationVolume).toBe(fetched.size);
        expect(report.expectedRemoteReads).toBeCloseTo(cut.length / graph.numNodes, 12);
        const nodes = Array.from({ length: numParts }, (_, p) => partOf.filter((part) => part === p).length);
        expect(report.parts.map((part) => part.nodes)).toEqual(nodes);
        expect(report.imbalance.nodes).toBeCloseTo((Math.max(...nodes) * numParts) / graph.numNodes, 12);
        const train = Array.from(
          { length: numParts },
          (_, p) => graph.split!.filter((code, node) => code === 1 && partOf[node] === p).length,
        );
        expect(report.parts.map((part) => part.trainNodes)).toEqual(train);
        for (const [kind, field, code] of [
          ["val", "valNodes", 2],
          ["test", "testNodes", 3],
        ] as const) {
          const counts = Array.from(
            { length: numParts },
            (_, p) => graph.split!.filter((found, node) => found === code && partOf[node] === p).length,
          );
          expect(report.parts.map((part) => part[field])).toEqual(counts);
          const total = counts.reduce((sum, count) => sum + count, 0);
          expect(report.imbalance[kind]).toBeCloseTo(total > 0 ? (Math.max(...counts) * numParts) / total : 1, 12);
        }
        const halos = Array.from(
          { length: numParts },
          (_, p) => new Set(cut.filter(([, dst]) => partOf[dst] === p).map(([src]) => src)).size,
        );
        expect(report.parts.map((part) => part.haloNodes)).toEqual(halos);
      }),
      { numRuns: 8 },
    );
  });

  test("counts a halo of as many hops as asked for", async () => {
    // 0 → 1 → 2 → 3, two parts: whichever side of the path a part holds, hops add one node each until the end.
    const edges = Array.from({ length: 7 }, (_, i) => [i, i + 1] as const);
    const one = await partition({ numNodes: 8, edges }, metis(2));
    const three = await partition({ numNodes: 8, edges }, metis(2, { haloHops: 3 }));
    const last = (run: typeof one) =>
      run.parts.info.report.parts.map((part) => part.haloNodes).toSorted((a, b) => a - b);
    expect(last(one)).toEqual([0, 1]);
    expect(last(three)).toEqual([0, 3]);
  });

  test.each([metis, streaming])(
    "balances the nodes of each type when asked to (%#), and keeps their types",
    async (choice) => {
      const numNodes = 240;
      const nodeTypes = Array.from({ length: numNodes }, (_, node) => (node < 80 ? 0 : node < 200 ? 1 : -1));
      const edges = Array.from({ length: numNodes }, (_, node) => [node, (node * 7 + 1) % numNodes] as const);
      const ask = choice(2);
      const balanced = {
        partition: { ...ask.partition, options: { ...ask.partition.options, balance: ["nodeTypes"] } },
      };
      const { parts, nodeMap, artifact } = await partition({ numNodes, edges, nodeTypes }, balanced);
      const typesOf = (part: number) => {
        const { first, count } = parts.book.partToNodes(part);
        return Array.from(nodeMap.subarray(first, first + count), (node) => nodeTypes[node]);
      };
      for (const type of [0, 1]) {
        const counts = [0, 1].map((part) => typesOf(part).filter((found) => found === type).length);
        // One constraint alone is what ranges can even; of several they even the mean.
        if (choice !== range) expect(Math.max(...counts)).toBeLessThanOrEqual(1.06 * (type === 0 ? 40 : 60));
      }
      expect(parts.info.graph.nodeTypes).toEqual(["n0", "n1", "n2"]);
      for (const part of [0, 1]) {
        const stored = await readNpy(join(artifact.dir, `part${part}/type.npy`), "int32");
        expect([...stored.values]).toEqual(typesOf(part));
      }
    },
  );

  test.each([metis, streaming])(
    "balances the in-edges of each type's nodes when asked to (%#), which balancing all in-edges does not do",
    async (choice) => {
      // Papers hear from 12 others and authors from 2, in the order of a list that begins with the papers.
      const numNodes = 300;
      const nodeTypes = Array.from({ length: numNodes }, (_, node) => (node < 100 ? 0 : 1));
      const edges = nodeTypes.flatMap((type, dst) =>
        Array.from({ length: type === 0 ? 12 : 2 }, (_, k) => [(dst * 31 + k * 17 + 1) % numNodes, dst] as const),
      );
      const ask = choice(3);
      const balanced = {
        partition: { ...ask.partition, options: { ...ask.partition.options, balance: ["inEdgesByType"] } },
      };
      const { parts, nodeMap } = await partition({ numNodes, edges, nodeTypes }, balanced);
      const counted = [0, 1].map((type) =>
        [0, 1, 2].map((part) => {
          const { first, count } = parts.book.partToNodes(part);
          const own = new Set(nodeMap.subarray(first, first + count));
          return edges.filter(([, dst]) => own.has(dst) && nodeTypes[dst] === type).length;
        }),
      );
      for (const shares of counted) {
        const mean = shares.reduce((sum, share) => sum + share) / 3;
        expect(Math.max(...shares)).toBeLessThanOrEqual(1.1 * mean);
      }
      const { types = [] } = parts.info.report;
      expect(types.slice(0, 2).map(({ edges }) => edges)).toEqual(counted);
    },
  );

  test("a random split is stratified, keyed by its seed and leaves unlabelled nodes out", async () => {
    const labels = Array.from({ length: 100 }, (_, i) => (i < 10 ? -1 : i % 3));
    const graph = { numNodes: 100, edges: [[0, 1] as const], labels };
    const first = await partition(graph, randomSplitOf(1));
    const again = await partition(graph, randomSplitOf(1));
    const other = await partition(graph, randomSplitOf(2));
    expect(first.artifact.manifest.digest).toBe(again.artifact.manifest.digest);
    expect([...first.parts.split]).not.toEqual([...other.parts.split]);
    // 90 labelled nodes, 30 of each class: 15 + 6 + 9
    expect(first.parts.info.graph.splits).toEqual({ train: 3 * 15, val: 3 * 6, test: 3 * 9, none: 10 });
    for (let label = 0; label < 3; label++) {
      const train = first.parts.split.filter((code, i) => code === 1 && first.parts.labels[i] === label);
      expect(train).toHaveLength(15);
    }
  });

  test("says how far it has come", async () => {
    const events: StepEvent[] = [];
    await partition({ numNodes: 4, edges: [[0, 1]] }, random(3), (event) => events.push(event));
    for (const [phase, total] of Object.entries({ assign: 4, write: 3, measure: 3 })) {
      expect(events).toContainEqual(expect.objectContaining({ type: "progress", phase, completed: total, total }));
    }
  });

  test("a cancelled step ends as CANCELLED", async () => {
    const input = await writeGraphArtifact(join(temp.dir, `graph-${numWritten++}`), { numNodes: 4, edges: [[0, 1]] });
    const run = runStep(partitionStep, { graph: input }, metis(2), { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test.each([metis, random, streaming, range])("refuses a graph whose file is damaged", async (choose) => {
    const dir = join(temp.dir, `graph-${numWritten++}`);
    const input = await writeGraphArtifact(dir, {
      numNodes: 3,
      edges: [
        [0, 1],
        [1, 2],
      ],
    });
    await writeNpy(join(dir, "graph/indices.npy"), "int32", [2], Int32Array.of(0, 2_000_000_000));
    const partitioning = runStep(partitionStep, { graph: input }, choose(2));
    await expect(partitioning).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });

  test("names the option that is wrong", async () => {
    const run = partition({ numNodes: 2, edges: [] }, metis(2, { objective: "speed" }));
    await expect(run).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer: "/partition/options/objective" },
    });
  });
});

/** The codes mean the same however the graph is cut. */
async function sameScale(one: ArtifactDir, other: ArtifactDir): Promise<void> {
  for (const name of ["features_scale.npy", "features_offset.npy"]) {
    expect(await readNpy(join(one.dir, name))).toEqual(await readNpy(join(other.dir, name)));
  }
}

function byNumbers(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i < 0 ? 0 : a[i]! - b[i]!;
}
