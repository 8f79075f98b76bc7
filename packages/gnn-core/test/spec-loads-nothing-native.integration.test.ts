import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const src = fileURLToPath(new URL("../src/", import.meta.url));

it("lists every component without loading native code, DuckDB, Arrow or tfjs", async () => {
  // A process of its own: this one has loaded other things already.
  const script = `
    import { createRequire } from "node:module";
    const { loadRegistry, catalogOf } = await import(${JSON.stringify(`${src}spec/index.ts`)});
    const { estimateJob } = await import(${JSON.stringify(`${src}estimate/index.ts`)});
    const registry = await loadRegistry();
    const maps = (await import("node:fs")).readFileSync("/proc/self/maps", "utf8");
    const native = [...new Set(maps.match(/\\S+\\.node$/gm) ?? [])];
    const cached = Object.keys(createRequire(import.meta.url).cache);
    const heavy = cached.filter((path) => /duckdb|apache-arrow|parquet-wasm|tfjs/.test(path));
    console.log(JSON.stringify({ native, heavy, steps: registry.list("step").map(({ name }) => name), count: catalogOf(registry).length, estimate: typeof estimateJob }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--import",
    "tsx",
    "--input-type=module",
    "-e",
    script,
  ]);
  const found = JSON.parse(stdout) as { native: string[]; heavy: string[]; steps: string[]; count: number };
  expect(found.native.filter((path) => !path.includes("esbuild"))).toEqual([]);
  expect(found.heavy).toEqual([]);
  expect(found.steps).toEqual(expect.arrayContaining(["export", "ingest", "map", "project", "remap"]));
  expect(found.count).toBeGreaterThan(8);
});
