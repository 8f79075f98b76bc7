import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { partsData } from "../../src/train/parts-data.ts";
import { jobPresets } from "../../src/train/presets.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainingData } from "../../src/train/training-data.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const cora = fileURLToPath(new URL("../../../../../shared/datasets/cora", import.meta.url));
const fileNames = ["edges.csv.gz", "nodes.csv.gz", "features.npz"];

/** Test accuracy on Planetoid's public split that each preset must reach as the mean of three seeds. */
const expected = [
  ["citation", 0.795],
  ["citation-gcn", 0.805],
  ["citation-gat", 0.81],
  ["citation-sgc", 0.8],
  ["citation-appnp", 0.82],
  ["citation-gin", 0.77],
] as const;

describe.skipIf(!existsSync(cora))("Cora on the public split", () => {
  let data: TrainingData;
  beforeAll(async () => {
    const files = await filesArtifact(
      Object.fromEntries(fileNames.map((name) => [name, readFileSync(join(cora, name))] as const)),
    );
    const nodes = {
      files: ["nodes.csv.gz"],
      id: "id",
      label: "label",
      split: "split",
      features: { file: "features.npz" },
    };
    const edges = { files: ["edges.csv.gz"], src: "src", dst: "dst" };
    const graph = await runStep(ingestStep, { files }, { edges, nodes });
    const options = { partition: { type: "metis", options: { numParts: 2 } }, split: { type: "column" } };
    data = partsData(await runStep(partitionStep, { graph }, options));
  });

  test.each(expected)("the preset %s reaches %d as the mean of 3 seeds", async (name, atLeast) => {
    const { spec } = jobPresets.find((preset) => preset.name === name)!;
    const accuracies: number[] = [];
    for (const seed of [0, 1, 2]) {
      const trainer = await Trainer.create({ data, options: { ...spec, train: { ...spec.train, seed } } });
      const { metrics } = await trainer.fit();
      accuracies.push(metrics["test/accuracy"]!);
      trainer.dispose();
    }
    const mean = accuracies.reduce((sum, accuracy) => sum + accuracy, 0) / accuracies.length;
    console.log(`${name}: ${accuracies.map((accuracy) => accuracy.toFixed(3)).join(" ")}, mean ${mean.toFixed(4)}`);
    expect(mean).toBeGreaterThanOrEqual(atLeast);
  });
});
