import { expect, test } from "vitest";
import { type ComparedVersion, versionDifferences } from "../../src/services/dataset-difference.ts";

const version: ComparedVersion = {
  files: [
    { name: "edges.csv", sha256: "aaaa" },
    { name: "nodes.csv", sha256: "bbbb" },
  ],
  spec: { directed: false, nodes: { label: "kind" } },
  graph: {
    numNodes: 1000,
    numEdges: 4000,
    numFeatures: 3,
    classes: ["fish", "bird"],
    splits: [{ split: "train", count: 600 }],
    homophily: { share: 0.5 },
    profile: { components: { count: 1, largest: 1000 } },
  },
  report: { duplicateEdges: 0, selfLoops: 2, isolatedNodes: 0 },
};

test("nothing differs between a version and itself", () => {
  expect(versionDifferences(version, structuredClone(version))).toEqual([]);
});

test("files, figures and the mapping are compared, and only what differs is listed", () => {
  const after: ComparedVersion = {
    ...version,
    files: [
      { name: "edges.csv", sha256: "cccc" },
      { name: "more.csv", sha256: "dddd" },
    ],
    spec: { directed: true, nodes: { label: "kind" } },
    graph: { ...version.graph!, numNodes: 1200, classes: ["fish", "bird", "plant"], homophily: null },
    report: { ...version.report!, selfLoops: 0 },
  };
  expect(versionDifferences(version, after)).toEqual([
    { what: "File edges.csv", before: "aaaa…", after: "cccc…" },
    { what: "File more.csv", before: "–", after: "dddd…" },
    { what: "File nodes.csv", before: "bbbb…", after: "–" },
    { what: "Nodes", before: "1,000", after: "1,200" },
    { what: "Classes", before: "fish, bird", after: "fish, bird, plant" },
    { what: "Edge homophily", before: "50.0 %", after: "–" },
    { what: "Self-loops", before: "2", after: "0" },
    { what: "Mapping: directed", before: "false", after: "true" },
  ]);
});

test("a version of before profiles has no components to compare, which is shown as not known", () => {
  const older: ComparedVersion = { ...version, graph: { ...version.graph!, profile: null } };
  expect(versionDifferences(older, version)).toEqual([
    { what: "Components", before: "–", after: "1" },
    { what: "Nodes of the largest component", before: "–", after: "1,000" },
  ]);
});
