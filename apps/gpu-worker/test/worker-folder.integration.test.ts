import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RedisServer } from "./support/redis-server.ts";
import { WorkerProcess } from "./support/worker-process.ts";

let redis: RedisServer;
let data: string;
const workers: WorkerProcess[] = [];
beforeEach(async () => {
  redis = await RedisServer.start();
  data = mkdtempSync(join(tmpdir(), "hww-"));
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.end("SIGKILL");
  await redis.stop();
  rmSync(data, { recursive: true, force: true });
});

function start(id: string): WorkerProcess {
  const worker = new WorkerProcess(redis.client, redis.url, data, id);
  workers.push(worker);
  return worker;
}

/** Who holds the folder now. */
const holderOf = (folder: string) => JSON.parse(readFileSync(join(data, folder, "worker.lock"), "utf8")).pid;

test("workers on one data folder take a folder each, and one that is started again takes the first that is free", async () => {
  const first = start("w1");
  const second = start("w2");
  await Promise.all([first.announcement(), second.announcement()]);
  expect(new Set([holderOf("worker"), holderOf("worker-2")])).toEqual(new Set([first.pid, second.pid]));

  const freed = holderOf("worker") === first.pid ? first : second;
  await freed.end("SIGKILL");
  const third = start("w3");
  await third.announcement();
  expect(holderOf("worker")).toBe(third.pid);
});
