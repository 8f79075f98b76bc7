import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memory } from "../../src/backends/tf.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import type { StepEvent } from "../../src/spec/index.ts";
import { Trainer } from "../../src/train/trainer.ts";
import { communityData } from "../train/support/community-data.ts";
import { optionsOf, type RankRun, seriesOf, startRanks, trainRanks } from "../train/support/train-ranks.ts";

const small = { numNodes: 400, numClasses: 4, dim: 8, numTrain: 80, numParts: 2 };
const adam = { type: "adam" as const, options: { lr: 0.01 } };
const controlVariate = (numNeighbors: number) => ({ type: "controlVariate", options: { numNeighbors } });

const modelOf = (type: string, options: object = {}) => ({
  type,
  options: { hiddenFeats: 16, numLayers: 2, dropout: 0, ...options },
});

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-cv-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

function expectSameCurves(found: RankRun, expected: RankRun, tolerance: number): void {
  for (const name of ["train/loss", "val/loss"]) {
    const curve = seriesOf(expected, name);
    expect(seriesOf(found, name)).toHaveLength(curve.length);
    for (const [epoch, loss] of seriesOf(found, name).entries()) {
      expect(Math.abs(loss / curve[epoch]! - 1)).toBeLessThan(tolerance);
    }
  }
}

describe.each(["sage", "gcn"])("control variates with %s", (type) => {
  test("with all neighbours give the loss curve of whole neighbourhoods, on three layers", async () => {
    const data = await communityData(small);
    const model = modelOf(type, { numLayers: 3 });
    const train = { epochs: 5, batchSize: 40, optimizer: adam };
    const [exact] = await trainRanks(data, optionsOf({ model, sampling: { type: "full" }, train }), 1);
    const [found] = await trainRanks(data, optionsOf({ model, sampling: controlVariate(-1), train }), 1);
    expectSameCurves(found!, exact!, 1e-5);
  });

  test("with one neighbour the loss of the first step is that of whole neighbourhoods, with plain sampling it is not", async () => {
    const data = await communityData({ ...small, degree: 12 });
    const train = { epochs: 1, batchSize: 80, optimizer: adam }; // one step, on the history of the initial weights
    const lossOf = async (sampling: { type: string; options?: Record<string, unknown> }) => {
      const model = modelOf(type, { numLayers: 3 });
      const [run] = await trainRanks(data, optionsOf({ model, sampling, train }), 1);
      return seriesOf(run!, "train/loss")[0]!;
    };
    const exact = await lossOf({ type: "full" });
    expect(Math.abs((await lossOf(controlVariate(1))) / exact - 1)).toBeLessThan(1e-5);
    const plain = await lossOf({ type: "neighbor", options: { fanouts: [1, 1, 1] } });
    expect(Math.abs(plain / exact - 1)).toBeGreaterThan(1e-3);
  });

  test("3 ranks give one rank's loss curve, and equal bits each time", async () => {
    const data = await communityData(small);
    const train = { epochs: 4, batchSize: 40, optimizer: adam };
    const options = optionsOf({ model: modelOf(type, { numLayers: 3 }), sampling: controlVariate(1), train });
    const [one] = await trainRanks(data, options, 1);
    const many = await trainRanks(data, options, 3);
    const again = await trainRanks(data, options, 3);
    expectSameCurves(many[0]!, one!, 1e-5);
    for (const { weights } of [...many, ...again]) expect(weights).toEqual(many[0]!.weights);
  });

  test("a resumed run has the bits of the undisturbed one, after an epoch with an evaluation and after one without", async () => {
    const data = await communityData(small);
    const train = { epochs: 4, batchSize: 32, optimizer: adam, evaluate: { everyEpochs: 2 } };
    const model = modelOf(type, { numLayers: 3, dropout: 0.5 });
    const options = optionsOf({ model, sampling: controlVariate(2), train });
    const checkpointDir = join(scratch, type);
    const whole = await trainRanks(data, options, 2, { checkpointDir });
    const checkpoints = whole[0]!.events.filter((event) => event.type === "checkpoint");
    expect(checkpoints).toHaveLength(4);
    for (const checkpoint of checkpoints.slice(1, 3)) {
      const resumed = await trainRanks(data, options, 2, { resume: artifactOf(checkpoint) });
      expect(resumed[0]!.weights).toEqual(whole[0]!.weights);
      expect(resumed[0]!.result).toEqual(whole[0]!.result);
    }
  });

  test("the weights are the plain model's: inference over the whole graph counts the metrics of the training", async () => {
    const data = await communityData(small);
    const train = { epochs: 15, batchSize: 40, optimizer: adam };
    const options = optionsOf({ model: modelOf(type, { dropout: 0.2 }), sampling: controlVariate(1), train });
    const before = memory().numTensors;
    const trainer = await Trainer.create({ data, options });
    const { metrics } = await trainer.fit();
    const { logits } = await trainer.infer();
    let correct = 0;
    let count = 0;
    for (let node = 0; node < small.numNodes; node++) {
      if (data.split[node] !== 3) continue;
      const row = [...logits.subarray(node * 4, (node + 1) * 4)];
      correct += Number(row.indexOf(Math.max(...row)) === data.labels[node]);
      count += 1;
    }
    expect(metrics["test/accuracy"]).toBeCloseTo(correct / count, 6);
    expect(correct / count).toBeGreaterThan(0.75);
    trainer.dispose();
    expect(memory().numTensors).toBe(before);
  });
});

test("a model of one layer draws nothing: its only sum is known", async () => {
  const data = await communityData(small);
  const model = modelOf("gcn", { numLayers: 1 });
  const train = { epochs: 5, batchSize: 40, optimizer: adam };
  const [exact] = await trainRanks(data, optionsOf({ model, sampling: { type: "full" }, train }), 1);
  const [found] = await trainRanks(data, optionsOf({ model, sampling: controlVariate(1), train }), 1);
  expectSameCurves(found!, exact!, 1e-5);
});

test("a rank without seeds in a step takes part in it", async () => {
  const data = await communityData({ ...small, numTrain: 5 });
  const train = { epochs: 3, batchSize: 2, optimizer: adam }; // batches of 2, 2 and 1 seeds for 3 ranks
  const options = optionsOf({ model: modelOf("sage"), sampling: controlVariate(1), train });
  const [one] = await trainRanks(data, options, 1);
  expectSameCurves((await trainRanks(data, options, 3))[0]!, one!, 1e-5);
});

test("being told to stop ends every rank at the same step", async () => {
  const data = await communityData(small);
  const options = optionsOf({
    model: modelOf("sage"),
    sampling: controlVariate(1),
    train: { epochs: 1000, batchSize: 40 },
  });
  const stop = new AbortController();
  const signals = [new AbortController().signal, stop.signal];
  const onEvent = (rank: number, event: StepEvent) => {
    if (rank === 0 && event.type === "metrics" && event.step === 3) stop.abort();
  };
  const ends = await Promise.allSettled(await startRanks(data, options, 2, { signals, onEvent }));
  const cancelled = { status: "rejected", reason: { code: "CANCELLED" } };
  expect(ends).toMatchObject([cancelled, cancelled]);
});

test("a model whose layers begin with no fixed sum is refused with what to choose", async () => {
  const options = { model: { type: "gat" }, sampling: { type: "controlVariate" } };
  await expect(Trainer.create({ data: await communityData(small), options })).rejects.toMatchObject({
    code: "SPEC_INVALID",
    place: { pointer: "/sampling/type" },
    message: expect.stringContaining("choose gcn"),
  });
});

function artifactOf(event: Extract<StepEvent, { type: "checkpoint" }>): ArtifactDir {
  return { dir: event.dir, manifest: { info: event.info } as unknown as ArtifactDir["manifest"] };
}
