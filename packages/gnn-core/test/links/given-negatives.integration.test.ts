import { beforeAll, expect, test, vi } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { learnableColumns } from "../../src/io/dataset-labels.ts";
import { datasetSpec } from "../../src/io/dataset-spec.ts";
import { readPairs } from "../../src/links/links-artifact.ts";
import { linksInfo } from "../../src/spec/links-info.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { recommendedInfo } from "../../src/spec/result-info.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { recommendStep } from "../../src/steps/recommend.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { splitLinksStep } from "../../src/steps/split-links.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { linkPrediction } from "../../src/tasks/link-prediction.task.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const numNodes = 40;
/** A circle with chords: i – i+1 and i – i+2; the chords of the last nodes are held out. */
const links = Array.from({ length: numNodes }, (_, i) => i).flatMap((i) => [
  `n${i},n${(i + 1) % numNodes},train`,
  `n${i},n${(i + 2) % numNodes},${i >= 36 ? "test" : i >= 32 ? "val" : "train"}`,
]);
// As many for the links of a side as the file has, here seven for four and nine for four.
const far = (count: number, step: number) => Array.from({ length: count }, (_, i) => [i, i + step] as const);
const pairs = { val: far(7, 11), test: far(9, 17) };
const csv = (rows: readonly (readonly [number, number])[]) =>
  `src,dst\n${rows.map(([from, to]) => `n${from},n${to}`).join("\n")}\n`;
const files = {
  "edges.csv": `src,dst,split\n${links.join("\n")}\n`,
  "val.csv": csv(pairs.val),
  "test.csv": csv(pairs.test),
};
const negatives = { val: ["val.csv"], test: ["test.csv"] };
const mapping = { edges: { files: ["edges.csv"], src: "src", dst: "dst", split: "split", negatives } };
const options = { split: { type: "given" }, keptNegatives: "given" };

const ingest = async (changed: Record<string, string> = {}) =>
  runStep(ingestStep, { files: await filesArtifact({ ...files, ...changed }) }, mapping);

let graph: ArtifactDir;
beforeAll(async () => {
  graph = await ingest();
});

test("held-out links are judged against the pairs of the files, in their order and as many as they are", async () => {
  const split = await runStep(splitLinksStep, { graph }, options);
  expect(linksInfo.parse(split.manifest.info)).toMatchObject({
    links: { val: 4, test: 4 },
    negatives: { val: 7, test: 9 },
  });
  for (const side of ["val", "test"] as const) {
    const found = readPairs(split, `${side}-negatives`);
    // Without a table of nodes, NodeIndex counts ids in the order in which the edges name them: n0, n1, n2 …
    expect(Array.from(found.src, (src, i) => [src, found.dst[i]])).toEqual(pairs[side]);
  }
});

test("a job trains and is judged by them, and draws its own where they are not asked for", async () => {
  const split = await runStep(splitLinksStep, { graph }, options);
  const partition = { partition: { type: "random", options: { numParts: 1 } }, edges: "messages" };
  const parts = await runStep(partitionStep, { graph, links: split }, partition);
  const training = {
    task: { type: "linkPrediction", ...options, dim: 8 },
    features: { embedding: { dim: 8 } },
    model: { type: "gcn", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
    sampling: { type: "full" },
    train: { epochs: 2, batchSize: 32 },
  };
  const model = await runStepRanks(trainStep, { parts, links: split }, training, { worldSize: 1 });
  const { metrics } = modelInfo.parse(model.manifest.info);
  // Four links against nine pairs: the area is a number of 36ths, halves for ties.
  const area = 72 * metrics["test/auc"]!;
  expect(area).toBeCloseTo(Math.round(area), 4);
  const drawn = await runStep(splitLinksStep, { graph }, { split: { type: "given" } });
  expect(linksInfo.parse(drawn.manifest.info).negatives).toEqual({ val: 4, test: 4 });
});

test.each([
  ["a pair that is a link", "DATASET_VALUE_INVALID", { "val.csv": "src,dst\nn0,n11\nn5,n4\n" }, "val.csv", 3],
  ["a pair of a node with itself", "DATASET_VALUE_INVALID", { "test.csv": "src,dst\nn3,n3\n" }, "test.csv", 2],
  ["a pair of the other side, turned around", "DATASET_DUPLICATE", { "test.csv": "src,dst\nn11,n0\n" }, "test.csv", 2],
  ["an end that is no node", "DATASET_NODE_UNKNOWN", { "test.csv": "src,dst\nn0,x\n" }, "test.csv", 2],
])("%s is refused with its file and line", async (_what, code, changed, file, line) => {
  await expect(ingest(changed as Record<string, string>)).rejects.toMatchObject({ code, place: { file, line } });
});

test("a graph that was built without them is refused at the task's option", async () => {
  const built = await runStep(
    ingestStep,
    { files: await filesArtifact(files) },
    {
      edges: { ...mapping.edges, negatives: undefined },
    },
  );
  await expect(runStep(splitLinksStep, { graph: built }, options)).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/task/keptNegatives" },
  });
});

test.each([
  ["no files of pairs", { negatives: undefined }, {}, /no files of pairs/],
  ["a split that is drawn", {}, { split: { type: "random" } }, /choose the split given/],
])("%s: such negatives are refused before anything runs", (_what, edges, changed, message) => {
  const dataset = learnableColumns(datasetSpec.parse({ edges: { ...mapping.edges, ...edges } }));
  const asked = linkPrediction.options.parse({ ...options, ...changed });
  expect(linkPrediction.check(asked, dataset)).toMatchObject({
    option: "keptNegatives",
    message: expect.stringMatching(message),
  });
});

test("a file of pairs that is one of edges is refused in the mapping", () => {
  const parsed = datasetSpec.safeParse({ edges: { ...mapping.edges, files: ["edges.csv", "val.csv"] } });
  expect(parsed.error?.issues[0]).toMatchObject({ path: ["edges", "negatives"] });
});

/**
 * Both kinds of edges go round in a circle, one by single steps and one by double ones; held-out ones are the last.
 * What is no edge of one kind may be one of the other.
 */
const typed = {
  "edges.csv": `src,dst,kind,split\n${Array.from({ length: numNodes }, (_, i) => [
    `n${i},n${(i + 1) % numNodes},near,${i >= 37 ? "test" : i >= 34 ? "val" : "train"}`,
    `n${i},n${(i + 2) % numNodes},far,${i >= 36 ? "test" : i >= 33 ? "val" : "train"}`,
  ])
    .flat()
    .join("\n")}\n`,
  // Three beside the three links of `near`, five beside the three of `far`
  "val.csv":
    "src,dst,kind\nn0,n2,near\nn1,n3,near\nn2,n0,near\nn0,n1,far\nn1,n2,far\nn2,n3,far\nn3,n4,far\nn1,n0,far\n",
  "test.csv": "src,dst,kind\nn5,n7,near\nn8,n5,near\nn5,n6,far\nn6,n7,far\nn7,n6,far\n",
};
const typedMapping = { edges: { ...mapping.edges, type: "kind" }, directed: true };
const each = { ...options, relations: "each" };

const ingestTyped = async (changed: Record<string, string> = {}) =>
  runStep(ingestStep, { files: await filesArtifact({ ...typed, ...changed }) }, typedMapping);

test("pairs of edges with types are of a type each, and stand beside the links of that type", async () => {
  const built = await ingestTyped();
  const split = await runStep(splitLinksStep, { graph: built }, each);
  const found = readPairs(split, "val-negatives");
  // Names of types are sorted: far is 0, near is 1.
  expect(Array.from(found.src, (src, i) => [src, found.dst[i], found.relations![i]])).toEqual([
    [0, 2, 1],
    [1, 3, 1],
    [2, 0, 1],
    [0, 1, 0],
    [1, 2, 0],
    [2, 3, 0],
    [3, 4, 0],
    [1, 0, 0],
  ]);
  const partition = { partition: { type: "random", options: { numParts: 1 } }, edges: "messages" };
  const parts = await runStep(partitionStep, { graph: built, links: split }, partition);
  const training = {
    task: { type: "linkPrediction", ...each, decoder: { type: "distMult" }, dim: 8 },
    features: { embedding: { dim: 8 } },
    model: { type: "shallow" },
    sampling: { type: "full" },
    train: { epochs: 2, batchSize: 32 },
  };
  const model = await runStepRanks(trainStep, { parts, links: split }, training, { worldSize: 1 });
  const inferred = await runStepRanks(inferStep, { parts, model }, {});
  const remapped = await runStep(remapStep, { graph: built, parts, inferred }, {});
  const recommended = await runStep(recommendStep, { graph: built, links: split, model, remapped }, {});
  const { byRelation } = recommendedInfo.parse(recommended.manifest.info);
  expect(byRelation.map(({ relations, numLinks }) => [...relations, numLinks])).toEqual([
    ["far", { val: 3, test: 4 }],
    ["near", { val: 3, test: 3 }],
  ]);
  // Areas are counts of pairs, halves for ties: three links before five pairs, and three before three.
  const areas = byRelation.map(({ metrics }) => metrics["val/auc"]!);
  for (const [i, count] of [15, 9].entries()) {
    expect(2 * count * areas[i]!).toBeCloseTo(Math.round(2 * count * areas[i]!), 4);
  }
});

test("where links are pairs whatever their type, what is a link of another type is refused with its row", async () => {
  const built = await ingestTyped();
  await expect(runStep(splitLinksStep, { graph: built }, options)).rejects.toMatchObject({
    code: "DATASET_VALUE_INVALID",
    place: { line: 1 },
  });
  const apart = await ingestTyped({
    "val.csv": "src,dst,kind\nn0,n9,near\nn1,n9,far\n",
    "test.csv": "src,dst,kind\nn2,n9,near\n",
  });
  const split = await runStep(splitLinksStep, { graph: apart }, options);
  expect(readPairs(split, "val-negatives").relations).toBeUndefined();
});

test.each([
  ["a link of its type", "DATASET_VALUE_INVALID", "n4,n5,near"],
  ["of a type that no edge has", "DATASET_VALUE_INVALID", "n4,n9,beside"],
  ["there twice", "DATASET_DUPLICATE", "n0,n2,near"],
])("a pair with a type that is %s is refused with its file and line", async (_what, code, row) => {
  await expect(ingestTyped({ "test.csv": `src,dst,kind\nn5,n9,near\n${row}\n` })).rejects.toMatchObject({
    code,
    place: { file: "test.csv", line: 3 },
  });
});
