import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { GnnError } from "../errors/gnn-error.ts";
import { componentKinds } from "./component.ts";
import { type Component, Registry } from "./registry.ts";

const componentFile = new RegExp(`\\.(${componentKinds.join("|")})\\.(js|ts)$`);
const kinds: ReadonlySet<string> = new Set(componentKinds);

/**
 * Registers every component found under the folders: files named `<name>.<kind>.js`, exporting what
 * `define<Kind>` returned. Which folders is the operator's choice (never an upload's).
 *
 * @throws GnnError COMPONENT_INVALID naming the file that exports no component
 */
export async function discoverComponents(folders: readonly string[]): Promise<Registry> {
  const registry = new Registry();
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true });
    // A file of declarations beside its source matches too; only one of .js and .ts exists in a build or a source tree.
    const files = entries.filter((name) => componentFile.test(name) && !name.endsWith(".d.ts")).toSorted();
    for (const file of files) registry.add(await importComponent(join(folder, file)));
  }
  return registry;
}

async function importComponent(path: string): Promise<Component> {
  const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
  const components = Object.values(exported).filter(isComponent);
  const [component] = components;
  if (!component || components.length > 1) {
    throw new GnnError(
      "COMPONENT_INVALID",
      `${path} exports ${components.length} components; export exactly one define…() result.`,
    );
  }
  return component;
}

function isComponent(value: unknown): value is Component {
  return (
    typeof value === "object" &&
    value !== null &&
    "kind" in value &&
    "name" in value &&
    "options" in value &&
    kinds.has(String(value.kind))
  );
}
