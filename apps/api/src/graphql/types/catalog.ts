import { type CatalogEntry, type JobPreset, jobPresets, type Registry } from "@hopwise/gnn-core/spec";
import { installedCatalog } from "../../jobs/installed-catalog.ts";
import { builder } from "../builder.ts";
import { costs, nestedListCost } from "../costs.ts";

const Component = builder.objectRef<CatalogEntry>("Component").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "model, sampler, partitioner, reader or step" }),
    name: t.exposeString("name"),
    version: t.exposeInt("version"),
    title: t.exposeString("title"),
    summary: t.exposeString("summary"),
    reference: t.exposeString("reference", { nullable: true }),
    optionsSchema: t.expose("optionsSchema", {
      type: "JSON",
      complexity: costs.json,
      description: "JSON Schema of its options",
    }),
  }),
});

const Preset = builder.objectRef<JobPreset>("JobPreset").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
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
    presets: t.field({ type: [Preset], resolve: () => [...jobPresets] }),
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
