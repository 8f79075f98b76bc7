import { datasetSpec, inferSpec, jobSpec } from "@hopwise/contracts";
import type { CatalogEntry, ComponentKind } from "@hopwise/gnn-core/spec";
import { z } from "zod";

export type JsonSchema = Record<string, unknown>;

const chosen: Readonly<Record<string, ComponentKind>> = {
  model: "model",
  sampling: "sampler",
  partition: "partitioner",
};

interface ObjectSchema extends JsonSchema {
  readonly properties: Record<string, JsonSchema>;
  readonly required?: readonly string[];
}

/** JSON Schema of the JobSpec as submitted: each component's options are checked by the schema of its `type`. */
export function jobSpecSchema(catalog: readonly CatalogEntry[]): JsonSchema {
  const schema = z.toJSONSchema(jobSpec, { io: "input" }) as ObjectSchema;
  const tasks = catalog.filter(({ kind }) => kind === "task");
  schema.properties["task"] = {
    oneOf: tasks.map((entry) => taskSchema(schema.properties["task"] as ObjectSchema, entry)),
  };
  nameMetrics(schema, tasks);
  checkChoices(schema, chosen, catalog);
  return schema;
}

/** JSON Schema of the InferSpec as submitted. */
export function inferSpecSchema(catalog: readonly CatalogEntry[]): JsonSchema {
  const schema = z.toJSONSchema(inferSpec, { io: "input" }) as ObjectSchema;
  checkChoices(schema, { partition: "partitioner" }, catalog);
  return schema;
}

function checkChoices(
  schema: ObjectSchema,
  sections: Readonly<Record<string, ComponentKind>>,
  catalog: readonly CatalogEntry[],
): void {
  for (const [section, kind] of Object.entries(sections)) {
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
}

/** A task's own options stand beside its type and what all tasks have. */
function taskSchema({ properties }: ObjectSchema, { name, task, optionsSchema }: CatalogEntry): ObjectSchema {
  const { properties: own = {}, required = [] } = optionsSchema as Partial<ObjectSchema>;
  const { type: _, ...common } = properties;
  const byDefault = task?.isDefault ?? false;
  return {
    type: "object",
    properties: { type: { ...(byDefault && { default: name }), type: "string", const: name }, ...own, ...common },
    required: byDefault ? required : ["type", ...required],
    additionalProperties: false,
  };
}

/** Which metrics early stopping can go by: those of the tasks that are installed. */
function nameMetrics(schema: ObjectSchema, tasks: readonly CatalogEntry[]): void {
  const train = schema.properties["train"] as ObjectSchema;
  const stopping = train.properties["earlyStopping"] as { anyOf: ObjectSchema[] };
  const names = tasks.flatMap(({ task }) => task?.metrics ?? []).map(({ name }) => `val/${name}`);
  for (const { properties } of stopping.anyOf) {
    if (properties) properties["metric"] = { ...properties["metric"], enum: [...new Set(names)] };
  }
}

export function datasetSpecSchema(): JsonSchema {
  return z.toJSONSchema(datasetSpec, { io: "input" }) as JsonSchema;
}
