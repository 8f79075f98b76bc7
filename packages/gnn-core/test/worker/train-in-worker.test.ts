import { beforeAll, expect, test } from "vitest";
import { memory } from "../../src/backends/tf.ts";
import { CsrFeatureStore } from "../../src/features/csr-feature-store.ts";
import type { TrainingData } from "../../src/graph/training-data.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { fromPortable, toPortable } from "../../src/worker/portable-data.ts";
import { sharedCopy } from "../../src/worker/shared-copy.ts";
import { trainInWorker } from "../../src/worker/train-in-worker.ts";
import { communityData } from "../train/support/community-data.ts";

const options: TrainerOptions = {
  model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.3 } },
  sampling: { type: "neighbor", options: { fanouts: [3, 3] } },
  train: { epochs: 4, batchSize: 40 },
};
const never = new AbortController().signal;

let data: TrainingData;
beforeAll(async () => {
  data = await communityData({ numNodes: 300, numClasses: 3, dim: 6, numTrain: 60, numParts: 2 });
});

/** Counts the ports between threads alone; the test runner has resources of its own. */
const openPorts = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length;

test("a thread trains to the bits that this thread would, tells the same events and leaves nothing", async () => {
  const trainer = await Trainer.create({ data, options });
  const expected: StepEvent[] = [];
  const { metrics } = await trainer.fit({ onEvent: (event) => expected.push(event) });
  const { embeddings, logits } = await trainer.infer();
  const ports = openPorts();
  const tensors = memory().numTensors;
  const events: StepEvent[] = [];

  const result = await trainInWorker({
    data,
    options,
    threads: 2,
    infer: true,
    onEvent: (event) => events.push(event),
  });

  expect(result.weights).toEqual(copyWeights(trainer.model));
  expect(result.metrics).toEqual(metrics);
  expect([result.embeddings, result.logits]).toEqual([embeddings, logits]);
  const metricsOf = (all: readonly StepEvent[]) => all.filter(({ type }) => type === "metrics");
  expect(metricsOf(events)).toEqual(metricsOf(expected));
  // The last handles of a thread that has ended are closed one turn of the event loop later.
  await expect.poll(openPorts).toBe(ports);
  expect(memory().numTensors).toBe(tensors);
  trainer.dispose();
});

test("an aborted signal ends the training at the next step with CANCELLED", async () => {
  const stop = new AbortController();
  const epochs: number[] = [];
  const training = trainInWorker({
    data,
    options: { ...options, train: { epochs: 100_000, batchSize: 40 } },
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type !== "metrics") return;
      epochs.push(event.step);
      stop.abort();
    },
  });
  await expect(training).rejects.toMatchObject({ name: "GnnError", code: "CANCELLED" });
  expect(epochs.length).toBeLessThan(100_000);
  await expect(trainInWorker({ data, options, signal: stop.signal })).rejects.toMatchObject({ code: "CANCELLED" });
});

test("data that cross to a thread are equal there, on shared memory, and shared arrays are not copied", async () => {
  const indptr = BigInt64Array.of(0n, 2n, 2n, 3n);
  const sparse = { indptr, indices: Int32Array.of(0, 4, 2), values: Float32Array.of(1, 2, 3) };
  const graph = { device: "cpu" as const, numNodes: 3, numEdges: 0, parts: [] };
  const rest = { graph, labels: Int32Array.of(0, 1, 0), split: Int8Array.of(1, 2, 3), numClasses: 2 };
  const portable = await toPortable({ ...rest, features: new CsrFeatureStore(5, [sparse]) }, never);
  expect(portable).toEqual({ ...rest, features: { kind: "csr", dim: 5, ...sparse } });
  expect(portable.labels?.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(fromPortable(portable).features.gather(Int32Array.of(2, 0))).toMatchObject({
    indptr: Int32Array.of(0, 1, 3),
    values: Float32Array.of(3, 1, 2),
  });
  expect((await sharedCopy(portable, never)).labels).toBe(portable.labels);
});
