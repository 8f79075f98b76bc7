import { fileURLToPath } from "node:url";
import { type Origin, readDeclarations, sourceOf } from "./declarations.ts";

export const apiReportPath = fileURLToPath(new URL("../../docs/api/gnn-core.api.md", import.meta.url));

const dist = fileURLToPath(new URL("../../packages/gnn-core/dist/", import.meta.url));
const entries = {
  "@hopwise/gnn-core": "index.d.ts",
  "@hopwise/gnn-core/spec": "spec/index.d.ts",
  "@hopwise/gnn-core/ranks": "ranks.d.ts",
  "@hopwise/gnn-core/estimate": "estimate/index.d.ts",
};

/** Everything a program can import from the library, and the types these mention: a change of it shows in review. */
export function apiReport(): string {
  const sections = Object.entries(entries).map(([name, file]) => ({ name, exports: exportsOf(`${dist}${file}`) }));
  const declarations = new Map<string, string>();
  for (const { exports } of sections) for (const origin of exports.values()) declare(origin, declarations);
  const lists = sections.map(
    ({ name, exports }) => `## ${name}\n\n${[...exports.keys()].toSorted().map(code).join(" ")}\n`,
  );
  const texts = [...declarations].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return [
    "# What @hopwise/gnn-core offers\n",
    "Written by `script/print-api` from the compiled declarations; a test fails when they differ. A line that goes or",
    "changes breaks somebody's program: say so in the changelog.\n",
    ...lists,
    "## Declarations\n",
    "These are the names above and the types that they mention.\n",
    `\`\`\`ts\n${texts.join("\n\n")}\n\`\`\`\n`,
  ].join("\n");
}

const code = (name: string) => `\`${name}\``;

function exportsOf(file: string): Map<string, Origin> {
  const { exported, exportsAllOf } = readDeclarations(file);
  return new Map(
    [...exportsAllOf.flatMap((other) => [...exportsOf(other)]), ...exported].map(([name, origin]) => [
      name,
      declaredAt(origin),
    ]),
  );
}

/**
 * Follows a name through the files that only pass it on; one that comes from a package stays where it was last seen.
 */
function declaredAt({ file, name }: Origin): Origin {
  const { declared, imported, exported } = readDeclarations(file);
  const next = exported.get(name) ?? imported.get(name);
  return declared.has(name) || !next ? { file, name } : declaredAt(next);
}

/** Adds the declaration, then those of the names in it. */
function declare(origin: Origin, into: Map<string, string>): void {
  const { file, name } = declaredAt(origin);
  const key = `${name} ${file}`;
  const { declared, imported } = readDeclarations(file);
  const text = declared.get(name);
  if (text === undefined || into.has(key)) return;
  into.set(key, tidied(text));
  for (const word of new Set(text.match(/\b[A-Za-z_]\w*\b/g))) {
    if (declared.has(word)) declare({ file, name: word }, into);
    const from = imported.get(word);
    if (from) declare(from, into);
  }
  for (const [, specifier = "", mentioned = ""] of text.matchAll(/import\("(\.[^"]+)"\)\.(\w+)/g)) {
    const source = sourceOf(file, specifier);
    if (source) declare({ file: source, name: mentioned }, into);
  }
}

function tidied(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "" && line.trim() !== "#private;");
  return lines
    .join("\n")
    .replaceAll("export declare ", "")
    .replaceAll(/^export /gm, "")
    .replaceAll("    ", "  ");
}
