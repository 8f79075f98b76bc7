import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
const mib = 2 ** 20;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-generate-"));
});
afterAll(() => rm(dir, { recursive: true }));

async function generate(name: string, scale: number, ...rest: string[]) {
  const out = join(dir, `${name}-${scale}`);
  const { stdout } = await run("script/generate", [name, "--scale", String(scale), "--out", out, ...rest], {
    cwd: root,
  });
  const files = await readdir(out);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(out, file))).size));
  return {
    files: files.toSorted(),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    nodes: Number(/: (\d+) nodes/.exec(stdout)?.[1]),
    peakBytes: Number(/peak RSS (\d+) MiB/.exec(stdout)?.[1]) * mib,
  };
}

test("a papers100m-shaped graph of five times the size takes 25 bytes a node more, not five times the memory", async () => {
  const rest = ["--format", "arrays", "--memory-mib", "16", "--threads", "1"];
  const small = await generate("papers100m-shaped", 0.0005, ...rest);
  const large = await generate("papers100m-shaped", 0.0025, ...rest);
  expect(large.bytes / small.bytes).toBeCloseTo(5, 1);
  // Twice 16 MiB: the allocator keeps some of what it got back. The files grew by more than twice as much in all.
  const allowed = 25 * (large.nodes - small.nodes) + 2 * 16 * mib;
  expect(large.bytes - small.bytes).toBeGreaterThan(2 * allowed);
  expect(large.peakBytes - small.peakBytes).toBeLessThan(allowed);
});

test("files for upload are what is left in the folder", async () => {
  const { files } = await generate("reddit-shaped", 0.001);
  expect(files).toEqual(["edges.csv", "features.npy", "nodes.csv"]);
});

test("an unknown shape is answered with those there are", async () => {
  const failing = run("script/generate", ["karate", "--out", dir], { cwd: root });
  await expect(failing).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("products-shaped") });
});
