import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";

const script = await compileProgram(new URL("./multiply-under-signals.ts", import.meta.url));

test("signals that come during a product, such as a profiler's, damage nothing", async () => {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-signals-"));
  try {
    const flags = ["--cpu-prof", `--cpu-prof-dir=${dir}`];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script]);
    expect(stdout).toBe("100"); // rows of ones: 1 · 1 summed over 100
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
