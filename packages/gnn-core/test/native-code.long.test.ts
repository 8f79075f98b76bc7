import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, type TestContext, test } from "vitest";

const run = promisify(execFile);

/** What a script that builds with the sanitizers prints; the test is skipped where the compiler has none. */
async function outputOf(script: string, args: readonly string[], context: TestContext): Promise<string> {
  const path = fileURLToPath(new URL(`../../../script/${script}`, import.meta.url));
  const { stdout } = await run(path, args, { maxBuffer: 2 ** 24 });
  if (stdout.includes("skipped")) {
    console.warn(stdout.trim());
    context.skip();
  }
  return stdout;
}

// The first run on a machine compiles the kernels once more, with the sanitizers.
test("native kernels agree with brute force and differences, without a report of the sanitizers", async (context) => {
  const stdout = await outputOf("test-native", [], context);
  expect(stdout.trim()).toMatch(/^[1-9]\d+ passed, 0 failed$/);
}, 850_000);

test("native code that reads what others wrote takes damaged input without a report of the sanitizers", async (context) => {
  const stdout = await outputOf("fuzz-native", ["--cases", "500", "--seed", "1"], context);
  for (const driver of ["readers", "samplers", "walks", "rankings", "rows"]) {
    expect(stdout).toMatch(new RegExp(`fuzz-${driver}:\\n500 cases of seed 1, no report`));
  }
}, 850_000);
