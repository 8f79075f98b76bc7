import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir, StepEvent } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import { readPairs } from "../../src/links/links-artifact.ts";
import { loadParts } from "../../src/partition/load-parts.ts";
import { linksInfo } from "../../src/spec/links-info.ts";
import { bucketOf, findInBucket } from "../../src/spec/neighbor-lookup.ts";
import { recommendedInfo } from "../../src/spec/result-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { projectStep } from "../../src/steps/project.step.ts";
import { recommendStep } from "../../src/steps/recommend.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { seededRandom } from "../support/seeded-random.ts";

// Some seconds of work in all, which a machine with other work may stretch.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numNodes = 90;
const numGroups = 6;
const task = { type: "linkPrediction", split: { type: "random", val: 0.1, test: 0.2 }, dim: 16, newNeighbors: 5 };
const trainOptions = {
  task,
  features: { structural: { dim: 16 } },
  model: { type: "gcn", options: { hiddenFeats: 16, numLayers: 2, dropout: 0.1 } },
  sampling: { type: "full" },
  train: { epochs: 8, batchSize: 64, optimizer: { options: { lr: 0.02 } } },
};
const splitOptions = { split: task.split };

/** Nodes of one group are often linked, others seldom. Every third row is there again, turned around. */
function edgeRows(): string[] {
  const random = seededRandom(5);
  const rows: string[] = [];
  for (let a = 0; a < numNodes; a++) {
    for (let b = a + 1; b < numNodes; b++) {
      if (random() >= (a % numGroups === b % numGroups ? 0.4 : 0.01)) continue;
      rows.push(`n${a},n${b}`);
      if (rows.length % 3 === 0) rows.push(`n${b},n${a}`);
    }
  }
  return rows;
}

async function ingest(extra: object = {}, rows = edgeRows(), head = "src,dst"): Promise<ArtifactDir> {
  const files = await filesArtifact({ "edges.csv": `${head}\n${rows.join("\n")}\n` });
  return runStep(ingestStep, { files }, { edges: { files: ["edges.csv"], src: "src", dst: "dst", ...extra } });
}

/** Pairs in both directions, as text */
function namesOf({ src, dst }: { src: Int32Array; dst: Int32Array }): string[] {
  return Array.from(src, (from, i) => [`${from} ${dst[i]}`, `${dst[i]} ${from}`]).flat();
}

let graph: ArtifactDir;
let links: ArtifactDir;
let parts: ArtifactDir;
let model: ArtifactDir;
const events: StepEvent[] = [];
const partitionOptions = { partition: { type: "random", options: { numParts: 2 } }, edges: "messages" };

beforeAll(async () => {
  graph = await ingest();
  links = await runStep(splitLinksStep, { graph }, splitOptions);
  parts = await runStep(partitionStep, { graph, links }, partitionOptions);
  model = await runStepRanks(trainStep, { parts, links }, trainOptions, {
    worldSize: 1,
    onEvent: (event) => events.push(event),
  });
});

function valuesOf(of: readonly StepEvent[], name: string): number[] {
  return of.flatMap((event) => (event.type === "metrics" ? [event.values[name] ?? []].flat() : []));
}

test("no held-out link is an edge of the parts, in either direction, and the links cover the graph", async () => {
  const { graph: cut } = loadParts(parts);
  const nodeMap = (await readNpy(join(parts.dir, "node_map.npy"), "int32")).values;
  const messages = new Set<string>();
  for (const { firstNode, numNodes: count, indptr, indices } of cut.parts) {
    for (let node = 0; node < count; node++) {
      for (let e = Number(indptr[node]); e < Number(indptr[node + 1]); e++) {
        messages.add(`${nodeMap[indices[e]!]} ${nodeMap[firstNode + node]}`);
      }
    }
  }
  const heldOut = (["val", "test"] as const).flatMap((side) => namesOf(readPairs(links, side)));
  expect(heldOut.length).toBeGreaterThan(40);
  expect(heldOut.filter((pair) => messages.has(pair))).toEqual([]);
  expect(messages.size + heldOut.length).toBe(loadedEdges(graph));
  const none = (["val-negatives", "test-negatives"] as const).flatMap((side) => namesOf(readPairs(links, side)));
  expect(none.filter((pair) => messages.has(pair) || heldOut.includes(pair))).toEqual([]);
});

function loadedEdges({ manifest }: ArtifactDir): number {
  return manifest.info["numEdges"] as number;
}

test("the same seed draws the same split and the same pairs without a link, another seed others", async () => {
  const again = await runStep(splitLinksStep, { graph }, splitOptions);
  expect(again.manifest.digest).toBe(links.manifest.digest);
  const other = await runStep(splitLinksStep, { graph }, { ...splitOptions, splitSeed: 1 });
  expect([...readPairs(other, "test").src]).toEqual([...readPairs(links, "test").src]);
  expect([...readPairs(other, "test-negatives").src]).not.toEqual([...readPairs(links, "test-negatives").src]);
});

test("parts with the whole graph's edges, which would let held-out links carry messages, are refused", async () => {
  const whole = await runStep(partitionStep, { graph }, { partition: partitionOptions.partition });
  await expect(runStepRanks(trainStep, { parts: whole, links }, trainOptions, { worldSize: 1 })).rejects.toMatchObject({
    code: "MANIFEST_INVALID",
    message: expect.stringContaining("held-out links could carry messages"),
  });
  await expect(runStep(partitionStep, { graph }, partitionOptions)).rejects.toThrow("links");
});

test("every epoch tells the figures of val and the end those of test; two ranks tell what one does", async () => {
  const figures = ["auc", "ap", "mrr", "hits@10", "hits@50", "hits@100"];
  for (const name of figures) expect(valuesOf(events, `val/${name}`)).toHaveLength(8);
  expect(Object.keys(model.manifest.info["metrics"] as object)).toEqual(
    ["val", "test"].flatMap((side) => figures.map((name) => `${side}/${name}`)),
  );
  const ofTwo: StepEvent[] = [];
  await runStepRanks(trainStep, { parts, links }, trainOptions, { onEvent: (event) => ofTwo.push(event) });
  for (const name of ["train/loss", "val/auc", "val/mrr"]) {
    const expected = valuesOf(events, name);
    valuesOf(ofTwo, name).forEach((value, epoch) => expect(value).toBeCloseTo(expected[epoch]!, 5));
  }
});

describe("the results", () => {
  let remapped: ArtifactDir;
  let recommended: ArtifactDir;
  let exported: ArtifactDir;

  beforeAll(async () => {
    const inferred = await runStepRanks(inferStep, { parts, model }, {});
    remapped = await runStep(remapStep, { graph, parts, inferred }, {});
    recommended = await runStep(recommendStep, { graph, links, model, remapped }, {});
    exported = await runStep(
      exportStep,
      { graph, remapped, recommended },
      { predictions: { formats: ["csv", "parquet"] } },
    );
  });

  test("count the figures that training told, from the scores as they were written", () => {
    const { metrics } = recommendedInfo.parse(recommended.manifest.info);
    const told = model.manifest.info["metrics"] as Record<string, number>;
    expect(Object.keys(metrics)).toHaveLength(12);
    for (const [name, value] of Object.entries(metrics)) expect(value).toBeCloseTo(told[name]!, 6);
  });

  test("list of every node the likeliest others that it is not linked with, by the user's ids", async () => {
    const csv = (await readFile(join(exported.dir, "predictions.csv"), "utf8")).trim().split("\n");
    expect(csv[0]).toBe("id,rank,neighbor,score");
    const rows = csv.slice(1).map((line) => line.split(","));
    const linked = new Set(edgeRows().flatMap((row) => [row, row.split(",").toReversed().join(",")]));
    expect(rows.filter(([id, , neighbor]) => linked.has(`${id},${neighbor}`) || id === neighbor)).toEqual([]);
    const { values, shape } = await readNpy(join(remapped.dir, "embeddings.npy"), "float32");
    const ids = (await readFile(join(exported.dir, "pairs.csv"), "utf8")).trim().split("\n");
    expect(ids[0]).toBe("source,target,split,link,score");
    expect(ids).toHaveLength(1 + recommendedInfo.parse(recommended.manifest.info).numPairs);
    // Brute force over all nodes, by the inner product that the dot decoder is.
    const names = await idsInOrder();
    const scoreOf = (a: number, b: number) => {
      let sum = 0;
      for (let d = 0; d < shape[1]!; d++) sum += values[a * shape[1]! + d]! * values[b * shape[1]! + d]!;
      return sum;
    };
    for (const [node, name] of names.entries()) {
      const others = names.filter((other) => other !== name && !linked.has(`${name},${other}`));
      const best = others.map((other) => scoreOf(node, names.indexOf(other))).toSorted((a, b) => b - a);
      const found = rows.filter(([id]) => id === name).map(([, , , score]) => Number(score));
      expect(found).toHaveLength(5);
      found.forEach((score, rank) => expect(score).toBeCloseTo(best[rank]!, 4));
    }
  });

  test("find one node by its id with two reads", async () => {
    const { numBuckets } = recommendedInfo.parse(recommended.manifest.info);
    const text = await readFile(join(recommended.dir, "lists.jsonl"), "utf8");
    const offsets = (await readNpy(join(recommended.dir, "lists-offsets.npy"), "int64")).values;
    const bucket = bucketOf("n7", numBuckets);
    const part = text.slice(Number(offsets[bucket]), Number(offsets[bucket + 1]));
    const csv = await readFile(join(exported.dir, "predictions.csv"), "utf8");
    const listed = csv.split("\n").filter((line) => line.startsWith("n7,"));
    expect(findInBucket(part, "n7")?.map(([id]) => id)).toEqual(listed.map((line) => line.split(",")[2]));
    expect(findInBucket(part, "n")).toBeNull();
  });

  test("have a map of the embeddings, which are the rows that pairs are scored by", async () => {
    const projection = await runStep(projectStep, { graph, remapped }, {});
    expect(projection.manifest.info["numPoints"]).toBe(numNodes);
    expect(remapped.manifest.info["layer"]).toBe("output");
  });

  async function idsInOrder(): Promise<string[]> {
    const bytes = (await readNpy(join(graph.dir, "nodes/ids/bytes.npy"), "uint8")).values;
    const offsets = (await readNpy(join(graph.dir, "nodes/ids/offsets.npy"), "int64")).values;
    const text = (from: bigint, to: bigint) => Buffer.from(bytes.subarray(Number(from), Number(to))).toString();
    return Array.from({ length: offsets.length - 1 }, (_, i) => text(offsets[i]!, offsets[i + 1]!));
  }
});

describe("a split that the dataset gives", () => {
  const rows = [
    "a,b,train,2024-01-05",
    "b,c,train,2024-01-01",
    "b,a,test,2023-01-01",
    "c,d,val,2024-03-01",
    "d,a,,2024-02-01",
    "e,f,train,2020-01-01",
  ];
  const head = "src,dst,side,day";

  test("by a column holds a link out by any of its rows, its reverse included", async () => {
    const given = await ingest({ split: "side" }, rows, head);
    const found = await runStep(splitLinksStep, { graph: given }, { split: { type: "given" } });
    expect(linksInfo.parse(found.manifest.info)).toMatchObject({
      links: { train: 2, val: 1, test: 1 },
      numMessages: 4,
    });
  });

  test("by time holds out the newest links, each as old as its first row", async () => {
    const given = await ingest({ time: "day" }, rows, head);
    const split = { type: "time", val: 0.2, test: 0.2 };
    const found = await runStep(splitLinksStep, { graph: given }, { split });
    // e–f, a–b of 2023, b–c, d–a, c–d: nodes in the order of their first mention.
    expect(namesOf(readPairs(found, "test"))).toContain("2 3");
    expect(namesOf(readPairs(found, "val"))).toContain("0 3");
  });

  test.each([
    ["a word that names no side", ["a,b,train,1", "b,c,perhaps,2"], { split: "side" }, "side", "perhaps"],
    ["a cell that is no time", ["a,b,train,1", "b,c,val,soon"], { time: "day" }, "day", "soon"],
  ])("is refused with its place for %s", async (_what, bad, mapping, field, found) => {
    await expect(ingest(mapping, bad, head)).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { line: 3, field },
      message: expect.stringContaining(found),
    });
  });

  test("that the graph does not have is refused with the option that asks for it", async () => {
    for (const type of ["given", "time"]) {
      await expect(runStep(splitLinksStep, { graph }, { split: { type } })).rejects.toMatchObject({
        code: "SPEC_INVALID",
        place: { pointer: "/task/split" },
      });
    }
  });
});

test.each([
  [{ split: { type: "random", val: 0.001, test: 0.1 } }, "/task/split/val"],
  [{ disjoint: 0.000001 }, "/task/disjoint"],
  [{ evaluationNegatives: 200 }, "/task/evaluationNegatives"],
])("shares that leave nothing are refused with their place: %j", async (options, pointer) => {
  await expect(runStep(splitLinksStep, { graph }, options)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer },
  });
});
