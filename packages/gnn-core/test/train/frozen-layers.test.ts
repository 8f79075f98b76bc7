import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type NamedTensor, readSafetensors } from "../../src/io/safetensors.ts";
import type { StartLayers } from "../../src/spec/index.ts";
import type { StartingPoint } from "../../src/train/starting-point.ts";
import { artifactOf } from "./support/checkpoint-artifact.ts";
import { communityData } from "./support/community-data.ts";
import { optionsOf, seriesOf, trainRanks } from "./support/train-ranks.ts";

const small = { numNodes: 120, numClasses: 3, dim: 6, numTrain: 60, numParts: 2 };
const adam = { type: "adam" as const, options: { lr: 0.05, weightDecay: 0.01 } };
const sage = { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0.2 } };

function asked(model: object = sage, epochs = 3) {
  const sampling = { type: "neighbor", options: { fanouts: [4, 4] } };
  const train = { epochs, batchSize: 20, optimizer: adam, seed: 1 };
  return optionsOf({ model, sampling, train });
}

let data: Awaited<ReturnType<typeof communityData>>;
let scratch = "";
beforeAll(async () => {
  data = await communityData(small);
  scratch = await mkdtemp(join(tmpdir(), "hopwise-frozen-"));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** What another training has left. */
async function trained(model: object = sage): Promise<readonly NamedTensor[]> {
  const [run] = await trainRanks(data, asked(model, 1), 1);
  return run!.stored;
}

function startWith(weights: readonly NamedTensor[], freeze: readonly string[], layers: StartLayers = "all") {
  return { weights, transforms: [], layers, freeze } satisfies StartingPoint;
}

const valuesOf = (stored: readonly NamedTensor[], name: string) => stored.find((one) => one.name === name)?.values;

describe("layers that are frozen", { timeout: 60_000 }, () => {
  test.each(["sage", "gcn", "gat", "gin", "sgc"])("keep their bits while the others learn: %s", async (type) => {
    const options = type === "sgc" ? {} : { hiddenFeats: 8, numLayers: 2 };
    const model = { type, options };
    const weights = await trained(model);
    const frozen = weights[0]!.name;
    const [run] = await trainRanks(data, asked(model), 1, { start: startWith(weights, [frozen]) });
    expect(run!.stored.map(({ name }) => name).toSorted()).toEqual(weights.map(({ name }) => name).toSorted());
    expect(valuesOf(run!.stored, frozen)).toEqual(weights[0]!.values);
    for (const { name, values } of weights.slice(1)) expect(valuesOf(run!.stored, name)).not.toEqual(values);
  });

  test("have the same bits on two ranks as on one, which take the same steps", async () => {
    const start = startWith(await trained(), ["layers.0"]);
    const [one] = await trainRanks(data, asked(), 1, { start });
    const two = await trainRanks(data, asked(), 2, { start });
    for (const { name, values } of start.weights.filter((weight) => weight.name.startsWith("layers.0."))) {
      for (const run of [one!, ...two]) expect(valuesOf(run.stored, name)).toEqual(values);
    }
    expect(two[1]!.weights).toEqual(two[0]!.weights);
    const losses = seriesOf(two[0]!, "train/loss");
    for (const [epoch, loss] of seriesOf(one!, "train/loss").entries()) expect(losses[epoch]).toBeCloseTo(loss, 5);
  });

  test("have no state of the optimizer, and a run resumed from a checkpoint goes on with the same bits", async () => {
    const start = startWith(await trained(), ["layers.0"]);
    const [whole] = await trainRanks(data, asked(), 1, { start, checkpointDir: scratch });
    const [first] = whole!.events.filter((event) => event.type === "checkpoint");
    const checkpoint = artifactOf(first!);
    const { tensors } = await readSafetensors(join(checkpoint.dir, "optimizer.safetensors"));
    expect([...tensors.keys()].some((name) => name.startsWith("layers.0."))).toBe(false);
    expect([...tensors.keys()].some((name) => name.startsWith("layers.1."))).toBe(true);
    const [resumed] = await trainRanks(data, asked(), 1, { start, resume: checkpoint });
    expect(resumed!.weights).toEqual(whole!.weights);
  });

  test("give the outputs what they gave before: a step on the last layer is that of a linear model on fixed rows", async () => {
    // Without dropout and decay the first loss of a training is a function of the weights alone.
    const model = { type: "sage", options: { hiddenFeats: 8, numLayers: 2, dropout: 0 } };
    const weights = await trained(model);
    const still = { ...asked(model, 1), train: { ...asked(model, 1).train, batchSize: 60 } };
    const [free] = await trainRanks(data, still, 1, { start: startWith(weights, []) });
    const [frozen] = await trainRanks(data, still, 1, { start: startWith(weights, ["layers.0"]) });
    expect(seriesOf(frozen!, "train/loss")).toEqual(seriesOf(free!, "train/loss"));
    for (const { name } of weights.filter((weight) => weight.name.startsWith("layers.1."))) {
      expect(valuesOf(frozen!.stored, name)).toEqual(valuesOf(free!.stored, name));
    }
  });

  test("are told in the first line of the run", async () => {
    const start = startWith(await trained(), ["layers.0"]);
    const [run] = await trainRanks(data, asked(sage, 1), 1, { start });
    const line = run!.events.find((event) => event.type === "log" && event.message === "Training started");
    // Two matrices 6 × 8 and a bias of 8; two matrices 8 × 3 and a bias of 3.
    expect(line).toMatchObject({ fields: { parameters: 2 * 48 + 8 + 2 * 24 + 3, frozen: 2 * 48 + 8 } });
  });

  test.each<[string, readonly string[], StartLayers, object, string, RegExp]>([
    [
      "nobody is called so",
      ["layers.0", "layers.9"],
      "all",
      sage,
      "/startFrom/freeze/1",
      /"layers.9"; there are layers/,
    ],
    ["half a name", ["layer"], "all", sage, "/startFrom/freeze/0", /"layer"; there are/],
    ["what begins anew", ["layers.1"], "hidden", sage, "/startFrom/freeze/0", /layers\.1\.\S+ begins anew/],
    ["every weight", ["layers.0", "layers.1"], "all", sage, "/startFrom/freeze", /nothing to learn/],
    [
      "running averages",
      ["layers.0"],
      "all",
      { type: "sage", options: { hiddenFeats: 8, numLayers: 2, norm: "batch" } },
      "/startFrom/freeze",
      /"norm": "layer"/,
    ],
  ])("are refused with their place: %s", async (_what, freeze, layers, model, pointer, message) => {
    const start = startWith(await trained(model), freeze, layers);
    await expect(trainRanks(data, asked(model), 1, { start })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      place: { pointer },
      message: expect.stringMatching(message),
    });
  });
});
