import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";
import { WorkerProcess } from "../support/worker-process.ts";

const program = fileURLToPath(new URL("../../dist/doctor.js", import.meta.url));
let redis: RedisServer;
let dir: string;
const workers: WorkerProcess[] = [];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  redis = await RedisServer.start();
  dir = mkdtempSync(join(tmpdir(), "hwd-"));
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.end("SIGTERM");
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function startWorkers(settings: Record<string, Record<string, string>>): Promise<void> {
  const ARTIFACTS_URL = pathToFileURL(join(dir, "artifacts")).href;
  for (const [id, env] of Object.entries(settings)) {
    workers.push(new WorkerProcess(redis.client, redis.url, join(dir, id), id, { ARTIFACTS_URL, ...env }));
  }
  await Promise.all(workers.map((worker) => worker.announcement()));
}

function doctor(): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, REDIS_URL: redis.url, HOPWISE_DATA: dir };
    const child = execFile(process.execPath, [program], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

async function occupy(host: string, port: number): Promise<void> {
  const server: Server = createServer().listen({ host, port });
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
}

test("workers that reach each other and share a store are told so, each way, and nothing stays behind", async () => {
  await startWorkers({
    w1: { HOPWISE_RANK_ADDRESS: "127.0.0.2", HOPWISE_RANK_PORTS: "42300-42301" },
    w2: { HOPWISE_RANK_ADDRESS: "127.0.0.3" },
  });
  await occupy("127.0.0.2", 42300); // the second port of the range serves as well
  const { code, output } = await doctor();
  expect(output).toMatch(/w1 → w2: ok, [\d.]+ ms there and back, \d+ MiB\/s/);
  expect(output).toMatch(/w2 → w1: ok/);
  expect(output).toContain("All is well.");
  expect(code).toBe(0);
  await until("an empty store", async () => readdirSync(join(dir, "artifacts", "doctor")).length === 0);
});

test("a worker without an address, one whose ports are taken and one with a store of its own are named", async () => {
  await startWorkers({
    w1: { HOPWISE_RANK_ADDRESS: "127.0.0.2", HOPWISE_RANK_PORTS: "42300-42300" },
    w2: {},
    w3: { HOPWISE_RANK_ADDRESS: "127.0.0.3", ARTIFACTS_URL: pathToFileURL(join(dir, "elsewhere")).href },
  });
  await occupy("127.0.0.2", 42300);
  const { code, output } = await doctor();
  expect(output).toMatch(/w3 → w1: FAILED, every port from 42300 to 42300 of 127.0.0.2 is taken/);
  expect(output).toMatch(/w1 → w2: FAILED, has no HOPWISE_RANK_ADDRESS/);
  expect(output).toMatch(/w1 → w3: ok/);
  expect(output).toMatch(/ARTIFACTS_URL must lead to the same files on every host: w1 does not see what w3 stores/);
  expect(code).toBe(1);
});

test("without a worker, and without Redis, it says what is missing", async () => {
  expect(await doctor()).toMatchObject({ code: 1, output: expect.stringContaining("No worker is announced") });
  await redis.kill();
  expect(await doctor()).toMatchObject({ code: 1, output: expect.stringContaining("set REDIS_URL") });
});
