import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRunning, processId } from "../process-id.ts";
import { runningStack, StackLock } from "../stack-state.ts";

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "stack-"));
  file = join(dir, "stack.json");
});
afterEach(() => rmSync(dir, { recursive: true }));

test("a folder has one stack: a second one is refused and names the first", async () => {
  const lock = await StackLock.take(file);
  await expect(StackLock.take(file)).rejects.toThrow(`process ${process.pid}`);
  await lock.release();
  await (await StackLock.take(file)).release();
});

test("what a killed supervisor left behind is ended before its folder is taken over", async () => {
  const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(orphan, "spawn");
  const id = processId(orphan.pid ?? -1);
  if (!id) throw new Error("the orphan did not start");
  const dead = { pid: process.pid, started: "1" };
  writeFileSync(file, JSON.stringify({ supervisor: dead, services: { worker: id }, isReady: true }));
  const ended = once(orphan, "exit");
  const lock = await StackLock.take(file);
  expect(isRunning(id)).toBe(false);
  await ended;
  await lock.release();
});

test("a process with the number of the old supervisor but another start time is not it", () => {
  writeFileSync(file, JSON.stringify({ supervisor: { pid: process.pid, started: "1" }, services: {}, isReady: true }));
  expect(runningStack(file)).toBeNull();
});

test("a file cut off while it was first written does not lock the folder for ever", async () => {
  writeFileSync(file, '{"superv');
  await (await StackLock.take(file)).release();
});
