import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("../../../script/fuzz-native", import.meta.url));
const run = promisify(execFile);

// The first run on a machine compiles the kernels once more, with the sanitizers.
test("native code that reads what others wrote takes damaged input without a report of the sanitizers", async (context) => {
  const { stdout } = await run(script, ["--cases", "500", "--seed", "1"], { maxBuffer: 2 ** 24 });
  if (stdout.includes("skipped")) {
    console.warn(stdout.trim());
    context.skip();
  }
  for (const driver of ["readers", "samplers", "rows"]) {
    expect(stdout).toMatch(new RegExp(`fuzz-${driver}:\\n500 cases of seed 1, no report`));
  }
}, 850_000);
