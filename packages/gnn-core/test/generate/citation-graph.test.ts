import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idTexts, openNodeIds } from "../../src/export/node-ids.ts";
import { trapIds, writeCitationGraph } from "../../src/generate/citation-graph.ts";
import { int64At, int64Words } from "../../src/io/int64.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { readNpy } from "../../src/io/npy.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

let dir: string;
let graph: ArtifactDir;
const size = { numNodes: 3000, numEdges: 24_000, featureDim: 16 };

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-citation-"));
  const made = await writeCitationGraph(join(dir, "a"), { ...size, gzip: true });
  expect(made).toMatchObject(size);
  const contents = Object.fromEntries(
    await Promise.all(
      [made.edgesFile, made.nodesFile].map(async (path) => [basename(path), await readFile(path)] as const),
    ),
  );
  graph = await runStep(
    ingestStep,
    { files: await filesArtifact(contents) },
    {
      edges: { files: ["edges.csv.gz"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv.gz"], id: "id", label: "label", split: "split", features: { columns: ["f0", "f1"] } },
      duplicates: "error",
      selfLoops: "keep",
    },
  );
});
afterAll(() => rm(dir, { recursive: true }));

describe("the made citation graph", () => {
  it("has the nodes and distinct edges asked for, no self-loops, ids of every kind", async () => {
    expect(graph.manifest.info).toMatchObject({ numNodes: 3000, numEdges: 2 * 24_000, idType: "string" });
    expect(graph.manifest.info["report"]).toMatchObject({ duplicateEdges: 0, selfLoops: 0, danglingIds: 0 });
    const ids = await openNodeIds(graph);
    expect(idTexts(await ids.read(0, 3000))).toEqual(expect.arrayContaining(trapIds));
    await ids.close();
  });

  it("has neighbours mostly of one class, and a few nodes with very many", async () => {
    const labels = (await readNpy(join(graph.dir, "nodes/labels.npy"), "int32")).values;
    const indices = (await readNpy(join(graph.dir, "graph/indices.npy"), "int32")).values;
    const offsets = int64Words((await readNpy(join(graph.dir, "graph/indptr.npy"), "int64")).values);
    let same = 0;
    const degrees: number[] = [];
    for (let node = 0; node < labels.length; node++) {
      const neighbours = indices.subarray(int64At(offsets, node), int64At(offsets, node + 1));
      same += neighbours.filter((other) => labels[other] === labels[node]).length;
      degrees.push(neighbours.length);
    }
    expect(same / indices.length).toBeGreaterThan(0.6);
    expect(same / indices.length).toBeLessThan(0.9);
    degrees.sort((a, b) => a - b);
    expect(degrees.at(-1)!).toBeGreaterThan(10 * degrees[1500]!);
  });

  it("is split into train, val, test and none as described", () => {
    const { train, val, test, none } = graph.manifest.info["splits"] as Record<string, number>;
    for (const [count, share] of [
      [train, 0.3],
      [val, 0.2],
      [test, 0.4],
      [none, 0.1],
    ] as const) {
      expect(Math.abs(count! / 3000 - share)).toBeLessThan(0.04);
    }
  });

  it("is the same bytes for the same seed, others for another", async () => {
    const small = { numNodes: 200, numEdges: 500, featureDim: 4 };
    const read = async (name: string, seed: number) => {
      const { edgesFile, nodesFile } = await writeCitationGraph(join(dir, name), { ...small, seed });
      return [await readFile(edgesFile, "utf8"), await readFile(nodesFile, "utf8")];
    };
    const first = await read("b", 1);
    expect(await read("c", 1)).toEqual(first);
    expect(await read("d", 2)).not.toEqual(first);
  });

  it("ends as CANCELLED when it is told to stop", async () => {
    const writing = writeCitationGraph(join(dir, "e"), { numNodes: 50, numEdges: 60 }, AbortSignal.abort());
    await expect(writing).rejects.toMatchObject({ name: "GnnError", code: "CANCELLED" });
  });
});
