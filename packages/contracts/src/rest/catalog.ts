import { z } from "zod";
import { route } from "./route.ts";

const jsonSchema = z.record(z.string(), z.unknown());

/** How a task is judged. */
const taskAnswer = z
  .object({
    name: z.string(),
    title: z.string(),
    seeds: z
      .enum(["nodes", "edges", "edgeRows", "allNodes", "graphs"])
      .describe("What is learnt from one after the other"),
    isDefault: z.boolean().describe("Whether a spec means it that names no task"),
    metrics: z
      .array(
        z
          .object({
            name: z.string().describe("What stands behind the split: `test/<name>`"),
            title: z.string(),
            direction: z.enum(["max", "min"]).describe("Whether the most or the least is best"),
            shownAs: z.enum(["percent", "figure"]),
          })
          .meta({ id: "TaskMetric" }),
      )
      .describe("In the order in which results show them"),
    chiefMetric: z.string().describe("Name of the metric that stands for the result in lists"),
    selectionMetric: z.string().describe("Name of the metric that chooses the best weights unless the spec does"),
  })
  .meta({ id: "Task" });

export const componentAnswer = z
  .object({
    kind: z.string().describe("task, model, sampler, partitioner, reader or step"),
    name: z.string(),
    version: z.number().int(),
    title: z.string(),
    summary: z.string(),
    reference: z.string().nullable(),
    optionsSchema: jsonSchema.describe("JSON Schema (draft 2020-12) of its options"),
    task: taskAnswer.nullable().describe("What a task says beside its options; null for all others"),
  })
  .meta({ id: "Component" });
export type ComponentAnswer = z.infer<typeof componentAnswer>;

export const presetAnswer = z
  .object({
    name: z.string(),
    situation: z.string().describe("The kind of graph it is for"),
    model: z.string(),
    title: z.string(),
    summary: z.string(),
    spec: z.record(z.string(), z.unknown()).describe("Sections of a job spec, to be laid over its defaults"),
  })
  .meta({ id: "JobPreset" });
export type PresetAnswer = z.infer<typeof presetAnswer>;

export const catalogAnswer = z
  .object({ components: z.array(componentAnswer), presets: z.array(presetAnswer) })
  .meta({ id: "Catalog" });
export type CatalogAnswer = z.infer<typeof catalogAnswer>;

const tag = "catalog";
const unchanged = { description: "It is what `If-None-Match` names" };
const headers = z.object({ "if-none-match": z.string().optional() });

export const catalogRoutes = {
  readCatalog: route({
    method: "GET",
    path: "/v1/catalog",
    tag,
    summary:
      "The tasks, models, samplers, partitioners, readers and steps of this installation, and presets of job specs",
    headers,
    answers: { 200: catalogAnswer, 304: unchanged },
  }),
  readJobSpecSchema: route({
    method: "GET",
    path: "/v1/schemas/job-spec.json",
    tag,
    summary: "JSON Schema of a job spec, with the options of the components that are installed",
    headers,
    answers: { 200: jsonSchema, 304: unchanged },
  }),
  readInferSpecSchema: route({
    method: "GET",
    path: "/v1/schemas/infer-spec.json",
    tag,
    summary: "JSON Schema of the spec of a job that applies a model",
    headers,
    answers: { 200: jsonSchema, 304: unchanged },
  }),
  readDatasetSpecSchema: route({
    method: "GET",
    path: "/v1/schemas/dataset-spec.json",
    tag,
    summary: "JSON Schema of a dataset spec",
    headers,
    answers: { 200: jsonSchema, 304: unchanged },
  }),
};
