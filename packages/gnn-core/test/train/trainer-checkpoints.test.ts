import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSafetensors } from "../../src/io/safetensors.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";
import { communityData } from "./support/community-data.ts";
import { adam, sageOf, sampling, small } from "./support/small-run.ts";
import { optionsOf, type RankRun, seriesOf, trainRanks } from "./support/train-ranks.ts";

let scratch = "";
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "hopwise-trainer-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("a run resumed after any epoch has the bits of the undisturbed one", async () => {
  const data = await communityData(small);
  const options = optionsOf({
    model: sageOf(0.5),
    sampling,
    train: {
      epochs: 8,
      batchSize: 32,
      optimizer: { type: "adam", options: { lr: 0.05, weightDecay: 1e-3 } },
      earlyStopping: { metric: "val/loss", mode: "min", patience: 2 },
      gradClipNorm: 1,
    },
  });
  const checkpointDir = join(scratch, "resume");
  const whole = await trainRanks(data, options, 2, { checkpointDir });
  const checkpoints = whole[0]!.events.filter((event) => event.type === "checkpoint");
  expect(checkpoints.map(({ epoch }) => epoch)).toEqual(
    Array.from({ length: whole[0]!.result.epochs }, (_, i) => i + 1),
  );
  expect(checkpoints.length).toBeGreaterThan(2);
  for (const checkpoint of checkpoints) {
    const resumed = await trainRanks(data, options, 2, { resume: artifactOf(checkpoint) });
    expect(resumed[0]!.weights).toEqual(whole[0]!.weights);
    expect(resumed[0]!.result).toEqual(whole[0]!.result);
    expect(seriesOf(resumed[0]!, "train/loss")).toEqual(seriesOf(whole[0]!, "train/loss").slice(checkpoint.epoch));
  }
});

test("a run that asks for more epochs goes on from another one's end, with the bits of one that did from the start", async () => {
  const data = await communityData(small);
  const run = (epochs: number) =>
    optionsOf({ model: sageOf(0.5), sampling, train: { epochs, batchSize: 32, optimizer: adam } });
  const [short] = await trainRanks(data, run(2), 1, { checkpointDir: join(scratch, "short") });
  const [long] = await trainRanks(data, run(4), 1);
  const last = short!.events.filter((event) => event.type === "checkpoint").at(-1)!;
  const [continued] = await trainRanks(data, run(4), 1, { resume: artifactOf(last) });
  expect(continued!.weights).toEqual(long!.weights);
  expect(continued!.result).toEqual(long!.result);
  const other = optionsOf({ model: sageOf(0.4), sampling, train: { epochs: 4, batchSize: 32, optimizer: adam } });
  await expect(trainRanks(data, other, 1, { resume: artifactOf(last) })).rejects.toThrow(/other options or data/);
});

test("a run whose learning rate is planned to its last epoch goes on only with as many epochs", async () => {
  const data = await communityData(small);
  const schedule = { type: "cosine" } as const;
  const run = (epochs: number) =>
    optionsOf({ model: sageOf(0.5), sampling, train: { epochs, batchSize: 32, optimizer: adam, schedule } });
  const [short] = await trainRanks(data, run(2), 1, { checkpointDir: join(scratch, "planned") });
  const last = short!.events.filter((event) => event.type === "checkpoint").at(-1)!;
  await expect(trainRanks(data, run(4), 1, { resume: artifactOf(last) })).rejects.toThrow(/other options or data/);
});

test("a checkpoint is complete when its event comes, and only rank 0 writes one", async () => {
  const checkpointDir = join(scratch, "complete");
  const sizes: Promise<number[]>[] = [];
  const runs = await trainRanks(
    await communityData(small),
    optionsOf({ model: sageOf(0), sampling, train: { epochs: 2, batchSize: 64 } }),
    2,
    {
      checkpointDir,
      onEvent: (_rank, event) => {
        if (event.type === "checkpoint") sizes.push(sizesOf(event.dir));
      },
    },
  );
  for (const found of await Promise.all(sizes)) {
    expect(found).toHaveLength(3);
    expect(Math.min(...found)).toBeGreaterThan(1_000);
  }
  expect(runs[1]!.events.filter(({ type }) => type === "checkpoint")).toEqual([]);
  expect(await readdir(checkpointDir)).toEqual(["epoch-1", "epoch-2"]);
});

test("the best evaluations keep their weights through a resume, best first", async () => {
  const data = await communityData(small);
  const checkpointDir = join(scratch, "best");
  const train = { epochs: 9, batchSize: 40, optimizer: adam, checkpoint: { keepBest: 3 } };
  const options = optionsOf({ model: sageOf(0.3), sampling, train });
  const [run] = await trainRanks(data, options, 1, { checkpointDir });
  const ranked = seriesOf(run!, "val/accuracy")
    .map((metric, i) => ({ epoch: i + 1, metric }))
    .toSorted((a, b) => b.metric - a.metric || a.epoch - b.epoch);
  expect(run!.result.kept.map(({ epoch, metric }) => ({ epoch, metric }))).toEqual(ranked.slice(0, 3));
  for (const { epoch, weights } of run!.result.kept) {
    const { tensors } = await readSafetensors(join(checkpointDir, `epoch-${epoch}`, "model.safetensors"));
    expect(weights.map(({ values }) => values)).toEqual([...tensors.values()].map(({ values }) => values));
  }
  const fourth = run!.events.filter((event) => event.type === "checkpoint")[3]!;
  expect((await readdir(fourth.dir)).toSorted()).toEqual([
    "best-0.safetensors",
    "best-1.safetensors",
    "best-2.safetensors",
    "model.safetensors",
    "optimizer.safetensors",
  ]);
  const [resumed] = await trainRanks(data, options, 1, { resume: artifactOf(fourth) });
  expect(resumed!.result).toEqual(run!.result);
});

test("a checkpoint of another spec is refused", async () => {
  const data = await communityData(small);
  const checkpointDir = join(scratch, "foreign");
  const train = { epochs: 1, batchSize: 64 };
  const [run] = await trainRanks(data, optionsOf({ model: sageOf(0), sampling, train }), 1, { checkpointDir });
  const checkpoint = run!.events.find((event) => event.type === "checkpoint")!;
  await expect(
    trainRanks(data, optionsOf({ model: sageOf(0.1), sampling, train }), 1, { resume: artifactOf(checkpoint) }),
  ).rejects.toMatchObject({ code: "CHECKPOINT_INVALID" });
});

test("the log of rank 0 tells the run from start to finish, and the resumed run where it went on", async () => {
  const data = await communityData(small);
  const train = { epochs: 3, batchSize: 32, optimizer: adam };
  const options = optionsOf({ model: sageOf(0), sampling, train });
  const [run, other] = await trainRanks(data, options, 2, { checkpointDir: join(scratch, "log") });
  const epochs = [1, 2, 3].flatMap(() => ["Epoch finished", "Checkpoint written"]);
  expect(logOf(run!).map(({ message }) => message)).toEqual([
    "Training started",
    ...epochs,
    "Best epoch",
    "Calibration",
    "Training finished",
  ]);
  expect(logOf(other!)).toEqual([]);
  expect(logOf(run!)[0]!.fields).toMatchObject({ model: "sage", ranks: 2, stepsPerEpoch: 3, parameters: 404 });
  expect(logOf(run!)[1]!.fields).toMatchObject({ epoch: 1, "train/loss": seriesOf(run!, "train/loss")[0] });
  expect(logOf(run!).at(-1)!.fields).toMatchObject({ epochs: 3, ...run!.result.metrics });

  const second = run!.events.filter((event) => event.type === "checkpoint")[1]!;
  const [resumed] = await trainRanks(data, options, 2, { resume: artifactOf(second) });
  expect(logOf(resumed!)[1]).toMatchObject({ message: "Resumed from a checkpoint", fields: { epoch: 2 } });
});

test("a run that stops early says when and why in its log", async () => {
  const train = { epochs: 200, earlyStopping: { metric: "val/accuracy" as const, patience: 2 } };
  const [run] = await trainRanks(await communityData(small), optionsOf({ model: sageOf(0), sampling, train }), 1);
  const { epochs, best } = run!.result;
  const told = logOf(run!).slice(-4);
  expect(told).toMatchObject([
    { message: "Stopped early", fields: { epoch: epochs, metric: "val/accuracy", badEvaluations: 2 } },
    { message: "Best epoch", fields: { epoch: best!.epoch, "val/accuracy": best!.metric } },
    { message: "Calibration", fields: { testEce: run!.result.calibration!.test!.before.ece } },
    { message: "Training finished" },
  ]);
});

function logOf({ events }: RankRun) {
  return events.filter((event) => event.type === "log");
}

async function sizesOf(dir: string): Promise<number[]> {
  const names = await readdir(dir);
  return Promise.all(names.map(async (name) => (await readFile(join(dir, name))).length));
}
