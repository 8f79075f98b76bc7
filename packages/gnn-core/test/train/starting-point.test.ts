import { beforeAll, describe, expect, test } from "vitest";
import { DenseFeatureStore } from "../../src/features/dense-feature-store.ts";
import type { ClassificationData } from "../../src/graph/training-data.ts";
import type { NamedTensor } from "../../src/io/safetensors.ts";
import type { StartLayers } from "../../src/spec/index.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { copyWeights } from "../../src/train/model-weights.ts";
import { Trainer } from "../../src/train/trainer.ts";
import type { TrainerOptions } from "../../src/train/trainer-setup.ts";
import { communityData } from "./support/community-data.ts";

const readsRelations = new Set(["rgcn", "rsage", "rgat", "simpleHgn", "hgt"]);
const models = (await loadRegistry([]))
  .list("model")
  .filter(({ readsFeatures }) => readsFeatures !== false)
  .map(({ name }) => name)
  .filter((name) => !readsRelations.has(name));

const options: TrainerOptions = {
  sampling: { type: "full" },
  features: { transforms: ["standardize"] },
  train: { epochs: 3, batchSize: 60, optimizer: { type: "adam", options: { lr: 0.05 } } },
};

let data: ClassificationData;
beforeAll(async () => {
  data = await communityData({ numNodes: 120, numClasses: 3, dim: 6, numTrain: 60 });
});

/** What is left of a trained model when its job has ended. */
async function trained(model: string) {
  const trainer = await Trainer.create({ data, options: { ...options, model: { type: model } } });
  await trainer.fit();
  const { model: made, transforms } = trainer;
  const kept = { weights: copyWeights(made), transforms };
  trainer.dispose();
  return kept;
}

async function weightsAtStart(
  model: string,
  start: (Awaited<ReturnType<typeof trained>> & { layers: StartLayers }) | null,
  of = data,
): Promise<readonly NamedTensor[]> {
  const asked = { ...options, model: { type: model } };
  const trainer = await Trainer.create({ data: of, options: asked, start });
  const weights = copyWeights(trainer.model);
  trainer.dispose();
  return weights;
}

describe("a training that starts from a trained model", () => {
  test.each(models)("begins with every weight of it: %s", async (model) => {
    const kept = await trained(model);
    expect(await weightsAtStart(model, { ...kept, layers: "all" })).toEqual(kept.weights);
  });

  test.each(models.filter((name) => name !== "sgc"))(
    "takes over the hidden layers, and the outputs begin anew: %s",
    async (model) => {
      const kept = await trained(model);
      const fresh = await weightsAtStart(model, null);
      const started = await weightsAtStart(model, { ...kept, layers: "hidden" });
      const isKept = started.map((weight, i) => equal(weight, kept.weights[i]));
      const isNew = started.map((weight, i) => equal(weight, fresh[i]));
      // Only the last dimension of the outputs is 3 here: hidden layers are 256 or 64 wide, the features 6.
      const isOutput = started.map(({ shape }) => shape.at(-1) === 3);
      expect(isKept.filter((_, i) => !isOutput[i]).every(Boolean)).toBe(true);
      expect(isNew.filter((_, i) => isOutput[i]).every(Boolean)).toBe(true);
      expect(new Set(isOutput)).toEqual(new Set([true, false]));
    },
  );

  test("is refused to take over the hidden layers of a model whose last layer alone has weights", async () => {
    const start = { ...(await trained("sgc")), layers: "hidden" as const };
    await expect(weightsAtStart("sgc", start)).rejects.toMatchObject({
      code: "SPEC_INVALID",
      message: expect.stringMatching(/^\/startFrom\/layers: every weight of this model belongs/),
    });
  });

  test("takes other classes when only the hidden layers are taken over", async () => {
    const kept = await trained("sage");
    const five = await communityData({ numNodes: 120, numClasses: 5, dim: 6, numTrain: 60 });
    await expect(weightsAtStart("sage", { ...kept, layers: "all" }, five)).rejects.toMatchObject({
      code: "CHECKPOINT_INVALID",
      message: expect.stringMatching(/^layers\.1\..* has shape .*; the model expects \[/),
    });
    const started = await weightsAtStart("sage", { ...kept, layers: "hidden" }, five);
    expect(started[0]).toEqual(kept.weights[0]);
  });

  test("keeps the transforms of then, whatever the features of now", async () => {
    const kept = await trained("sage");
    const shifted = Float32Array.from(
      data.features.gather(Int32Array.from(data.split.keys())).values,
      (x) => 3 * x + 1,
    );
    const other = { ...data, features: new DenseFeatureStore(6, [shifted]) };
    const start = { ...kept, layers: "all" as const };
    const trainer = await Trainer.create({ data: other, options: { ...options, model: { type: "sage" } }, start });
    expect(trainer.transforms).toEqual(kept.transforms);
    trainer.dispose();
  });

  test("is refused with other transforms", async () => {
    const start = { ...(await trained("sage")), layers: "all" as const };
    const asked = { ...options, features: {}, model: { type: "sage" } };
    await expect(Trainer.create({ data, options: asked, start })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      message: expect.stringMatching(
        /^\/features\/transforms: found \[\], and .* with \[standardize\]; ask for the same/,
      ),
    });
  });

  test("loses less in its first epoch than one with new weights", async () => {
    const kept = await trained("sage");
    const firstLoss = async (start: Parameters<typeof weightsAtStart>[1]) => {
      const train = { ...options.train, epochs: 1 };
      const trainer = await Trainer.create({ data, options: { ...options, model: { type: "sage" }, train }, start });
      const losses: number[] = [];
      await trainer.fit({
        onEvent: (event) => event.type === "metrics" && losses.push(event.values["train/loss"] as number),
      });
      trainer.dispose();
      return losses[0] as number;
    };
    expect(await firstLoss({ ...kept, layers: "all" })).toBeLessThan((await firstLoss(null)) * 0.8);
  });
});

function equal(a: NamedTensor, b: NamedTensor | undefined): boolean {
  return a.name === b?.name && a.values.every((value, i) => value === b.values[i]);
}
