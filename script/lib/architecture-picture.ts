import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
export const architecturePath = `${root}docs/ARCHITECTURE.md`;

/** What each name imports, by name; only names that import or are imported occur. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

interface Cruise {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string }[];
  }[];
}

/** docs/ARCHITECTURE.md with its pictures drawn anew from the imports that there are. */
export function architectureWithPictures(): string {
  const packages = importsBetween(".dependency-cruiser.cjs", /^((?:packages|apps)\/[^/]+)/, [
    "packages/*/src",
    "apps/*/src",
  ]);
  const folders = importsBetween(".dependency-cruiser-built.cjs", /^packages\/gnn-core\/dist\/([^/]+)\//, [
    "packages/gnn-core/dist",
  ]);
  const apiFolders = importsBetween(".dependency-cruiser.cjs", /^apps\/api\/src\/([^/]+)\//, ["apps/api/src"]);
  const withPackages = withPicture(readFileSync(architecturePath, "utf8"), "packages", packages);
  const withApi = withPicture(withPackages, "api", withoutShortcuts(apiFolders));
  return withPicture(withApi, "engine", withoutShortcuts(folders));
}

/** @param named its first group is the name that a module's path is counted under; modules without one are left out */
function importsBetween(config: string, named: RegExp, sources: readonly string[]): ImportGraph {
  const command = `exec node_modules/.bin/depcruise --config ${config} --output-type json ${sources.join(" ")}`;
  const { modules }: Cruise = JSON.parse(
    execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 }),
  );
  const graph = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = named.exec(source)?.[1];
    if (from === undefined) continue;
    const imported = graph.get(from) ?? new Set<string>();
    graph.set(from, imported);
    for (const { resolved } of dependencies) {
      const to = named.exec(resolved)?.[1];
      if (to !== undefined && to !== from) imported.add(to);
    }
  }
  return graph;
}

/**
 * Without the arrows that a longer way says too, where nothing imports itself in a circle: a → c goes beside a → b → c.
 */
export function withoutShortcuts(graph: ImportGraph): ImportGraph {
  const reaches = (from: string, to: string): boolean =>
    [...(graph.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return new Map(
    [...graph].map(([from, imported]) => [
      from,
      new Set([...imported].filter((to) => ![...imported].some((other) => other !== to && reaches(other, to)))),
    ]),
  );
}

export function mermaid(graph: ImportGraph): string {
  const lines = [...graph].flatMap(([from, imported]) => [...imported].map((to) => `  ${from} --> ${to}`));
  return ["flowchart TD", ...lines.toSorted()].join("\n");
}

function withPicture(text: string, name: string, graph: ImportGraph): string {
  const open = `<!-- picture: ${name} (script/print-architecture) -->`;
  const close = "<!-- end of picture -->";
  const start = text.indexOf(open);
  const end = text.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`docs/ARCHITECTURE.md has no "${open}" … "${close}".`);
  return `${text.slice(0, start)}${open}\n\n\`\`\`mermaid\n${mermaid(graph)}\n\`\`\`\n\n${text.slice(end)}`;
}
