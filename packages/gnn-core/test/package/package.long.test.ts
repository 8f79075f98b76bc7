import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const packageDir = fileURLToPath(new URL("../..", import.meta.url));
const cora = fileURLToPath(new URL("../../../../../shared/datasets/cora", import.meta.url));
const installTimeoutMs = 300_000;

/** Outside the workspace: nothing of it can be found from there. */
let app: string;
let packed: readonly string[];

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), "hopwise-app-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", app], {
    cwd: packageDir,
  });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  await writeFile(join(app, "package.json"), '{ "private": true, "type": "module" }');
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: app });
}, installTimeoutMs);
afterAll(() => rm(app, { recursive: true, force: true }));

async function answerOf(script: string, ...args: string[]): Promise<Record<string, unknown>> {
  await copyFile(fileURLToPath(new URL(script, import.meta.url)), join(app, script));
  const { stdout } = await run(process.execPath, [script, ...args], { cwd: app });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

const hasNvcc = ["/usr/local/cuda/bin", ...(process.env["PATH"] ?? "").split(":")].some((folder) =>
  existsSync(join(folder, "nvcc")),
);

describe("the packed library, installed into an empty folder", () => {
  test("holds what is loaded and what it is compiled from, and no sources or traces of a build", () => {
    const loaded = [
      "dist/index.js",
      "dist/index.d.ts",
      "build/hopwise.node",
      "build/hopwise-metis",
      "build/hopwise-devices",
    ];
    for (const path of [...loaded, "native/CMakeLists.txt"]) {
      expect(packed).toContain(path);
    }
    expect(packed.filter((path) => /^(src|test)\/|tsbuildinfo|CMakeCache|\.map$/.test(path))).toEqual([]);
  });

  test("has types that a program compiles against", async () => {
    await copyFile(fileURLToPath(new URL("types.ts", import.meta.url)), join(app, "types.ts"));
    const compilerOptions = { module: "nodenext", strict: true, skipLibCheck: true, noEmit: true, types: [] };
    await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["types.ts"] }));
    const tsc = fileURLToPath(new URL("../../../../node_modules/.bin/tsc", import.meta.url));
    const { stdout } = await run(tsc, ["-p", app], { cwd: app }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("trains a graph of its own generator in a worker thread", async () => {
    const { accuracy } = await answerOf("train-generated.mjs");
    // The largest of the 47 classes has 23 % of the nodes.
    expect(accuracy).toBeGreaterThan(0.5);
  });

  test.skipIf(!existsSync(cora))("trains Cora to the accuracy of a GCN", async () => {
    const { accuracy } = await answerOf("train-cora.mjs", cora);
    expect(accuracy).toBeGreaterThan(0.78); // Kipf and Welling 2017: 81.5 %; one seed
  });

  test("came without DuckDB, and a reader that needs it says what to install", async () => {
    expect(existsSync(join(app, "node_modules", "@duckdb"))).toBe(false);
    expect(await answerOf("read-parquet.mjs")).toMatchObject({
      name: "GnnError",
      code: "DEPENDENCY_MISSING",
      message: expect.stringContaining("npm install @duckdb/node-api"),
    });
  });
});

describe.skipIf(!hasNvcc)("the kernels for GPUs, packed", () => {
  const cudaDir = join(packageDir, "cuda-linux-x64");
  const root = join(packageDir, "../..");

  test("are missed in words, installed beside the library, and loaded as far as a GPU's driver", async () => {
    expect(await answerOf("select-cuda.mjs")).toMatchObject({
      code: "NATIVE_NOT_BUILT",
      message: expect.stringContaining("install @hopwise/cuda-linux-x64@0.1.0"),
    });
    await run(join(root, "script/build-cuda"), ["--gpu"], { cwd: root });
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", app], { cwd: cudaDir });
    const [{ filename, size, files }] = JSON.parse(stdout.slice(stdout.indexOf("["))) as [
      { filename: string; size: number; files: { path: string }[] },
    ];
    expect(files.map(({ path }) => path).toSorted()).toEqual(["README.md", "hopwise-cuda.node", "package.json"]);
    console.info(`@hopwise/cuda-linux-x64: ${(size / 2 ** 20).toFixed(1)} MiB packed`);
    expect(size).toBeLessThan(8 * 2 ** 20);
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${filename}`], { cwd: app });
    // No driver is needed to get this far; with a GPU there is nothing to miss.
    const found = await answerOf("select-cuda.mjs");
    if (!found["device"]) {
      expect(found).toMatchObject({
        code: "DEVICE_NOT_AVAILABLE",
        message: expect.stringContaining("NVIDIA's driver 580 or newer"),
      });
    }
    const manifest = join(app, "node_modules/@hopwise/cuda-linux-x64/package.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace('"0.1.0"', '"0.0.9"'));
    expect(await answerOf("select-cuda.mjs")).toMatchObject({
      code: "NATIVE_NOT_BUILT",
      message: expect.stringContaining("is of version 0.0.9, the engine of 0.1.0"),
    });
  }, 900_000);
});
