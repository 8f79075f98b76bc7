import { datasetSpec, jobSpec } from "@hopwise/contracts";
import type { CatalogEntry, ComponentKind } from "@hopwise/gnn-core/spec";
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const chosen: Readonly<Record<string, ComponentKind>> = {
  model: "model",
  sampling: "sampler",
  partition: "partitioner",
};

/** JSON Schema of the JobSpec as submitted: each component's options are checked by the schema of its `type`. */
export function jobSpecSchema(catalog: readonly CatalogEntry[]): JsonSchema {
  const schema = z.toJSONSchema(jobSpec, { io: "input" }) as JsonSchema & { properties: Record<string, JsonSchema> };
  for (const [section, kind] of Object.entries(chosen)) {
    const entries = catalog.filter((entry) => entry.kind === kind);
    const choice = schema.properties[section] as JsonSchema & { properties: Record<string, JsonSchema> };
    choice.properties.type = { ...choice.properties.type, enum: entries.map(({ name }) => name) };
    // As entries: an object literal with a key `then` looks like a promise.
    choice.allOf = entries.map(({ name, optionsSchema }) =>
      Object.fromEntries([
        ["if", { properties: { type: { const: name } } }],
        ["then", { properties: { options: optionsSchema } }],
      ]),
    );
  }
  return schema;
}

export function datasetSpecSchema(): JsonSchema {
  return z.toJSONSchema(datasetSpec, { io: "input" }) as JsonSchema;
}
