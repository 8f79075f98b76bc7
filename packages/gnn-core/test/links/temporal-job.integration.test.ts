import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { loadLinks } from "../../src/links/links-artifact.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { copyAs } from "../support/duckdb.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { seededRandom } from "../support/seeded-random.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000 });

const numNodes = 60;
const split = { type: "time", val: 0.1, test: 0.2 };

async function ingest(rows: readonly string[], directed = false) {
  const files = await filesArtifact({ "edges.csv": `src,dst,day\n${rows.join("\n")}\n` });
  const edges = { files: ["edges.csv"], src: "src", dst: "dst", time: "day" };
  return runStep(ingestStep, { files }, { edges, directed });
}

function someRows(): string[] {
  const random = seededRandom(5);
  const node = () => Math.floor(random() * numNodes);
  return Array.from({ length: 400 }, () => `n${node()},n${node()},${Math.floor(random() * 300)}`);
}

test("a job on links with times learns from the messages of its parts, by time, in any number of ranks", async () => {
  const graph = await ingest(someRows());
  const links = await runStep(splitLinksStep, { graph }, { split });
  const partition = { type: "random", options: { numParts: 2 } };
  const parts = await runStep(partitionStep, { graph, links }, { partition, edges: "messages" });

  const { graph: messages } = loadParts(parts);
  const nodeMap = (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
  const { times } = await loadLinks(links, messages, nodeMap);
  for (const { firstNode, numNodes: held, indptr, indices } of messages.parts) {
    for (let column = 0; column < held; column++) {
      const [begin, end] = [
        times!.messages.indptr[firstNode + column]!,
        times!.messages.indptr[firstNode + column + 1]!,
      ];
      const stored = indices.subarray(Number(indptr[column]), Number(indptr[column + 1]));
      expect(times!.messages.indices.slice(begin, end).toSorted()).toEqual(stored.toSorted());
      const inTime = times!.messages.times.slice(begin, end);
      expect(inTime).toEqual(inTime.toSorted());
    }
  }

  const options = {
    task: { type: "linkPrediction", split, dim: 16 },
    features: { embedding: { dim: 8 } },
    model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2 } },
    sampling: { type: "temporal", options: { fanouts: [5, 5], pick: "recent" } },
    train: { epochs: 2, batchSize: 64 },
  };
  const lossesOn = async (worldSize: number) => {
    const events: StepEvent[] = [];
    const onEvent = (event: StepEvent) => events.push(event);
    await runStepRanks(trainStep, { parts, links }, options, { worldSize, onEvent });
    return events.flatMap((event) =>
      event.type === "metrics" && "train/loss" in event.values ? [Number(event.values["train/loss"])] : [],
    );
  };
  const [one, two] = [await lossesOn(1), await lossesOn(2)];
  expect(one).toHaveLength(2);
  for (const [epoch, loss] of one.entries()) expect(Math.abs(two[epoch]! / loss - 1)).toBeLessThan(1e-5);
});

test("edges of two directions have times of their own, and repeated rows the earliest", async () => {
  const graph = await ingest(["a,b,5", "b,a,9", "a,b,3", "b,c,4"], true);
  const read = async (name: string) => [...(await readNpy(join(graph.dir, name), "int32")).values];
  // In-edges of a: b; of b: a; of c: b. Days 9, 3 and 4 by their places.
  expect(await read("graph/indices.npy")).toEqual([1, 0, 1]);
  expect(await read("edges/time.npy")).toEqual([2, 0, 1]);
});

test("dates, Unix seconds and timestamps of Parquet stand in one order; a day that there is not is told by its row", async () => {
  const read = async (graph: ArtifactDir) => [...(await readNpy(join(graph.dir, "edges/time.npy"), "int32")).values];
  const told = ["2024-05-31 10:20+02:00", "2024-05-31T09:00", "1717149600.5", "2024-05-31T12:00Z"];
  const rows = told.map((time, i) => `a${i},b${i},${time}`);
  // At 8:20, 9:00, 10:00 and half a second, and 12:00 of UTC; each edge stands in its one direction.
  const fromText = await ingest(rows, true);
  expect(await read(fromText)).toEqual([0, 1, 2, 3]);
  const values = ["08:20:00", "09:00:00", "10:00:00.5", "12:00:00"].map(
    (time, i) => `('a${i}', 'b${i}', TIMESTAMPTZ '2024-05-31 ${time}+00', TIMESTAMP '2024-05-31 ${time}')`,
  );
  const path = await copyAs("parquet", `SELECT * FROM (VALUES ${values.join(", ")}) AS edge(src, dst, zoned, plain)`);
  for (const time of ["zoned", "plain"]) {
    const files = await filesArtifact({ "edges.parquet": await readFile(path) });
    const edges = { files: ["edges.parquet"], reader: { type: "parquet" }, src: "src", dst: "dst", time };
    expect(await read(await runStep(ingestStep, { files }, { edges, directed: true }))).toEqual([0, 1, 2, 3]);
  }
  await expect(ingest(["a,b,2024-02-29", "b,c,2023-02-29"])).rejects.toMatchObject({
    code: "DATASET_VALUE_INVALID",
    place: { file: "edges.csv", line: 3, field: "day" },
    message: expect.stringContaining("2023-02-29"),
  });
});
