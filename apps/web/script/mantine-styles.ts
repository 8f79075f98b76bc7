import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Plugin } from "vite";

const mantine = resolve(import.meta.dirname, "../../../node_modules/@mantine");
const core = join(mantine, "core");
/** Their code draws with components of the core. */
const builtOnCore = ["notifications", "dropzone"];
/** Variables and resets, without which no component is right. */
const always = ["baseline", "default-css-variables", "global"];

/**
 * Leaves of Mantine's style sheet what the components in use need, in its own order, as the later of two equal
 * selectors wins. In development the sheet stays whole: a component that has just been written is styled at once.
 */
export function usedMantineStyles(src: string): Plugin {
  return {
    name: "used-mantine-styles",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      return id.endsWith("@mantine/core/styles.css") ? { code: usedOf(code, usedStyles(src)), map: null } : null;
    },
  };
}

/** The parts of the sheet: it is made of the components' files one after the other. */
export function usedOf(sheet: string, used: ReadonlySet<string>): string {
  return styleFiles()
    .filter(({ name }) => used.has(name) || always.includes(name))
    .map(({ name, text }) => ({ name, text, at: sheet.indexOf(text) }))
    .map((part) => (part.at >= 0 ? part : fail(`Mantine's styles.css does not hold its ${part.name}.css as it is.`)))
    .toSorted((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join("\n");
}

/** Names of the style files whose classes the code under `src` can reach, e.g. `Button` and its `UnstyledButton`. */
export function usedStyles(src: string): Set<string> {
  const roots = [src, ...builtOnCore.map((name) => join(mantine, name, "esm"))];
  const names = new Set(roots.flatMap(codeFiles).flatMap((path) => importsOfCore(readFileSync(path, "utf8"))));
  const classes = classesReached(pathsOf(names));
  return new Set(
    styleFiles()
      .filter(({ text }) => [...text.matchAll(/\.(m_[0-9a-f]+)/g)].some(([, one = ""]) => classes.has(one)))
      .map(({ name }) => name),
  );
}

function importsOfCore(code: string): string[] {
  return [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*"@mantine\/core"/g)].flatMap(([, list = ""]) =>
    list.split(",").map((name) => name.trim().split(/\s+as\s+/)[0] ?? ""),
  );
}

/** Modules that bring what is imported by these names; types bring none. */
function pathsOf(names: ReadonlySet<string>): string[] {
  const index = join(core, "esm/index.mjs");
  return [...readFileSync(index, "utf8").matchAll(/import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)"/g)]
    .filter(([, list = ""]) => list.split(",").some((name) => names.has(name.trim())))
    .map(([, , path = ""]) => resolve(dirname(index), path));
}

/** Classes that a module or what it imports puts on elements. */
function classesReached(paths: readonly string[]): Set<string> {
  const wanted = [...paths];
  const seen = new Set<string>();
  const classes = new Set<string>();
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const code = readFileSync(path, "utf8");
    if (path.endsWith(".module.mjs")) for (const [one] of code.matchAll(/m_[0-9a-f]+/g)) classes.add(one);
    for (const [, to = ""] of code.matchAll(/from\s*"(\.[^"]+\.mjs)"/g)) wanted.push(resolve(dirname(path), to));
  }
  return classes;
}

function styleFiles(): { name: string; text: string }[] {
  const folder = join(core, "styles");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".css") && !file.endsWith(".layer.css"))
    .map((file) => ({ name: basename(file, ".css"), text: readFileSync(join(folder, file), "utf8").trim() }));
}

function codeFiles(folder: string): string[] {
  if (!existsSync(folder)) return fail(`${folder} is missing; run npm ci.`);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
    .map((name) => join(folder, name));
}

function fail(message: string): never {
  throw new Error(message);
}
