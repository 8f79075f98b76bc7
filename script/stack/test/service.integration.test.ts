import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Service } from "../service.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "service-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Resolves with each pid as the service is spawned. */
function startService(program: string) {
  const pids: number[] = [];
  const waiting: (() => void)[] = [];
  const service = new Service({
    name: "probe",
    command: process.execPath,
    args: ["-e", program],
    env: {},
    logFile: join(dir, "probe.log"),
    graceMs: 500,
    onSpawn: (pid) => {
      pids.push(pid);
      for (const wake of waiting.splice(0)) wake();
    },
    onDeath: () => undefined,
  });
  service.start();
  const spawned = async (count: number): Promise<number> => {
    while (pids.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return pids[count - 1] ?? -1;
  };
  return { service, spawned };
}

test("a service that is killed starts again", async () => {
  const { service, spawned } = startService("setInterval(() => {}, 1000)");
  process.kill(await spawned(1), "SIGKILL");
  expect(await spawned(2)).not.toBe(await spawned(1));
  await service.stop();
});

test("a service that ends at once is started later each time, and its log says why", async () => {
  const { service, spawned } = startService("console.error('no port'); process.exit(1)");
  const start = Date.now();
  await spawned(3);
  expect(Date.now() - start).toBeGreaterThanOrEqual(200 + 400);
  expect(service.deaths).toBe(2);
  expect(service.logTail(1)).toBe("no port");
  await service.stop();
});

test("a service that ignores SIGTERM is killed after its grace time", async () => {
  const program = "process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)";
  const { service, spawned } = startService(program);
  const pid = await spawned(1);
  while (!readFileSync(join(dir, "probe.log"), "utf8").includes("deaf")) await new Promise(setImmediate);
  await service.stop();
  expect(() => process.kill(pid, 0)).toThrow();
});
