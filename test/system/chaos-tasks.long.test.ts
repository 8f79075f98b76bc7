import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tasks = ["links", "typedNodes", "edges", "graphs", "views", "walks"];
const numRuns = 12;

test("jobs of every other kind, struck at named points, end with the bits of their undisturbed twins", async () => {
  const command = [
    "--import",
    "tsx",
    "test/chaos/main.ts",
    "--runs",
    String(numRuns),
    "--tasks",
    tasks.join(),
    "--json",
  ];
  // Its exit code is 1, which rejects, when a run hung, lost an epoch or has other bits; the report says which.
  const told = await promisify(execFile)(process.execPath, command, { cwd: root }).catch((failed) => failed);
  const { details } = JSON.parse(told.stdout.trim().split("\n").at(-1)) as {
    details: { runs: number; hangs: number; faults: unknown[] };
  };
  expect(details).toMatchObject({ runs: numRuns, hangs: 0, faults: [] });
}, 1_500_000);
