import { jobSpec } from "@hopwise/contracts";
import { jobPresets } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Catalog } from "../../src/services/job-form.ts";
import type { JsonSchema } from "../../src/services/json-schema.ts";
import { specChanges, withoutChange } from "../../src/services/spec-changes.ts";

const model = (name: string): Catalog["components"][number] => ({
  kind: "model",
  name,
  title: name.toUpperCase(),
  summary: "",
  reference: null,
  optionsSchema: { type: "object", properties: { hiddenFeats: { type: "integer", default: 256 } } },
});
const catalog: Catalog = {
  components: [model("sage"), model("gcn")],
  jobSpecSchema: z.toJSONSchema(jobSpec, { io: "input" }) as JsonSchema,
};
const start = {
  version: 1,
  dataset: "ds_1@1",
  task: { target: "label" },
  model: { type: "sage", options: { hiddenFeats: 32 } },
  train: { epochs: 50, optimizer: { type: "adam", options: { lr: 0.01 } }, earlyStopping: { patience: 20 } },
};
const changesOf = (spec: Record<string, unknown>) => specChanges({ ...start, ...spec }, start, catalog);
const lines = (spec: Record<string, unknown>) =>
  changesOf(spec).map(({ label, before, now }) => `${label}: ${before} → ${now}`);

test("nothing differs where a preset says what is the default anyway", () => {
  expect(specChanges(start, start, catalog)).toEqual([]);
  // 50 epochs are the default, which the form leaves out.
  const { epochs: _, ...train } = start.train;
  expect(lines({ train })).toEqual([]);
  for (const { spec } of jobPresets) expect(specChanges({ ...spec }, { ...spec }, catalog)).toEqual([]);
});

test("each difference has its place and both values, in words", () => {
  expect(
    lines({ train: { ...start.train, epochs: 7 }, resources: { maxDuration: "PT1H30M", graph: "partitioned" } }),
  ).toEqual([
    "Training › Epochs: 50 → 7",
    "Resources › Graph: Shared → Partitioned",
    "Resources › Max duration: 2 h → 1 h 30 min",
  ]);
  expect(lines({ train: { ...start.train, earlyStopping: null } })).toEqual(["Training › Early stopping: on → off"]);
});

test("another type is one change, whatever its settings", () => {
  expect(lines({ model: { type: "gcn", options: { hiddenFeats: 8 } } })).toEqual(["Model: SAGE → GCN"]);
  const optimizer = { type: "sgd", options: { lr: 1 } };
  expect(lines({ train: { ...start.train, optimizer } })).toEqual(["Training › Optimizer: Adam → SGD"]);
});

test("the dataset, the name and the like are no changes", () => {
  expect(lines({ dataset: "ds_2@3", name: "mine", project: "p" })).toEqual([]);
});

test("taking back every change, one by one and in any order, leads back to where the form started", () => {
  const spec = {
    ...start,
    model: { type: "gcn" },
    train: { epochs: 9, optimizer: { type: "adam", options: { lr: 1, weightDecay: 2 } }, earlyStopping: null },
    resources: { ranks: 4 },
    tags: { by: "me" },
  };
  const changes = specChanges(spec, start, catalog);
  expect(changes).toHaveLength(7);
  for (const order of [changes, changes.toReversed()]) {
    const back = order.reduce((now: Record<string, unknown>, change, at) => {
      expect(specChanges(now, start, catalog)).toHaveLength(changes.length - at);
      return { ...withoutChange(now, change) };
    }, spec);
    expect(back).toEqual(start);
  }
});
