import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from "@prisma/driver-adapter-utils";
import type * as SchemaEngineModule from "@prisma/schema-engine-wasm/schema_engine_bg";

export type SchemaEngine = SchemaEngineModule.SchemaEngine;

/** The one call used of a global that TypeScript declares only for browsers. */
declare const WebAssembly: {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let runtime: Promise<typeof SchemaEngineModule> | undefined;

/**
 * Prisma's own schema engine as WebAssembly: the stock `prisma migrate` wants a native binary from the network.
 * Same `_prisma_migrations` table, so the stock command works on the same database too.
 */
export async function openSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schemaPath: string,
): Promise<SchemaEngine> {
  runtime ??= loadRuntime();
  const { SchemaEngine } = await runtime;
  const datamodels = [[schemaPath, await readFile(schemaPath, "utf8")]];
  // The published types say `private constructor` and miss the static `new`.
  const create = (SchemaEngine as unknown as { new: (...parts: unknown[]) => Promise<SchemaEngine> }).new;
  return create({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

async function loadRuntime(): Promise<typeof SchemaEngineModule> {
  const script = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const module: typeof SchemaEngineModule = await import(pathToFileURL(script).href);
  const binary = await readFile(script.replace(/\.js$/, ".wasm"));
  const { instance } = await WebAssembly.instantiate(binary, { "./schema_engine_bg.js": module });
  module.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return module;
}
