import { createHash } from "node:crypto";
import { type CatalogEntry, catalogOf, jobPresets, type Registry } from "@hopwise/gnn-core/spec";
import { datasetSpecSchema, inferSpecSchema, type JsonSchema, jobSpecSchema } from "./spec-schemas.ts";

/** A JSON answer that is the same for everybody. */
export interface JsonPage {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** What this installation can do. */
export interface InstalledCatalog {
  readonly components: readonly CatalogEntry[];
  readonly jobSpecSchema: JsonSchema;
  readonly datasetSpecSchema: JsonSchema;
  readonly pages: Readonly<Record<"catalog" | "jobSpec" | "inferSpec" | "datasetSpec", JsonPage>>;
}

const known = new WeakMap<Registry, InstalledCatalog>();

/** Made once: components are loaded when the service starts, and turning their options into schemas takes a while. */
export function installedCatalog(registry: Registry): InstalledCatalog {
  const found = known.get(registry);
  if (found) return found;
  const components = catalogOf(registry);
  const jobSpec = jobSpecSchema(components);
  const datasetSpec = datasetSpecSchema();
  const pages = {
    catalog: pageOf({ components, presets: jobPresets }),
    jobSpec: pageOf(jobSpec),
    inferSpec: pageOf(inferSpecSchema(components)),
    datasetSpec: pageOf(datasetSpec),
  };
  const catalog = { components, jobSpecSchema: jobSpec, datasetSpecSchema: datasetSpec, pages };
  known.set(registry, catalog);
  return catalog;
}

function pageOf(value: unknown): JsonPage {
  const bytes = Buffer.from(JSON.stringify(value));
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"` };
}
