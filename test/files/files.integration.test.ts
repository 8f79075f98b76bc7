import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idTexts, openNodeIds } from "../../packages/gnn-core/src/export/node-ids.ts";
import type { GraphInfo } from "../../packages/gnn-core/src/io/ingest/ingest-report.ts";
import type { ArtifactDir } from "../../packages/gnn-core/src/io/manifest.ts";
import { readNpy } from "../../packages/gnn-core/src/io/npy.ts";
import type { PreviewInfo } from "../../packages/gnn-core/src/io/preview/preview-info.ts";
import { ingestStep } from "../../packages/gnn-core/src/steps/ingest.step.ts";
import { mapStep } from "../../packages/gnn-core/src/steps/map.step.ts";
import { filesArtifact, runStep } from "../../packages/gnn-core/test/support/run-step.ts";
import type { ExpectedGraph, FileCase } from "./case.ts";
import { fileTables } from "./file-tables.ts";
import { hasPublished, publishedFile, publishedGraphs } from "./graph-files.ts";
import { hasNeo4jSample, neo4jSample } from "./neo4j-files.ts";
import { hasTriplesSample, triplesSample } from "./triple-files.ts";

// What somebody gets who uploads files and takes the proposal as it is: each row of the table is either read as that
// person expects, or refused, or comes with a warning that names the file or the column.

async function readAsProposed({ files, graph, warns = [], reports = [], refused }: FileCase): Promise<void> {
  const uploaded = await filesArtifact(files);
  const { manifest } = await runStep(mapStep, { files: uploaded }, mapStep.options.parse({}));
  const { proposed, warnings, files: looked } = manifest.info as PreviewInfo;
  for (const { name, bytes } of looked) if ((files[name]?.length ?? 1) > 0) expect(bytes, name).toBeGreaterThan(0);
  for (const warning of warns) expect(warnings).toContainEqual(expect.stringMatching(warning));
  if (graph === null && refused === undefined) return expect(proposed).toBeNull();
  const building = runStep(ingestStep, { files: uploaded }, proposed);
  if (refused) return expect(building).rejects.toThrow(refused);
  await expectGraph(await building, graph!, reports);
  // What needs no look is said by nobody: a warning in each case would soon be read by none.
  if (warns.length === 0) expect(warnings).toEqual([]);
}

async function expectGraph(built: ArtifactDir, expected: ExpectedGraph, reports: readonly RegExp[]): Promise<void> {
  const info = built.manifest.info as unknown as GraphInfo;
  const { numNodes, classes, features, splits, targets, directed, edgeTypes, report } = info;
  const known = { nodes: numNodes, edges: await pairsOf(built, directed) };
  expect(known).toEqual({ nodes: expected.nodes, edges: expected.edges });
  if (expected.ids) expect(await idsOf(built)).toEqual(expect.arrayContaining([...expected.ids]));
  if (expected.classes) expect(classes).toEqual(expected.classes);
  if (expected.unlabelled !== undefined) expect(numNodes - labelled(info)).toBe(expected.unlabelled);
  if (expected.features !== undefined) expect(features.dim).toBe(expected.features);
  if (expected.rows)
    expect(await featureRowsOf(built, features)).toEqual(expected.rows.map((row) => row.map(Math.fround)));
  if (expected.targets) expect(targets.map(({ name }) => name)).toEqual(expected.targets);
  if (expected.split) expect([splits.train, splits.val, splits.test]).toEqual(expected.split);
  if (expected.directed !== undefined) expect(directed).toBe(expected.directed);
  if (expected.edgeTypes) expect(edgeTypes).toEqual(expected.edgeTypes);
  if (expected.weighted !== undefined) expect(existsSync(join(built.dir, "edges/weight.npy"))).toBe(expected.weighted);
  for (const column of expected.sidesOfLinks ?? [])
    expect(existsSync(join(built.dir, `edges/${column}.npy`)), column).toBe(true);
  for (const warning of reports) expect(report.warnings).toContainEqual(expect.stringMatching(warning));
}

function labelled({ labelCounts }: GraphInfo): number {
  return labelCounts.reduce((sum, { count }) => sum + count, 0);
}

async function idsOf(graph: ArtifactDir): Promise<string[]> {
  const ids = await openNodeIds(graph);
  try {
    return idTexts(await ids.read(0, graph.manifest.info["numNodes"] as number));
  } finally {
    await ids.close();
  }
}

async function featureRowsOf({ dir }: ArtifactDir, { kind, dim }: GraphInfo["features"]): Promise<number[][]> {
  const read = async (name: string, type: "float32" | "int32") => [...(await readNpy(join(dir, name), type)).values];
  if (kind === "dense") {
    const values = await read("nodes/features.npy", "float32");
    return Array.from({ length: values.length / dim }, (_, row) => values.slice(row * dim, (row + 1) * dim));
  }
  const [data, indices] = [
    await read("nodes/features/data.npy", "float32"),
    await read("nodes/features/indices.npy", "int32"),
  ];
  const indptr = [...(await readNpy(join(dir, "nodes/features/indptr.npy"), "int64")).values].map(Number);
  return indptr.slice(1).map((end, row) => {
    const dense = Array.from({ length: dim }, () => 0);
    for (let at = indptr[row]!; at < end; at++) dense[indices[at]!] = data[at]!;
    return dense;
  });
}

/** Undirected edges are stored both ways. */
async function pairsOf(graph: ArtifactDir, directed: boolean): Promise<number> {
  const stored = (await readNpy(join(graph.dir, "graph/indices.npy"), "int32")).values.length;
  return directed ? stored : stored / 2;
}

for (const [table, cases] of fileTables)
  describe(table, () => {
    for (const one of cases) it(one.title, () => readAsProposed(one));
  });

describe.skipIf(!hasPublished)("published graphs in exchange formats", () => {
  it.each(publishedGraphs)(
    "%s has %i nodes and %i edges, as networkx counts them",
    async (name, nodes, edges, directed) => {
      const files = await filesArtifact({ [name]: publishedFile(name) });
      const { manifest } = await runStep(mapStep, { files }, mapStep.options.parse({}));
      const built = await runStep(ingestStep, { files }, (manifest.info as PreviewInfo).proposed);
      await expectGraph(built, { nodes, edges, directed }, []);
    },
  );
});

describe.skipIf(!hasNeo4jSample)("a published graph as files of Neo4j's bulk import", () => {
  it("has the nodes and relationships that were counted in it, though ids begin at 0 in each group", async () => {
    const files = await filesArtifact(neo4jSample());
    const { manifest } = await runStep(mapStep, { files }, mapStep.options.parse({}));
    const built = await runStep(ingestStep, { files }, (manifest.info as PreviewInfo).proposed);
    const edgeTypes = ["ACTED_IN", "DIRECTED", "rev_ACTED_IN", "rev_DIRECTED"];
    await expectGraph(built, { nodes: 12_772, edges: 18_644, edgeTypes }, []);
  });
});

describe.skipIf(!hasTriplesSample)("published triples", () => {
  it("has 63,382 that join two things, and 10,845 that end in a literal", async () => {
    const files = await filesArtifact(triplesSample());
    const { manifest } = await runStep(mapStep, { files }, mapStep.options.parse({}));
    const { proposed, warnings } = manifest.info as PreviewInfo;
    expect(warnings).toEqual([expect.stringContaining("10845 triples are left out, which end in a literal")]);
    const built = await runStep(ingestStep, { files }, proposed);
    expect((built.manifest.info as unknown as GraphInfo).report.edgeRows).toBe(63_382);
  });
});
