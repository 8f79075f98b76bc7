import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { outputOf, programsDir } from "../support/page-program.ts";

let dir: string;
beforeAll(async () => {
  await mkdir(programsDir, { recursive: true });
  dir = await mkdtemp(join(programsDir, "hopwise-guide-"));
});
afterAll(() => rm(dir, { recursive: true }));

test("the sample of the package's README learns to tell the circles apart", async () => {
  const output = await outputOf("packages/gnn-core/README.md", dir);
  const [, accuracy, columns] = /test accuracy ([\d.]+), (\d+) columns/.exec(output) ?? [];
  expect(Number(accuracy)).toBeGreaterThan(0.9);
  expect(columns).toBe("16");
});

test("the program of the library guide runs as the page says", async () => {
  const output = await outputOf("docs/guides/library.md", dir);
  expect(output).toContain("the same bits: true");
  expect(output).toContain("CANCELLED");
});
