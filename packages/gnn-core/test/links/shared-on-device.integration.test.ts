import { expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import type { LinkLearning } from "../../src/links/link-task.ts";
import { bpr } from "../../src/links/losses/bpr.ts";
import { infoNce } from "../../src/links/losses/info-nce.ts";
import { noNegatives } from "../../src/links/negatives/none.ts";
import { sharedTails } from "../../src/links/negatives/shared.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import type { StepEvent } from "../../src/spec/step-event.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { emulated, useEmulatedDevice } from "../support/cuda-emulated.ts";
import { randomFloats } from "../support/seeded-random.ts";
import { waitsOfSteps } from "../support/waits-of-steps.ts";
import { seriesOf } from "../train/support/train-ranks.ts";

useEmulatedDevice();

const numNodes = 40;

/** A ring whose nodes know those two and five places on. */
async function ring() {
  const src = Int32Array.from({ length: 2 * numNodes }, (_, i) => i % numNodes);
  const dst = src.map((node, i) => (node + (i < numNodes ? 2 : 5)) % numNodes);
  const sides = { type: "random", val: 0.1, test: 0.1, seed: 0 } as const;
  const links = { src, dst, numNodes, directed: false };
  return splitLinks(links, { sides, negatives: { perLink: 1, seed: 0 } });
}

/** The losses of two epochs, and what the host had waited for at the beginning of each step. */
async function train(backend: "native" | "cuda", learning: Pick<LinkLearning, "loss" | "learnsCosines">) {
  await selectBackend(backend, backend === "cuda" ? emulated : {});
  const split = await ring();
  const features = new DenseFeatureStore(6, [randomFloats(numNodes * 6, 3)]);
  const shared = sharedTails({ perLink: 12, seed: 0, numNodes });
  const trainer = await Trainer.create({
    data: { graph: split.graph, features, split: new Int8Array(numNodes) },
    links: { split, dim: 8, decoder: dotDecoder, negatives: noNegatives(), shared, ...learning },
    options: {
      model: { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } },
      sampling: { type: "full" },
      train: { epochs: 2, batchSize: 16, evaluate: { everyEpochs: 2 } },
    },
  });
  const events: StepEvent[] = [];
  const fit = () => trainer.fit({ onEvent: (event) => events.push(event) });
  const waits = backend === "cuda" ? await waitsOfSteps(fit) : (await fit(), []);
  trainer.dispose();
  const trained = seriesOf({ events }, "train/loss");
  return { trained, waits };
}

const losses = [
  ["a softmax of cosines", { loss: infoNce(0.2), learnsCosines: true }],
  ["a loss of each negative", { loss: bpr() }],
] as const;

test.each(losses)("%s of shared negatives is the CPU's, and no step waits for the device", async (_title, learning) => {
  const native = await train("native", learning);
  const cuda = await train("cuda", learning);
  expect(native.trained).toHaveLength(2);
  for (const [epoch, value] of cuda.trained.entries()) {
    expect(Math.abs(value / native.trained[epoch]! - 1)).toBeLessThan(1e-4);
  }
  // Four steps of each epoch, each at its beginning
  expect(cuda.waits).toHaveLength(8);
  for (const first of [0, 4]) expect(cuda.waits[first + 3]).toBe(cuda.waits[first]);
});
