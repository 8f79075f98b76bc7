import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ArtifactDir } from "../../src/index.ts";
import { datasetSpec } from "../../src/io/dataset-spec.ts";
import { graphInfo } from "../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../src/io/npy.ts";
import { splitEdgesInfo } from "../../src/spec/edge-rows-options.ts";
import { modelInfo } from "../../src/spec/model-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { splitEdgesStep } from "../../src/steps/split-edges.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { runStepRanks } from "../support/run-step-ranks.ts";
import { seededRandom } from "../support/seeded-random.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Users who follow each other and rate items: a rating is high where user and item are of one kind. */
function market(numUsers = 40, numItems = 30, numRatings = 400) {
  const random = seededRandom(3);
  const kindOf = (i: number) => i % 2;
  const rows = (letter: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${letter}${i},${(kindOf(i) + (random() - 0.5) / 2).toFixed(3)}`);
  const pairs = new Set<string>();
  while (pairs.size < numRatings) {
    pairs.add(`${Math.floor(random() * numUsers)},${Math.floor(random() * numItems)}`);
  }
  const ratings = Array.from(pairs, (pair, row) => {
    const [user = 0, item = 0] = pair.split(",").map(Number);
    const isLiked = kindOf(user) === kindOf(item);
    const opinion = row % 20 === 3 ? "" : isLiked ? "likes" : "hates";
    const side = row % 5 === 0 ? "test" : row % 5 === 1 ? "val" : "train";
    return { user, item, opinion, stars: isLiked ? 5 : 1, day: 1000 - row, side };
  });
  return {
    ratings,
    files: {
      "users.csv": `id,x\n${rows("u", numUsers).join("\n")}\n`,
      "items.csv": `id,x,y\n${rows("i", numItems)
        .map((row) => `${row},1`)
        .join("\n")}\n`,
      "follows.csv": `a,b\n${Array.from({ length: numUsers }, (_, i) => `u${i},u${(i + 2) % numUsers}`).join("\n")}\n`,
      "rates.csv": `user,item,opinion,stars,day,side,hour\n${ratings
        .map(
          ({ user, item, opinion, stars, day, side }, i) =>
            `u${user},i${item},${opinion},${stars},${day},${side},${i % 24}`,
        )
        .join("\n")}\n`,
    },
  };
}

const rates = {
  source: "user",
  name: "rates",
  target: "item",
  files: ["rates.csv"],
  src: "user",
  dst: "item",
  label: "opinion",
  targets: ["stars"],
  features: ["hour"],
  split: "side",
  time: "day",
};
const follows = { source: "user", name: "follows", target: "user", files: ["follows.csv"], src: "a", dst: "b" };
const nodeTypes = {
  item: { files: ["items.csv"], id: "id", features: { columns: ["x", "y"] } },
  user: { files: ["users.csv"], id: "id", features: { columns: ["x"] } },
};
const made = market();
// The labelled relation stands behind another one, so that its rows are not the first.
const mapping = { nodeTypes, relations: [follows, rates] };

let graph: ArtifactDir;
beforeAll(async () => {
  graph = await runStep(ingestStep, { files: await filesArtifact(made.files) }, mapping);
});

const splitEdges = (type: "given" | "time") =>
  runStep(splitEdgesStep, { graph }, { split: type === "given" ? { type } : { type, val: 0.2, test: 0.2 } });

describe("a relation with labels", () => {
  test("has its rows counted, and no other relation's", () => {
    const found = graphInfo.parse(graph.manifest.info).edgeRows!;
    expect(found).toMatchObject({ numRows: 400, classes: ["hates", "likes"], featureDim: 1, directed: true });
    expect(found.labelCounts.reduce((sum, { count }) => sum + count, 0)).toBe(380);
    expect(found.splits).toMatchObject({ train: 240, val: 80, test: 80 });
  });

  test("gives each of its rows its own ends, class, number, side and features", async () => {
    const { dir } = await splitEdges("given");
    const values = async (name: string, dtype: "int32" | "int8" | "float32") =>
      Array.from((await readNpy(join(dir, name), dtype)).values);
    const ends = await values("ends.npy", "int32");
    // Items come before users: NodeIndex counts type after type.
    expect(ends).toEqual(made.ratings.flatMap(({ user, item }) => [30 + user, item]));
    const codes = { "": -1, hates: 0, likes: 1 } as const;
    expect(await values("labels.npy", "int32")).toEqual(
      made.ratings.map(({ opinion }) => codes[opinion as keyof typeof codes]),
    );
    expect(await values("targets.npy", "float32")).toEqual(made.ratings.map(({ stars }) => stars));
    const sides = { train: 1, val: 2, test: 3 } as const;
    expect(await values("split.npy", "int8")).toEqual(
      made.ratings.map(({ side }) => sides[side as keyof typeof sides]),
    );
    const hours = await values("features.npy", "float32");
    const training = made.ratings.flatMap(({ side }, i) => (side === "train" ? [i % 24] : []));
    const mean = training.reduce((sum, hour) => sum + hour, 0) / training.length;
    const deviation = Math.sqrt(training.reduce((sum, hour) => sum + (hour - mean) ** 2, 0) / training.length);
    for (const [row, hour] of hours.entries()) expect(hour).toBeCloseTo(((row % 24) - mean) / deviation, 4);
  });

  test("has its newest edges held out by its time", async () => {
    const artifact = await splitEdges("time");
    expect(splitEdgesInfo.parse(artifact.manifest.info).splits).toMatchObject({ train: 240, val: 80, test: 80 });
    const split = (await readNpy(join(artifact.dir, "split.npy"), "int8")).values;
    expect(Array.from(split.subarray(0, 80)).every((code) => code === 3)).toBe(true);
  });

  test("has its classes learnt by a model of typed graphs", async () => {
    const edgeRows = await splitEdges("given");
    const parts = await runStep(partitionStep, { graph }, { partition: { type: "random", options: { numParts: 2 } } });
    const task = { type: "edgeClassification", target: "opinion", split: { type: "given" }, dim: 16, hiddenFeats: 16 };
    const options = {
      task,
      model: { type: "rsage", options: { hiddenFeats: 16, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 25, batchSize: 128, optimizer: { options: { lr: 0.03 } } },
    };
    const model = await runStepRanks(trainStep, { parts, edgeRows }, options, { worldSize: 1 });
    expect(modelInfo.parse(model.manifest.info).metrics["test/accuracy"]).toBeGreaterThan(0.9);
  });
});

test("edges of a relation that goes both ways are told apart by no end", async () => {
  const files = await filesArtifact({ ...made.files, "follows.csv": "a,b,label\nu0,u1,x\nu1,u2,y\n" });
  const labelled = { ...follows, reverse: "follows", label: "label" };
  const built = await runStep(ingestStep, { files }, { nodeTypes, relations: [labelled] });
  expect(graphInfo.parse(built.manifest.info).edgeRows).toMatchObject({ numRows: 2, directed: false });
});

test.each([
  ["labels of a second relation", [rates, { ...follows, label: "b2" }], /relation "rates" has labels or targets/],
  ["features without a label", [{ ...follows, features: ["c"] }], /goes with label or targets/],
  ["a label that is the weight", [{ ...rates, weight: "opinion" }], /models would see/],
  ["a split from two places", [{ ...rates, splitFiles: { val: ["rates.csv"], test: ["rates.csv"] } }], /only one/],
  [
    "files of a side that are no files of the relation",
    [{ ...rates, split: undefined, splitFiles: { val: ["a.csv"], test: ["rates.csv"] } }],
    /not among the files/,
  ],
])("%s are refused with their place", (_what, relations, message) => {
  const parsed = datasetSpec.safeParse({ nodeTypes, relations });
  expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
  expect(parsed.error?.issues[0]?.path[0]).toBe("relations");
});
