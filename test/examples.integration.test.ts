import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the in-memory example trains a model that knows the fields of nine papers in ten", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/in-memory-sage.ts"], { cwd: root });
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(90);
});

test("the example of a model of one's own is found in its folder and learns", async () => {
  const { stdout } = await promisify(execFile)("node_modules/.bin/tsx", ["examples/own-model.ts"], { cwd: root });
  expect(stdout).toContain("difference");
  const accuracy = Number(/test accuracy ([\d.]+) %/.exec(stdout)?.[1]);
  expect(accuracy).toBeGreaterThan(85);
});
