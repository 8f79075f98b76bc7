import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const hung = "test/fixtures/hanging/b-blocks.hanging.ts";
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hw-guard-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the files of a folder of fixtures; resolves when nobody holds the output open any more. */
async function runFixtures(folder: string, limits: { seconds: number; fileSeconds: number }) {
  const config = join(root, `test/fixtures/${folder}/vitest.config.ts`);
  const args = [join(dir, "out"), String(limits.seconds), String(limits.fileSeconds), "--config", config];
  const env = { ...process.env, HANGING_CHILD: join(dir, "child"), UNSTEADY_MARK: join(dir, "mark") };
  const child = spawn(process.execPath, [join(root, "script/lib/run-vitest.mjs"), ...args], { cwd: root, env });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, "close");
  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  const [counts, failures, unsteady] = ["counts", "failures", "unsteady"].map((name) => read(`out/${name}`).trim());
  return { counts, failures, unsteady };
}

async function runHanging(limits: { seconds: number; fileSeconds: number }) {
  const found = await runFixtures("hanging", limits);
  return { ...found, childPid: readFileSync(join(dir, "child"), "utf8") };
}

/** Not so when it has ended and only waits for a parent to look. */
const isAlive = (pid: string) => existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";

test("a test file that blocks its process is ended with its children and named, and the other files still run", async () => {
  const { counts, failures, childPid } = await runHanging({ seconds: 110, fileSeconds: 5 });
  expect(counts).toBe("2 1");
  expect(failures).toContain(`a test file was ended after 5 s: ${hung}`);
  expect(isAlive(childPid)).toBe(false);
});

test("a run that takes too long is ended with all it started, counts what had passed and names the file in hand", async () => {
  const { counts, failures, childPid } = await runHanging({ seconds: 20, fileSeconds: 1000 });
  expect(counts).toMatch(/^[0-2] 1$/);
  expect(failures).toBe(`the tests were ended after 20 s: ${hung}`);
  expect(isAlive(childPid)).toBe(false);
});

test("an error outside any test is a failure, though every test passes", async () => {
  const { counts, failures } = await runFixtures("rejecting", { seconds: 110, fileSeconds: 100 });
  expect(counts).toBe("1 1");
  expect(failures).toBe("");
});

test("a test that fails and then passes alone is counted as passed and named; one that fails twice has failed", async () => {
  const { counts, failures, unsteady } = await runFixtures("unsteady", { seconds: 110, fileSeconds: 100 });
  expect(unsteady).toBe("test/fixtures/unsteady/a.unsteady.ts: fails where no earlier run has left a mark");
  expect(failures).toBe("test/fixtures/unsteady/b.unsteady.ts: fails in every run");
  expect(counts).toBe("2 1");
});
