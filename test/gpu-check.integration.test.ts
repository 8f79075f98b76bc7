import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { CheckResults } from "../benchmarks/gpu/results.ts";
import { steps } from "../benchmarks/gpu/steps.ts";
import { placementWords } from "../packages/gnn-core/src/host/feature-placement.ts";

const script = fileURLToPath(new URL("../script/gpu-check", import.meta.url));
const run = promisify(execFile);

/** All steps, packed, are run by gpu-check.long.test.ts. */
test("script/gpu-check trains in the emulation as the processor does, on one device and on two of their own", async () => {
  const out = await mkdtemp(join(tmpdir(), "hopwise-gpu-check-"));
  const only = ["losses", "severalDevices", "pyg", "memcheck"].flatMap((step) => ["--only", step]);
  const { stdout } = await run(script, ["--emulated", "--out", out, ...only]);
  const { steps: found } = JSON.parse(await readFile(join(out, "emulation.json"), "utf8")) as CheckResults;
  await rm(out, { recursive: true });
  expect(found.map(({ name, state }) => [name, state])).toEqual([
    ["losses", "passed"],
    ["severalDevices", "passed"],
    ["pyg", "not run"],
    ["memcheck", "not run"],
  ]);
  expect(found[0]!.figures).toMatchObject([{ name: "sage", steps: 20 }]);
  expect(found[1]!.figures).toMatchObject([
    { ranks: 2, areWeightsEqual: true, reducedBy: expect.stringContaining("from device to device") },
    { areAllEqual: true, placed: placementWords.sharded },
  ]);
  expect(stdout).toContain("| Losses of 20 steps against the native backend's | passed |");
  // The first time on a machine it compiles the kernels.
}, 600_000);

test("a step that takes minutes and measures a grid runs only where it is named", () => {
  expect(steps.filter(({ isExtra }) => isExtra).map(({ name }) => name)).toEqual(["table2"]);
});
