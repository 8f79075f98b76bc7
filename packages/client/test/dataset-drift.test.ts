import { describe, expect, it } from "vitest";
import { type DriftedGraph, datasetDrift } from "../src/index.ts";

type Columns = NonNullable<DriftedGraph["profile"]>["columns"];
type Numbers = NonNullable<Columns[number]["numbers"]>;

/** Bins of one width, from 0 on. */
function numbersIn(width: number, counts: number[], mean = 0): Numbers {
  const edges = Array.from({ length: counts.length + 1 }, (_, i) => i * width);
  return { min: 0, max: edges.at(-1)!, mean, deviation: 1, zeros: 0, histogram: { edges, counts } };
}

function graphWith(numbers: Numbers | null, { missing = 0, labels = {}, degrees = [1] } = {}): DriftedGraph {
  return {
    labelCounts: Object.entries(labels).map(([label, count]) => ({ label, count: count as number })),
    degreeHistogram: { edges: degrees.map((_, i) => i).concat(degrees.length), counts: degrees },
    profile: {
      columns: [{ table: "nodes", name: "age", role: "feature", rows: 100, missing, distinct: null, numbers }],
      columnsLeftOut: 0,
      degrees: { min: 0, median: 2, max: 9 },
      components: { count: 1, largest: 1 },
      sample: { nodes: { columns: [], rows: [] }, edges: { columns: [], rows: [] } },
      tellClass: [],
    },
  };
}

describe("drift between two versions of a dataset", () => {
  it("is nothing between a version and itself", () => {
    const graph = graphWith(numbersIn(1, [3, 1, 4]), { missing: 2, labels: { a: 1 }, degrees: [3, 2] });
    expect(datasetDrift(graph, structuredClone(graph))).toEqual([]);
  });

  it("is the largest difference of the shares below each number", () => {
    // Below 1: 1/2 and 1/4. Below 2: 3/4 and 1/4.
    const before = graphWith(numbersIn(1, [2, 1, 1], 1.25));
    const after = graphWith(numbersIn(1, [1, 0, 3], 2));
    expect(datasetDrift(before, after)).toEqual([
      { what: "nodes.age", kind: "values", distance: 0.5, before: 1.25, after: 2 },
    ]);
  });

  it("compares bins of two widths where both know how many values lie below, and guesses nothing between", () => {
    // One number far away makes the bins wide: what lies below 2 is not known of them.
    const before = graphWith(numbersIn(1, [5, 0, 0, 5]));
    const after = graphWith(numbersIn(4, [9, 0, 0, 1]));
    expect(datasetDrift(before, after)).toMatchObject([{ kind: "values", distance: expect.closeTo(0.1, 12) }]);
  });

  it("is whole where no value of one version lies among those of the other", () => {
    const low = graphWith(numbersIn(1, [4]));
    const high = graphWith({
      ...numbersIn(1, [0]),
      histogram: { edges: [100, 101], counts: [7] },
    });
    expect(datasetDrift(low, high)).toMatchObject([{ kind: "values", distance: 1 }]);
  });

  it("tells of classes, of what is missing and of degrees too, the largest first", () => {
    const before = graphWith(null, { missing: 10, labels: { a: 50, b: 50 }, degrees: [4, 4] });
    const after = graphWith(null, { missing: 40, labels: { a: 10, c: 90 }, degrees: [3, 5] });
    expect(datasetDrift(before, after)).toEqual([
      { what: "labels", kind: "labels", distance: 0.9, before: null, after: null },
      { what: "nodes.age", kind: "missing", distance: expect.closeTo(0.3, 12), before: 0.1, after: 0.4 },
      { what: "degrees", kind: "degrees", distance: 0.125, before: 2, after: 2 },
    ]);
  });

  it("leaves out columns that only one version has, and versions without a profile", () => {
    const before = graphWith(numbersIn(1, [1, 2]));
    expect(datasetDrift(before, { ...before, profile: null })).toEqual([]);
    expect(datasetDrift(before, graphWith(null))).toEqual([]);
  });
});
