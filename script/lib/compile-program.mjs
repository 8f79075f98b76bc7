// node compile-program.mjs PROGRAM.ts: prints the path of the compiled program.
//
// Compiles a TypeScript program of the benchmarks or the tests for plain Node, on the built engine. To start it with a
// loader of TypeScript, which loads the engine's sources one by one, takes two CPU seconds and 60 MB of memory a
// process.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const compiledDir = resolve(import.meta.dirname, "../../node_modules/.cache/hopwise-programs");

/** The path is named by the program's contents. `alias` names modules that take the place of packages. */
export async function compileProgram(source, { alias = {} } = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias,
    plugins: [builtEngine, ownAddresses],
  });
  const [{ text }] = outputFiles;
  const path = join(compiledDir, `${createHash("sha256").update(text).digest("hex")}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(compiledDir, { recursive: true });
  // Renamed when whole: another process may compile the same program at the same time.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** Compiles in a process of its own: the compiler takes some 20 MB, which a benchmark of memory must not count. */
export async function compileProgramApart(source) {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, fileURLToPath(source)]);
  return stdout.trim();
}

/** Modules of packages and apps are loaded from their build, and what is JavaScript already from where it is. */
const builtEngine = {
  name: "built-engine",
  setup(compilation) {
    compilation.onResolve({ filter: /\/src\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const built = resolve(resolveDir, path).replace("/src/", "/dist/").replace(/\.ts$/, ".js");
      return { path: pathToFileURL(built).href, external: true };
    });
    compilation.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(resolve(resolveDir, path)).href,
      external: true,
    }));
  },
};

/** Each module finds the files beside it as if it had stayed where it is. */
const ownAddresses = {
  name: "own-addresses",
  setup(compilation) {
    compilation.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8")
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
      return { contents, loader: "ts" };
    });
  },
};

if (process.argv[1] === import.meta.filename) console.log(await compileProgram(pathToFileURL(process.argv[2])));
