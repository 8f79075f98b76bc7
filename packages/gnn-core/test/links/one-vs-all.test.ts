import { beforeAll, expect, test } from "vitest";
import { selectBackend } from "../../src/backends/select-backend.ts";
import { type Tensor2D, tensor2d, tidy } from "../../src/backends/tf.ts";
import { noFeatures } from "../../src/features/no-features.ts";
import { distMultDecoder } from "../../src/links/decoders/dist-mult.ts";
import { dotDecoder } from "../../src/links/decoders/dot.ts";
import { transEDecoder } from "../../src/links/decoders/trans-e.ts";
import { type LinkLearning, linkLoss } from "../../src/links/link-task.ts";
import { oneVsAllSum } from "../../src/links/losses/one-vs-all.ts";
import { softmaxLoss } from "../../src/links/losses/softmax.ts";
import { noNegatives } from "../../src/links/negatives/none.ts";
import { NodeGroups } from "../../src/links/node-groups.ts";
import { splitLinks } from "../../src/links/split-links.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { checkOp } from "../support/check-op.ts";
import { randomFloats } from "../support/seeded-random.ts";

beforeAll(() => selectBackend("native"));

const [numNodes, dim, numRelations] = [9, 4, 2];
const ends = {
  srcRows: Int32Array.of(0, 3, 8, 3, 5),
  dstRows: Int32Array.of(2, 4, 1, 7, 6),
  relations: Int32Array.of(1, 0, 0, 1, 1),
};
/** The targets are of both types. */
const groups = NodeGroups.of({
  codes: Int32Array.from({ length: numNodes }, (_, node) => node % 2),
  names: ["even", "odd"],
})!;

/** All targets are of one type, and some nodes are not. */
const oneType = NodeGroups.of({
  codes: Int32Array.from({ length: numNodes }, (_, node) => Number(node === 0 || node === 5)),
  names: ["most", "few"],
})!;

test.each([
  ["all nodes", null, 0, 1],
  ["all nodes, smoothed", null, 0.2, 1],
  ["all nodes, at a temperature", null, 0, 0.25],
  ["the nodes of a type", groups, 0, 1],
  ["the nodes of a type, smoothed, at a temperature", groups, 0.3, 2],
  ["the nodes of the one type that all targets are of", oneType, 0.3, 2],
] as const)("the loss among %s is its formula, with its gradient", (_name, among, labelSmoothing, temperature) => {
  const decoder = distMultDecoder({ dim, seed: 3, numRelations });
  const weights = Float64Array.from(decoder.variables[0]!.variable.dataSync<"float32">());
  const score = (rows: Float64Array, link: number, node: number) => {
    let sum = 0;
    for (let k = 0; k < dim; k++) {
      const own = rows[ends.srcRows[link]! * dim + k]! * weights[ends.relations[link]! * dim + k]!;
      sum += own * rows[node * dim + k]!;
    }
    return sum / temperature;
  };
  checkOp({
    inputs: { outputs: [numNodes, dim] },
    run: ({ outputs }) =>
      tidy(() =>
        oneVsAllSum(decoder.product!, outputs as Tensor2D, ends, { labelSmoothing, temperature, groups: among }),
      ),
    reference: ({ outputs }) => {
      let total = 0;
      for (const [link, target] of ends.dstRows.entries()) {
        const candidates = Array.from({ length: numNodes }, (_, node) => node).filter(
          (node) => !among || among.typeOf(node) === among.typeOf(target),
        );
        const scores = candidates.map((node) => score(outputs, link, node));
        const logSum = Math.log(scores.reduce((sum, value) => sum + Math.exp(value), 0));
        const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
        const own = logSum - score(outputs, link, target);
        total += (1 - labelSmoothing) * own + labelSmoothing * (logSum - mean);
      }
      return Float64Array.of(total);
    },
  });
  decoder.variables[0]!.variable.dispose();
});

test("it is the softmax loss whose negatives are all other nodes", () => {
  const decoder = dotDecoder();
  const outputs = tensor2d(randomFloats(numNodes * dim, 4), [numNodes, dim]);
  const link = { srcRows: Int32Array.of(3), dstRows: Int32Array.of(5) };
  const others = Int32Array.from({ length: numNodes }, (_, node) => node).filter((node) => node !== 5);
  const batch = {
    srcRows: new Int32Array(1 + others.length).fill(3),
    dstRows: Int32Array.of(5, ...others),
  };
  const all = tidy(
    () => oneVsAllSum(decoder.product!, outputs, link, { labelSmoothing: 0, groups: null }).dataSync()[0],
  );
  const drawn = tidy(
    () =>
      linkLoss({ decoder, loss: softmaxLoss(), perLink: others.length }, batch, 1)
        .lossSum(outputs, batch.srcRows)
        .dataSync()[0],
  );
  expect(all).toBeCloseTo(drawn!, 5);
  outputs.dispose();
});

async function ring() {
  const nodes = Array.from({ length: 24 }, (_, node) => node);
  const steps = [1, 5];
  const src = Int32Array.from(steps.flatMap(() => nodes));
  const dst = Int32Array.from(steps.flatMap((step) => nodes.map((node) => (node + step) % nodes.length)));
  const relations = Int32Array.from(steps.flatMap((_, relation) => nodes.map(() => relation)));
  return splitLinks(
    { src, dst, relations, numNodes: nodes.length, numRelations: 2, directed: true },
    { sides: { type: "random", val: 0.1, test: 0.1, seed: 1 }, negatives: { perLink: 1, seed: 0 } },
  );
}

const options: TrainerOptions = {
  model: { type: "shallow" },
  features: { embedding: { dim: 8, optimizer: { type: "sparseAdam", options: { lr: 0.1 } } } },
  sampling: { type: "full" },
  train: { epochs: 8, batchSize: 10, optimizer: { type: "adam", options: { lr: 0.05 } } },
};

test("a training with it lowers the loss, and needs a decoder whose scores are a product", async () => {
  const split = await ring();
  const data = { graph: split.graph, features: noFeatures(split.numNodes), split: new Int8Array(split.numNodes) };
  const links: LinkLearning = {
    split,
    dim: 8,
    decoder: distMultDecoder,
    loss: softmaxLoss(),
    negatives: noNegatives(),
    oneVsAll: { labelSmoothing: 0.1 },
  };
  const losses: number[] = [];
  const trainer = await Trainer.create({ data, links, options });
  await trainer.fit({
    onEvent: (event) => {
      if (event.type === "metrics") losses.push(...[event.values["train/loss"] ?? []].flat());
    },
  });
  trainer.dispose();
  expect(losses).toHaveLength(8);
  expect(losses[0]).toBeCloseTo(Math.log(split.numNodes), 0);
  expect(losses.at(-1)!).toBeLessThan(losses[0]! - 0.5);
  const distance: LinkLearning = { ...links, decoder: (shape) => transEDecoder({ ...shape, norm: 2, margin: 3 }) };
  await expect(Trainer.create({ data, links: distance, options })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/links/decoder" },
  });
});
