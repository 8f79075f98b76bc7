import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildEmulated } from "../packages/gnn-core/test/support/cuda-emulated.ts";
import { compileProgramApart } from "../script/lib/compile-program.mjs";

const run = promisify(execFile);
let folder = "";
let program = "";

beforeAll(async () => {
  buildEmulated();
  folder = await mkdtemp(join(tmpdir(), "hopwise-accuracy-processes-"));
  program = await compileProgramApart(new URL("../benchmarks/accuracy/ours.ts", import.meta.url));
});
afterAll(() => rm(folder, { recursive: true }));

interface Line {
  readonly row: string;
  readonly test: number;
  readonly device?: string;
}

async function trained(name: string, ...options: string[]): Promise<Line[]> {
  const results = join(folder, `${name}.jsonl`);
  await run(process.execPath, [
    program,
    "--small",
    "--epochs",
    "1",
    "--threads",
    "1",
    "--results",
    results,
    ...options,
  ]);
  const lines = (await readFile(results, "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line).toSorted((a, b) => (a.row < b.row ? -1 : 1));
}

test("trainings on a device, side by side, of what was prepared before, find what one process does on the processor", async () => {
  const artifacts = join(folder, "artifacts");
  await run(process.execPath, [program, "--small", "--artifacts", artifacts, "--prepare"]);
  const prepared = await readdir(artifacts);
  const apart = ["--processes", "2", "--limit", "100", "--backend", "cuda-emulated", "--artifacts", artifacts];
  const [one, many] = [await trained("one"), await trained("many", ...apart)];
  expect(await readdir(artifacts)).toEqual(prepared);
  expect(many.map(({ row }) => row)).toEqual(["generated-mlp", "generated-sage"]);
  for (const [i, { row, test: share }] of one.entries()) {
    expect(many[i]).toMatchObject({ row, device: "emulation" });
    expect(many[i]?.test).toBeCloseTo(share, 2);
  }
});

test("what a training without a result failed of is told, and the time that is over", async () => {
  const failed = trained("late", "--processes", "1", "--limit", "0");
  await expect(failed).rejects.toMatchObject({
    stderr: expect.stringContaining("has no result: the time of 0 s was over"),
  });
});
