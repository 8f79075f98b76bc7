import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const script = fileURLToPath(new URL("./metis-under-signals.ts", import.meta.url));

// METIS' own SIGTERM handler would jump into the wrong thread's stack here.
test("a SIGTERM while METIS works reaches Node, and METIS ends its work", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script]);
  const { numSignals, numAssigned } = JSON.parse(stdout) as { numSignals: number; numAssigned: number };
  expect(numSignals).toBeGreaterThan(0);
  expect(numAssigned).toBe(20_000);
});
