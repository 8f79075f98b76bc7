import { jobSpec, resolveJobSpec } from "@hopwise/contracts";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { z } from "zod";
import { cloneSpec } from "../../src/services/clone-spec.ts";
import type { Catalog } from "../../src/services/job-form.ts";
import type { JsonSchema } from "../../src/services/json-schema.ts";

const registry = await loadRegistry();
const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
const catalog: Catalog = {
  jobSpecSchema: schemaOf(jobSpec),
  components: (["model", "sampler", "partitioner"] as const).flatMap((kind) =>
    registry.list(kind).map(({ name, title, summary, options }) => {
      return { kind, name, title, summary, reference: null, optionsSchema: schemaOf(options) };
    }),
  ),
};
const sparse = {
  version: 1,
  kind: "train",
  dataset: "ds_1@2",
  name: "mine",
  task: { target: "label" },
  split: { type: "random" },
  model: { type: "gcn", options: { hiddenFeats: 64 } },
  train: { epochs: 7 },
} as const;

test("a clone holds what differs from the defaults, and means the same job", () => {
  const resolved = resolveJobSpec(sparse, registry);
  const cloned = cloneSpec(resolved, catalog);
  expect(resolveJobSpec(cloned, registry)).toEqual(resolved);
  expect(cloned).toMatchObject({ version: 1, kind: "train", dataset: "ds_1@2", name: "mine", train: { epochs: 7 } });
  expect(cloned["model"]).toEqual({ type: "gcn", options: { hiddenFeats: 64 } });
  expect(cloned).not.toHaveProperty("outputs");
  expect(cloned).not.toHaveProperty("resources");
});

test("a clone begins anew unless a checkpoint is named, whatever the job itself went on from", () => {
  const resolved = resolveJobSpec({ ...sparse, continueFrom: "art_old" }, registry);
  expect(cloneSpec(resolved, catalog)).not.toHaveProperty("continueFrom");
  expect(cloneSpec(resolved, catalog, "art_new")).toMatchObject({ continueFrom: "art_new" });
});
