import { type CatalogEntry, type JobPreset, jobPresets, type Registry, type TaskFacts } from "@hopwise/gnn-core/spec";
import { installedCatalog } from "../../jobs/installed-catalog.ts";
import { builder } from "../base/builder.ts";
import { costs, nestedListCost } from "../base/costs.ts";

const TaskMetric = builder.objectRef<TaskFacts["metrics"][number]>("TaskMetric").implement({
  fields: (t) => ({
    name: t.exposeString("name", { description: "What stands behind the split: `test/<name>`" }),
    title: t.exposeString("title"),
    direction: t.exposeString("direction", { description: "max or min: whether the most or the least is best" }),
    shownAs: t.exposeString("shownAs", { description: "percent or figure" }),
  }),
});

export const TaskType = builder.objectRef<TaskFacts>("Task").implement({
  description: "How a task is judged",
  fields: (t) => ({
    name: t.exposeString("name"),
    title: t.exposeString("title"),
    seeds: t.exposeString("seeds", { description: "What is learnt from one after the other" }),
    isDefault: t.exposeBoolean("isDefault", { description: "Whether a spec means it that names no task" }),
    metrics: t.field({
      type: [TaskMetric],
      complexity: nestedListCost(8),
      description: "In the order in which results show them",
      resolve: ({ metrics }) => [...metrics],
    }),
    chiefMetric: t.exposeString("chiefMetric", { description: "The metric that stands for the result in lists" }),
    selectionMetric: t.exposeString("selectionMetric", {
      description: "The metric that chooses the best weights unless the spec does",
    }),
  }),
});

const Component = builder.objectRef<CatalogEntry>("Component").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "task, model, sampler, partitioner, reader or step" }),
    name: t.exposeString("name"),
    version: t.exposeInt("version"),
    title: t.exposeString("title"),
    summary: t.exposeString("summary"),
    reference: t.exposeString("reference", { nullable: true }),
    optionsSchema: t.expose("optionsSchema", {
      type: "JSON",
      complexity: costs.optionsSchema,
      description: "JSON Schema of its options",
    }),
    task: t.expose("task", {
      type: TaskType,
      nullable: true,
      description: "What a task says beside its options; null for all others",
    }),
  }),
});

export const PresetType = builder.objectRef<JobPreset>("JobPreset").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    situation: t.exposeString("situation", { description: "The kind of graph it is for" }),
    model: t.exposeString("model"),
    title: t.exposeString("title"),
    summary: t.exposeString("summary"),
    spec: t.expose("spec", {
      type: "JSON",
      complexity: costs.json,
      description: "Sections of a job spec, to be laid over its defaults",
    }),
  }),
});

const CatalogType = builder.objectRef<Registry>("Catalog").implement({
  fields: (t) => ({
    components: t.field({
      type: [Component],
      args: { kind: t.arg.string() },
      complexity: nestedListCost(50),
      resolve: (registry, { kind }) =>
        installedCatalog(registry).components.filter((entry) => !kind || entry.kind === kind),
    }),
    presets: t.field({
      type: [PresetType],
      complexity: nestedListCost(jobPresets.length),
      resolve: () => [...jobPresets],
    }),
    jobSpecSchema: t.field({
      type: "JSON",
      complexity: costs.jsonSchema,
      resolve: (registry) => installedCatalog(registry).jobSpecSchema,
    }),
    datasetSpecSchema: t.field({
      type: "JSON",
      complexity: costs.jsonSchema,
      resolve: (registry) => installedCatalog(registry).datasetSpecSchema,
    }),
  }),
});

builder.queryFields((t) => ({
  catalog: t.field({ type: CatalogType, resolve: (_root, _args, { services }) => services.registry }),
}));
