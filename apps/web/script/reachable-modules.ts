import type { Plugin } from "vite";

export interface ReachableModules {
  /** Learns of the modules while they are read */
  readonly plugin: Plugin;
  /** Whether the page imports this module, itself or by others, before it is drawn */
  readonly has: (id: string) => boolean;
}

/** Modules that name all of a library, of which an importer takes a few. */
const barrel = /node_modules\/@mantine\/(core|hooks)\/esm\/index\.m?js/;
const component = /node_modules\/@mantine\/core\/esm\/components\/(\w+)\//;

/**
 * The modules that a page imports at once; of Mantine's components those that its own modules name.
 *
 * @param page end of its module's path, with the file's name
 */
export function reachableFrom(page: string): ReachableModules {
  const reached = new Set<string>();
  const components = new Set<string>();
  return {
    has: (id) => reached.has(id) || components.has(component.exec(id)?.[1] ?? ""),
    plugin: {
      name: "reachable-modules",
      apply: "build",
      buildEnd() {
        const wanted = [...this.getModuleIds()].filter((id) => id.endsWith(page));
        for (let id = wanted.pop(); id !== undefined; id = wanted.pop()) {
          if (reached.has(id) || barrel.test(id)) continue;
          reached.add(id);
          const found = this.getModuleInfo(id);
          for (const name of namesOfCore(found?.code ?? "")) components.add(name);
          wanted.push(...(found?.importedIds ?? []));
        }
      },
    },
  };
}

function namesOfCore(code: string): string[] {
  return [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']@mantine\/core["']/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? ""),
  );
}
