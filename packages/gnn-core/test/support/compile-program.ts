import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

const compiledDir = resolve(import.meta.dirname, "../../../../node_modules/.cache/hopwise-test-programs");

/**
 * Compiles a TypeScript program of the tests for plain Node, on the built engine: starting it with a loader of TypeScript, which
 * would also load the engine's sources one by one, takes two CPU seconds a process.
 *
 * @returns path of the program, named by its contents
 */
export async function compileProgram(source: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    plugins: [builtEngine],
  });
  const text = outputFiles[0]?.text ?? "";
  const path = join(compiledDir, `${createHash("sha256").update(text).digest("hex")}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(compiledDir, { recursive: true });
  // Renamed when whole: other test files may compile the same program at the same time.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** The engine's modules are loaded from its build, and not made part of the program. */
const builtEngine: Plugin = {
  name: "built-engine",
  setup(compilation) {
    compilation.onResolve({ filter: /\/src\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const built = resolve(resolveDir, path).replace("/src/", "/dist/").replace(/\.ts$/, ".js");
      return { path: pathToFileURL(built).href, external: true };
    });
  },
};
