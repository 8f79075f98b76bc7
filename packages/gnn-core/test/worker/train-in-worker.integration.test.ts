import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TrainingData } from "../../src/graph/training-data.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { trainInWorker } from "../../src/worker/train-in-worker.ts";
import { communityData } from "../train/support/community-data.ts";

const options: TrainerOptions = {
  model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.3 } },
  sampling: { type: "neighbor", options: { fanouts: [3, 3] } },
  train: { epochs: 4, batchSize: 40 },
};

let data: TrainingData;
let scratch: string;
beforeAll(async () => {
  data = await communityData({ numNodes: 300, numClasses: 3, dim: 6, numTrain: 60 });
  scratch = await mkdtemp(join(tmpdir(), "hopwise-worker-"));
});
afterAll(() => rm(scratch, { recursive: true }));

test("an error of the thread arrives with its code and place; one of the listener ends the training", async () => {
  const wrong = { ...options, train: { epochs: 0 } };
  await expect(trainInWorker({ data, options: wrong })).rejects.toMatchObject({
    name: "GnnError",
    code: "SPEC_INVALID",
    place: { pointer: "/train/epochs" },
  });
  const onEvent = () => {
    throw new RangeError("the listener's own");
  };
  await expect(trainInWorker({ data, options, onEvent })).rejects.toThrow("the listener's own");
});

test("a module loads its data inside the thread; one without a default export is named", async () => {
  const module = join(scratch, "data.mjs");
  const engine = new URL("../../dist/index.js", import.meta.url).href;
  await writeFile(
    module,
    `import { DenseFeatureStore, graphFromEdges } from ${JSON.stringify(engine)};
     export default async (numNodes) => ({
       graph: await graphFromEdges({ src: [0, 1, 2, 3], dst: [1, 2, 3, 0], numNodes }),
       features: new DenseFeatureStore(1, [Float32Array.of(1, -1, 1, -1)]),
       labels: Int32Array.of(0, 1, 0, 1),
       split: Int8Array.of(1, 1, 2, 3),
       numClasses: 2,
     });`,
  );
  const { epochs, embeddings } = await trainInWorker({ data: { module, argument: 4 }, options });
  expect([epochs, embeddings]).toEqual([4, null]);
  await writeFile(module, "export const data = 1;");
  const failing = trainInWorker({ data: { module }, options });
  await expect(failing).rejects.toMatchObject({ code: "SPEC_INVALID", message: expect.stringContaining(module) });
});
