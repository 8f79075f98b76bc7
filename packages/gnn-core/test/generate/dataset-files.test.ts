import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { graphShapes, scaleShape } from "../../src/generate/graph-shape.ts";
import { type ShapedGraph, shapedGraph } from "../../src/generate/shaped-graph.ts";
import { writeDatasetFiles } from "../../src/generate/write-dataset-files.ts";
import { readNpy } from "../../src/io/npy.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

let dir: string;
let data: ShapedGraph;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-dataset-"));
  const shape = { ...scaleShape(graphShapes["papers100m-shaped"], 0.00001), trainShare: 0.4, featureDim: 3 };
  data = await shapedGraph(shape, 4);
});
afterAll(() => rm(dir, { recursive: true }));

test("what is written for upload is ingested to the same graph, labels, splits and features", async () => {
  const { edgesFile, nodesFile, featuresFile } = await writeDatasetFiles(dir, data);
  const files = await filesArtifact({
    "edges.csv": await readFile(edgesFile),
    "nodes.csv": await readFile(nodesFile),
    "features.npy": await readFile(featuresFile),
  });
  const graph = await runStep(
    ingestStep,
    { files },
    {
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { file: "features.npy" } },
      directed: false,
      duplicates: "error",
      selfLoops: "keep",
    },
  );
  const read = async (name: string) => [...(await readNpy(join(graph.dir, name))).values];
  const [part] = data.graph.parts;
  expect(await read("graph/indptr.npy")).toEqual([...(part?.indptr ?? [])]);
  expect(await read("graph/indices.npy")).toEqual([...(part?.indices ?? [])]);
  expect(await read("nodes/features.npy")).toEqual([...data.features]);
  expect(await read("nodes/split.npy")).toEqual([...data.split]);
  // Classes are numbered in the order of their names: class0, class1, class10 …
  const classes = graph.manifest.info["classes"] as string[];
  const names = (await read("nodes/labels.npy")).map((label) => classes[Number(label)] ?? null);
  expect(names).toEqual([...data.labels].map((label) => (label < 0 ? null : `class${label}`)));
});

test("a cancelled writing ends as CANCELLED", async () => {
  const writing = writeDatasetFiles(dir, data, { signal: AbortSignal.abort() });
  await expect(writing).rejects.toMatchObject({ name: "GnnError", code: "CANCELLED" });
});
