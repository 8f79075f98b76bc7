import type { Registry } from "@hopwise/gnn-core/spec";
import { type CatalogEntry, catalogOf, type JobPreset, jobPresets } from "@hopwise/gnn-core/spec";
import { datasetSpecSchema, jobSpecSchema } from "../../jobs/spec-schemas.ts";
import { builder } from "../builder.ts";

const Component = builder.objectRef<CatalogEntry>("Component").implement({
  fields: (t) => ({
    kind: t.exposeString("kind", { description: "model, sampler, partitioner, reader or step" }),
    name: t.exposeString("name"),
    version: t.exposeInt("version"),
    title: t.exposeString("title"),
    summary: t.exposeString("summary"),
    reference: t.exposeString("reference", { nullable: true }),
    optionsSchema: t.expose("optionsSchema", { type: "JSON", description: "JSON Schema of its options" }),
  }),
});

const Preset = builder.objectRef<JobPreset>("JobPreset").implement({
  fields: (t) => ({
    name: t.exposeString("name"),
    title: t.exposeString("title"),
    summary: t.exposeString("summary"),
    spec: t.expose("spec", { type: "JSON", description: "Sections of a job spec, to be laid over its defaults" }),
  }),
});

const CatalogType = builder.objectRef<Registry>("Catalog").implement({
  fields: (t) => ({
    components: t.field({
      type: [Component],
      args: { kind: t.arg.string() },
      resolve: (registry, { kind }) => catalogOf(registry).filter((entry) => !kind || entry.kind === kind),
    }),
    presets: t.field({ type: [Preset], resolve: () => [...jobPresets] }),
    jobSpecSchema: t.field({ type: "JSON", resolve: (registry) => jobSpecSchema(registry) }),
    datasetSpecSchema: t.field({ type: "JSON", resolve: () => datasetSpecSchema() }),
  }),
});

builder.queryFields((t) => ({
  catalog: t.field({ type: CatalogType, resolve: (_root, _args, { services }) => services.registry }),
}));
