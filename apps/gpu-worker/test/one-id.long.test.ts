import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisKeys } from "@hopwise/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiSide } from "./support/api-side.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

const key = redisKeys.worker("w1");
let redis: RedisServer;
let dir: string;
let api: ApiSide;
let workers: WorkerProcess[];

beforeEach(async () => {
  redis = await RedisServer.start();
  await redis.client.set(redisKeys.generation, "one"); // as the API does
  dir = mkdtempSync(join(tmpdir(), "hwi-"));
  api = new ApiSide(redis.client, "w1");
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) await worker.end("SIGKILL");
  await api.close();
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

function start(folder: string): WorkerProcess {
  const worker = new WorkerProcess(redis.client, redis.url, join(dir, folder), "w1");
  workers.push(worker);
  return worker;
}

const announced = async () => JSON.parse((await redis.client.get(key)) ?? "{}");
const ended = (worker: WorkerProcess) => until("the end of a worker", async () => worker.exitCode !== null);
/** How many scripts Redis has run: here, attempts to announce. */
const scriptCalls = async () =>
  Number(/^cmdstat_eval:calls=(\d+)/m.exec(await redis.client.info("commandstats"))?.[1] ?? 0);
/** Whoever announced itself stays announced, as if it had done so this moment. */
const keepAnnounced = () => redis.client.pexpire(key, 60_000);

describe("two workers with one id", () => {
  test("the second says who has it and ends, and the first goes on working", async () => {
    const first = start("a");
    const { bootId, pid } = await first.announcement();
    const second = start("b");
    await ended(second);
    expect(second.exitCode).toBe(1);
    expect(second.output).toMatch(new RegExp(`Another worker has the id .+w1.+process ${pid} on .*boot ${bootId}`));
    expect(second.output).toMatch(/leave HOPWISE_WORKER_ID out, or make a credential for each/);
    expect((await announced()).bootId).toBe(bootId);
    await api.submit({ jobId: "job1" });
    expect((await api.story("job1")).at(-1)?.body).toMatchObject({ type: "stageSucceeded" });
    expect(first.exitCode).toBeNull();
  });

  test("one that finds another in its place when it comes back ends, and leaves the other's announcement", async () => {
    const first = start("a");
    const own = await first.announcement();
    // As after a pause of more than five seconds, in which another has come
    await redis.client.set(key, JSON.stringify({ ...own, bootId: "other", pid: 1 }), "PX", 60_000);
    await ended(first);
    expect(first.exitCode).toBe(1);
    expect(first.output).toMatch(/Another worker has the id .+w1.+process 1 on .*boot other/);
    expect(await announced()).toMatchObject({ bootId: "other" });
  });

  test("one that starts where a killed one worked takes its place at once", async () => {
    const first = start("a");
    const { bootId } = await first.announcement();
    await first.end("SIGKILL");
    expect(await keepAnnounced()).toBe(1);
    const next = await start("a").announcement();
    expect(next.bootId).not.toBe(bootId);
  });

  test("one that starts elsewhere waits until the announcement of a killed one has expired", async () => {
    const first = start("a");
    await first.announcement();
    await first.end("SIGKILL");
    await keepAnnounced();
    const before = await scriptCalls();
    const second = start("b");
    await until("a second that has asked for the id twice", async () => (await scriptCalls()) >= before + 2);
    expect((await announced()).pid).toBe(first.pid);
    await redis.client.pexpire(key, 1); // the rest of its five seconds
    expect((await second.announcement()).pid).toBe(second.pid);
  });

  test("a worker whose Redis was emptied is there again", async () => {
    const first = start("a");
    const { bootId } = await first.announcement();
    await redis.client.flushall();
    expect((await first.announcement()).bootId).toBe(bootId);
  });
});
