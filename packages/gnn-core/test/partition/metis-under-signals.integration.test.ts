import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { compileProgram } from "../../../../script/lib/compile-program.mjs";

const script = await compileProgram(new URL("./metis-under-signals.ts", import.meta.url));

// METIS' own SIGTERM handler would jump into the wrong thread's stack here.
test("a SIGTERM while METIS works reaches Node, and METIS ends its work", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  const { numSignals, numAssigned } = JSON.parse(stdout) as { numSignals: number; numAssigned: number };
  expect(numSignals).toBeGreaterThan(0);
  expect(numAssigned).toBe(20_000);
});
