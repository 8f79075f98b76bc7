import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SeededRandom } from "../../src/generate/random.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { tempDir, writeGraphArtifact } from "../support/graph-artifact.ts";
import { runStep } from "../support/run-step.ts";

const numNodes = 8000;
const dim = 60_000;
const numClasses = 4;
const wordsPerNode = 12;
/** What the features alone would take if they were made dense: 1.9 GB. */
const denseBytes = numNodes * dim * 4;

let temp: Awaited<ReturnType<typeof tempDir>>;
let graph: ArtifactDir;
beforeAll(async () => {
  temp = await tempDir();
  const random = new SeededRandom(3);
  const labels = Array.from({ length: numNodes }, () => random.integer(numClasses));
  // Words of a class lie in its quarter of the vocabulary, one in four of them anywhere.
  const wordOf = (label: number) =>
    random.integer(4) === 0 ? random.integer(dim) : label * (dim / numClasses) + random.integer(600);
  const words = labels.map((label) => [...new Set(Array.from({ length: wordsPerNode }, () => wordOf(label)))]);
  const rows = words.map((row) => row.toSorted((a, b) => a - b).map((column) => [column, 1] as const));
  const edges = Array.from(
    { length: 4 * numNodes },
    () => [random.integer(numNodes), random.integer(numNodes)] as const,
  );
  const split = labels.map((_, node) => (node % 4 === 0 ? 1 : node % 4 === 1 ? 2 : 3));
  const features = { kind: "csr" as const, dim, rows };
  const edgeTypes = edges.map((_, i) => i % 3);
  graph = await writeGraphArtifact(temp.dir, { numNodes, edges, edgeTypes, labels, split, features });
});
afterAll(() => temp.remove());

const models = (await loadRegistry())
  .list("model")
  .filter(({ readsFeatures }) => readsFeatures !== false)
  .map(({ name }) => name);

describe("60,000 sparse columns are never made dense", () => {
  test.each(models)("from partition to inference of the model %s", async (type) => {
    const before = process.resourceUsage().maxRSS * 1024;
    const dtype = "int8";
    const parts = await runStep(
      partitionStep,
      { graph },
      { partition: { type: "random", options: { numParts: 2 } }, features: { dtype } },
    );
    const model = await runStep(
      trainStep,
      { parts },
      {
        task: { target: "label" },
        features: { dtype, transforms: ["rowNormalize", "standardize"] },
        model: { type, options: type === "sgc" ? {} : { hiddenFeats: 16 } },
        sampling: { type: "full" },
        train: { epochs: 2, batchSize: numNodes, optimizer: { type: "adam", options: { lr: 0.02 } } },
      },
    );
    const inferred = await runStep(inferStep, { parts, model }, { chunkSize: numNodes });
    expect(inferred.manifest.info).toMatchObject({ numNodes });
    const grown = process.resourceUsage().maxRSS * 1024 - before;
    expect(grown, `${Math.round(grown / 1e6)} MB`).toBeLessThan(denseBytes / 4);
  });
});
