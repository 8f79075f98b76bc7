import { arbitraryGraph, karate, star } from "@hopwise/test-support";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ClassTellers } from "../../src/io/ingest/profile/class-tellers.ts";
import { measureComponents } from "../../src/io/ingest/profile/components.ts";
import { measureDegreeRange } from "../../src/io/ingest/profile/degree-range.ts";
import { NumberHistogram } from "../../src/io/ingest/profile/number-histogram.ts";
import { NumberProfile } from "../../src/io/ingest/profile/number-profile.ts";
import { maxDistinct, TextProfile } from "../../src/io/ingest/profile/text-profile.ts";

type Graph = { readonly numNodes: number; readonly src: readonly number[]; readonly dst: readonly number[] };

/** In-edges, compressed by destination. */
function csc({ numNodes, src, dst }: Graph) {
  const columns = Array.from({ length: numNodes }, (_, node) => src.filter((_src, edge) => dst[edge] === node));
  const offsets = [0];
  for (const column of columns) offsets.push(offsets.at(-1)! + column.length);
  return { indptr: BigInt64Array.from(offsets, BigInt), indices: Int32Array.from(columns.flat()) };
}

/** Sizes of the components, by a search from each node that was not reached yet. */
function componentSizes({ numNodes, src, dst }: Graph): number[] {
  const reached = new Set<number>();
  const sizes: number[] = [];
  for (let start = 0; start < numNodes; start++) {
    if (reached.has(start)) continue;
    const before = reached.size;
    const queue = [start];
    while (queue.length > 0) {
      const node = queue.pop()!;
      if (reached.has(node)) continue;
      reached.add(node);
      src.forEach((from, edge) => {
        if (from === node) queue.push(dst[edge]!);
        if (dst[edge] === node) queue.push(from);
      });
    }
    sizes.push(reached.size - before);
  }
  return sizes;
}

const float = fc.float({ noNaN: true, noDefaultInfinity: true });

describe("components", () => {
  it("is one of karate's club, and each node alone where there is no edge", () => {
    const club = csc(karate);
    expect(measureComponents(club.indptr, club.indices)).toEqual({ count: 1, largest: 34 });
    const none = csc({ numNodes: 5, src: [], dst: [] });
    expect(measureComponents(none.indptr, none.indices)).toEqual({ count: 5, largest: 1 });
  });

  it("agrees with a search from every node, whatever the direction of the edges", () => {
    fc.assert(
      fc.property(arbitraryGraph({ maxNodes: 30, maxEdges: 30 }), (graph) => {
        const { indptr, indices } = csc(graph);
        const sizes = componentSizes(graph);
        expect(measureComponents(indptr, indices)).toEqual({ count: sizes.length, largest: Math.max(...sizes) });
      }),
    );
  });

  it("stops when its progress says so", () => {
    const { indptr, indices } = csc(karate);
    const stop = () => {
      throw new Error("stopped");
    };
    expect(() => measureComponents(indptr, indices, stop)).toThrow("stopped");
  });
});

describe("degrees", () => {
  it("of a star are those of its centre and its leaves", () => {
    expect(measureDegreeRange(csc(star(9)).indptr)).toMatchObject({ max: expect.any(Number) });
  });

  it("agree with the sorted list of degrees on any graph", () => {
    fc.assert(
      fc.property(arbitraryGraph({ maxNodes: 20 }), (graph) => {
        const degrees = Array.from({ length: graph.numNodes }, (_, node) => graph.dst.filter((d) => d === node).length);
        const sorted = degrees.toSorted((a, b) => a - b);
        const median = sorted[Math.ceil(sorted.length / 2) - 1];
        expect(measureDegreeRange(csc(graph).indptr)).toEqual({ min: sorted[0], median, max: sorted.at(-1) });
      }),
    );
  });
});

describe("histograms of numbers", () => {
  const histogramOf = (values: readonly number[], isWhole = false) => {
    const histogram = new NumberHistogram();
    for (const value of values) histogram.add(value);
    return histogram.finish(isWhole);
  };

  it("has bins of 1 for small whole numbers", () => {
    expect(histogramOf([3, 1, 3], true)).toEqual({ edges: [1, 2, 3, 4], counts: [1, 0, 2] });
  });

  it("counts every number in the bin that holds it, on any numbers", () => {
    fc.assert(
      fc.property(fc.array(float, { minLength: 1, maxLength: 60 }), (values) => {
        const { edges, counts } = histogramOf(values);
        const brute = counts.map((_, i) => values.filter((v) => v >= edges[i]! && v < edges[i + 1]!).length);
        expect(counts).toEqual(brute);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
        expect(counts.length).toBeLessThanOrEqual(24);
        expect([counts[0], counts.at(-1)].every((count) => count! > 0)).toBe(true);
      }),
    );
  });

  it("is as fine as 24 bins allow: half as wide a bin would need more", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 40 }), (values) => {
        const { edges } = histogramOf(values);
        const width = (edges[1]! - edges[0]!) / 2;
        const bins = values.map((value) => Math.floor(value / width));
        expect(Math.max(...bins) - Math.min(...bins)).toBeGreaterThanOrEqual(24);
      }),
    );
  });

  it("does not depend on the order of the numbers", () => {
    fc.assert(
      fc.property(fc.array(float, { maxLength: 40 }), (values) => {
        expect(histogramOf(values.toReversed())).toEqual(histogramOf(values));
        expect(histogramOf(values.toSorted((a, b) => a - b))).toEqual(histogramOf(values));
      }),
    );
  });
});

describe("columns of numbers", () => {
  it("agree with formulas over all values, empty cells left out", () => {
    const cell = fc.oneof(fc.float({ min: -1000, max: 1000, noNaN: true }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 50 }), (cells) => {
        const profile = new NumberProfile();
        for (const value of cells) profile.add(value);
        const known = cells.filter((value) => !Number.isNaN(value));
        expect(profile.missing).toBe(cells.length - known.length);
        const facts = profile.finish();
        expect(facts === null).toBe(known.length === 0);
        if (facts === null) return;
        const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
        const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length;
        expect(facts.mean).toBeCloseTo(mean, 6);
        expect(facts.deviation).toBeCloseTo(Math.sqrt(variance), 6);
        expect(facts).toMatchObject({ zeros: known.filter((value) => value === 0).length });
        expect(facts.min).toBeCloseTo(Math.min(...known), 10);
        expect(facts.max).toBeCloseTo(Math.max(...known), 10);
      }),
    );
  });
});

describe("columns of texts", () => {
  it("counts what is empty, or said to be not known, and what differs", () => {
    const profile = new TextProfile(["NA"]);
    for (const cell of ["a", " b ", "b", "", null, "NA", " "]) profile.add(cell);
    expect([profile.missing, profile.distinct]).toEqual([4, 2]);
  });

  it("stops counting where there are too many", () => {
    const profile = new TextProfile([]);
    for (let i = 0; i < maxDistinct; i++) profile.add(`text ${i}`);
    expect(profile.distinct).toBe(maxDistinct);
    profile.add("one more");
    expect(profile.distinct).toBeNull();
  });
});

describe("columns that tell the class", () => {
  const tellers = (columns: readonly number[][], labels: readonly number[]) => {
    const found = new ClassTellers(columns.length);
    // In two batches, as files are read.
    for (const part of [0, 1]) {
      const cut = <T>(values: readonly T[]) => values.filter((_, i) => i % 2 === part);
      found.add(
        columns.map((column) => Float64Array.from(cut(column))),
        Int32Array.from(cut(labels)),
      );
    }
    return found.finish();
  };

  it("is the code of the class, and no column that two classes share", () => {
    const labels = [0, 0, 1, 1, -1];
    expect(
      tellers(
        [
          [7, 7, 9, 9, 9],
          [7, 7, 9, 7, 9],
        ],
        labels,
      ),
    ).toEqual([0]);
  });

  it("is none whose values mostly occur once, and none of a single class", () => {
    expect(tellers([[1, 2, 3, 4]], [0, 0, 1, 1])).toEqual([]);
    expect(tellers([[1, 1, 2, 2]], [0, 0, 0, 0])).toEqual([]);
  });

  it("agrees with a comparison of all pairs of rows", () => {
    const row = fc.tuple(fc.nat(4), fc.integer({ min: -1, max: 2 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 25 }), (rows) => {
        const known = rows.filter(([, label]) => label >= 0);
        const clash = known.some(([a, x]) => known.some(([b, y]) => a === b && x !== y));
        const isMany = 2 * new Set(known.map(([value]) => value)).size <= known.length;
        const classes = new Set(known.map(([, label]) => label)).size;
        const expected = !clash && isMany && classes > 1 ? [0] : [];
        expect(
          tellers(
            [rows.map(([value]) => value)],
            rows.map(([, label]) => label),
          ),
        ).toEqual(expected);
      }),
    );
  });
});
