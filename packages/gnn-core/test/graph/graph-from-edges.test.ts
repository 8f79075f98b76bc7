import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cscFromCoo } from "../../src/graph/csc-from-coo.ts";
import type { CscGraph } from "../../src/graph/csc-graph.ts";
import { graphFromEdges } from "../../src/graph/graph-from-edges.ts";
import { edgeArrays } from "../support/graphs.ts";

type Row = [src: number, dst: number];

function columnsOf({ parts: [part] }: CscGraph): Row[] {
  const { indptr, indices, numNodes } = part!;
  return Array.from({ length: numNodes }, (_, dst) => dst).flatMap((dst) =>
    Array.from(indices.subarray(Number(indptr[dst]), Number(indptr[dst + 1])), (src): Row => [src, dst]),
  );
}

function byDstThenSrc(a: Row, b: Row): number {
  return a[1] - b[1] || a[0] - b[0];
}

describe("cscFromCoo", () => {
  test("sorts by dst, src and row, and drops what it is told to, as a filtered sort does", async () => {
    const policy = fc.constantFrom("keep" as const, "drop" as const);
    await fc.assert(
      fc.asyncProperty(edgeArrays(9, 60), policy, policy, async ({ src, dst }, duplicates, selfLoops) => {
        const rows = src.map((u, row) => ({ src: u, dst: dst[row]!, row }));
        const loops = rows.filter((row) => row.src === row.dst).length;
        const seen = new Set<string>();
        const firstOf = rows.filter(({ src: u, dst: v }) => !seen.has(`${u},${v}`) && seen.add(`${u},${v}`));
        const kept = (duplicates === "drop" ? firstOf : rows).filter(
          (row) => selfLoops === "keep" || row.src !== row.dst,
        );
        const expected = kept.toSorted((a, b) => a.dst - b.dst || a.src - b.src || a.row - b.row);
        const csc = await cscFromCoo(Int32Array.from(src), Int32Array.from(dst), 9, { duplicates, selfLoops });
        expect([...csc.indices]).toEqual(expected.map((row) => row.src));
        expect([...csc.edgeIds]).toEqual(expected.map((row) => row.row));
        expect([...csc.indptr].map(Number)).toEqual(
          Array.from({ length: 10 }, (_, v) => expected.filter((row) => row.dst < v).length),
        );
        expect(csc.numSelfLoops).toBe(loops);
        const repeated = rows.filter((row) => !firstOf.includes(row) && (selfLoops === "keep" || row.src !== row.dst));
        expect(csc).toMatchObject({ numDuplicates: repeated.length, firstDuplicate: repeated[0]?.row ?? -1 });
      }),
    );
  });

  test("in both directions equals the list with every row but self-loops turned round", async () => {
    // Enough nodes for several ranges of columns.
    await fc.assert(
      fc.asyncProperty(
        edgeArrays(700, 900),
        fc.constantFrom("keep" as const, "drop" as const),
        async (edges, duplicates) => {
          const src = Int32Array.from(edges.src);
          const dst = Int32Array.from(edges.dst);
          const rows = edges.src.flatMap((u, row) => {
            const v = edges.dst[row]!;
            return u === v
              ? [{ u, v, row }]
              : [
                  { u, v, row },
                  { u: v, v: u, row },
                ];
          });
          const turned = await cscFromCoo(
            Int32Array.from(rows, ({ u }) => u),
            Int32Array.from(rows, ({ v }) => v),
            700,
            { duplicates },
          );
          const both = await cscFromCoo(src, dst, 700, { duplicates, bothDirections: true });
          expect(both.indptr).toEqual(turned.indptr);
          expect(both.indices).toEqual(turned.indices);
          expect([...both.edgeIds]).toEqual(Array.from(turned.edgeIds, (position) => rows[position]!.row));
          const seen = new Set<string>();
          const repeated = edges.src.flatMap((u, row) => {
            const pair = [u, edges.dst[row]!].toSorted((a, b) => a - b).join();
            return seen.has(pair) || !seen.add(pair) ? [row] : [];
          });
          expect(both).toMatchObject({ numDuplicates: repeated.length, firstDuplicate: repeated[0] ?? -1 });
        },
      ),
      { numRuns: 20 },
    );
  });

  test("names the row of an id that is out of range", async () => {
    const made = cscFromCoo(Int32Array.of(0, 1), Int32Array.of(1, 3), 3);
    await expect(made).rejects.toMatchObject({ code: "DATASET_NODE_UNKNOWN", message: /row 1 has destination 3/ });
    await expect(cscFromCoo(Int32Array.of(-1), Int32Array.of(0), 3)).rejects.toMatchObject({
      code: "DATASET_NODE_UNKNOWN",
    });
    await expect(cscFromCoo(new Int32Array(2), new Int32Array(1), 3)).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });

  test("no edges and no nodes are a graph", async () => {
    const csc = await cscFromCoo(new Int32Array(0), new Int32Array(0), 0);
    expect([...csc.indptr]).toEqual([0n]);
  });
});

describe("graphFromEdges", () => {
  test("directed: false stores both directions once, a self-loop once", async () => {
    const graph = await graphFromEdges({ src: [0, 1, 2], dst: [1, 0, 2], directed: false });
    expect(columnsOf(graph)).toEqual([
      [1, 0],
      [0, 1],
      [2, 2],
    ]);
    expect(graph).toMatchObject({ numNodes: 3, numEdges: 3 });
  });

  test("an undirected graph is symmetric", async () => {
    await fc.assert(
      fc.asyncProperty(edgeArrays(8, 40), async (edges) => {
        const graph = await graphFromEdges({ ...edges, numNodes: 8, directed: false });
        const columns = columnsOf(graph);
        expect(columns.map(([src, dst]): Row => [dst, src]).toSorted(byDstThenSrc)).toEqual(columns);
      }),
    );
  });

  test("a weight follows its edge in both directions", async () => {
    const graph = await graphFromEdges({ src: [2, 0], dst: [1, 1], weights: [0.5, 4], directed: false });
    const [part] = graph.parts;
    const weighted = columnsOf(graph).map((row, i) => [...row, part!.weights![i]]);
    expect(weighted).toEqual([
      [1, 0, 4],
      [0, 1, 4],
      [2, 1, 0.5],
      [1, 2, 0.5],
    ]);
  });

  test("numNodes leaves room for isolated nodes", async () => {
    expect(await graphFromEdges({ src: [0], dst: [1], numNodes: 5 })).toMatchObject({ numNodes: 5, numEdges: 1 });
    await expect(graphFromEdges({ src: [0], dst: [1], weights: [] })).rejects.toMatchObject({ code: "SHAPE_MISMATCH" });
  });
});
