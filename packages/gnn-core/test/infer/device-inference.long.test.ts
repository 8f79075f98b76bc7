import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { activeCuda } from "../../src/backends/active-cuda.ts";
import type { CudaBackend } from "../../src/backends/cuda/cuda-backend.ts";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { featurePlacements, placementWords } from "../../src/host/feature-placement.ts";
import type { ArtifactDir } from "../../src/index.ts";
import { readNpy } from "../../src/io/npy.ts";
import type { StepEvent } from "../../src/spec/step-event.ts";
import { inferStep } from "../../src/steps/infer.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { partitionStep } from "../../src/steps/partition.step.ts";
import { trainStep } from "../../src/steps/train.step.ts";
import { expectClose } from "../support/check-op.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
useEmulatedDevice();

const [numUsers, numItems] = [8, 16];

/** Users like and hate items, which are good or bad. */
function files(): Record<string, string> {
  const users = Array.from({ length: numUsers }, (_, i) => `u${i},user,,none,${i / 8},${(i * 3) % 5}`);
  const splits = ["train", "train", "val", "test"];
  const items = Array.from(
    { length: numItems },
    (_, i) => `i${i},item,${i % 3 ? "bad" : "good"},${splits[i % 4]},${i % 4},${-i}`,
  );
  const edges = Array.from({ length: 3 * numItems }, (_, i) => {
    return `u${(i * 5) % numUsers},i${i % numItems},${i % 2 ? "likes" : "hates"}`;
  });
  return {
    "nodes.csv": ["id,kind,label,split,a,b", ...users, ...items].join("\n"),
    "edges.csv": ["from,to,rel", ...edges].join("\n"),
  };
}

const spec = {
  edges: { files: ["edges.csv"], src: "from", dst: "to", type: "rel", reverseTypes: true },
  nodes: { files: ["nodes.csv"], id: "id", type: "kind", label: "label", split: "split" },
};
const features = { columns: ["a", "b"] };
const optionsOf = (type: string, norm: string) => ({
  task: { target: "label" },
  features: { transforms: ["standardize"], dtype: "fp16" },
  model: { type, options: { hiddenFeats: 6, dropout: 0, norm } },
  sampling: { type: "neighbor", options: { fanouts: [3, 3], perRelation: type !== "sage" } },
  train: { epochs: 1, batchSize: 16 },
});

let parts: ArtifactDir;
beforeAll(async () => {
  const withColumns = { ...spec, nodes: { ...spec.nodes, features } };
  const graph = await runStep(ingestStep, { files: await filesArtifact(files()) }, withColumns);
  const partition = { type: "random", options: { numParts: 2 } };
  parts = await runStep(partitionStep, { graph }, { partition, features: { dtype: "fp16" } });
});

async function inferred(model: ArtifactDir, options: object) {
  const lines: string[] = [];
  const onEvent = (event: StepEvent) => event.type === "log" && lines.push(event.message);
  const { dir } = await runStep(inferStep, { parts, model }, { chunkSize: 7, ...options }, { onEvent });
  const [embeddings, logits] = await Promise.all(
    ["embeddings", "logits"].map(async (name) => (await readNpy(join(dir, `${name}.npy`), "float32")).values),
  );
  return { embeddings: embeddings!, logits: logits!, lines };
}

describe.each([
  ["sage", "batch"],
  ["rsage", "layer"],
  ["rgcn", "none"],
])("the step infer on a device, of %s with the norm %s", (type, norm) => {
  test("has the rows of a processor wherever the features lie, and runs no stock kernel", async () => {
    await selectBackend("native");
    const model = await runStep(trainStep, { parts }, optionsOf(type, norm));
    const expected = await inferred(model, {});
    expect(expected.logits).toHaveLength((numUsers + numItems) * 2);
    await selectBackend("cuda", emulated);
    const cuda = activeCuda() as CudaBackend;
    const found = [];
    // Shares are for several ranks (train/sharded-features.long.test.ts).
    for (const featurePlacement of featurePlacements.filter((placement) => placement !== "sharded")) {
      const { embeddings, logits, lines } = await inferred(model, { featurePlacement });
      expectClose(embeddings, expected.embeddings, 1e-5);
      expectClose(logits, expected.logits, 1e-5);
      expect(lines).toContain(placementWords[featurePlacement]);
      found.push(logits);
    }
    for (const logits of found) expect(logits).toEqual(found[0]);
    expect([...cuda.scriptKernels.keys()]).toEqual([]);
  });
});
