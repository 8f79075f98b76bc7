import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { redisKeys, type StageTask } from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiSide, sliceOf } from "./support/api-side.ts";
import { RedisServer } from "./support/redis-server.ts";
import { WorkerProcess } from "./support/worker-process.ts";

let redis: RedisServer;
let dir: string;
let workers: WorkerProcess[];
let sides: ApiSide[];

/** Two workers on this machine, each with its own folder and its own loopback address, and a store for both. */
beforeEach(async () => {
  redis = await RedisServer.start();
  dir = mkdtempSync(join(tmpdir(), "hwh-"));
  workers = [
    startWorker("w1", { HOPWISE_RANK_ADDRESS: "127.0.0.2" }),
    startWorker("w2", { HOPWISE_RANK_ADDRESS: "127.0.0.3" }),
  ];
  sides = workers.map(({ id }) => new ApiSide(redis.client, id));
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  for (const side of sides) await side.close();
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

function startWorker(id: string, env: Record<string, string>): WorkerProcess {
  const settings = {
    ARTIFACTS_URL: pathToFileURL(join(dir, "artifacts")).href,
    HOPWISE_RANK_PORTS: "42100-42199",
    ...env,
  };
  return new WorkerProcess(redis.client, redis.url, join(dir, id), id, settings);
}

/** Two ranks for the first worker, one for the second. */
async function submit(change: Partial<StageTask>): Promise<StageTask> {
  const task = (index: number) => {
    const slice = [sliceOf(0, 2, 0, 2), sliceOf(1, 2, 2, 1)][index] as StageTask["slice"];
    return { jobId: "job1", ranks: 3, slice, ...change };
  };
  await (sides[1] as ApiSide).submit(task(1));
  return (sides[0] as ApiSide).submit(task(0));
}

const api = () => sides[0] as ApiSide;

test("ranks on two hosts find each other through Redis and add up; the first host tells the result", async () => {
  const task = await submit({ options: { mode: "allReduce" } });
  expect((await api().story("job1", 1)).at(-1)?.body.type).toBe("sliceFinished");
  expect((await api().story("job1")).at(-1)?.body).toMatchObject({
    type: "stageSucceeded",
    artifact: { info: { worldSize: 3 } },
  });
  const sums = readFileSync(join(dir, "artifacts", task.output.prefix, "sums.json"), "utf8");
  expect(JSON.parse(sums)).toEqual([1 + 2 + 3, 10 + 10 + 10]);
  expect(await api().event("job1", "stageStarted", 1)).toMatchObject({ pids: [expect.any(Number)] });
});

test("a host that is shut down says so before it hands its ranks back, and frees its own lease alone", async () => {
  await submit({ options: { gate: join(dir, "gate") } });
  await api().event("job1", "stageStarted", 1);
  await api().event("job1", "step");
  await workers[1]?.end("SIGTERM");
  expect((await api().story("job1", 1)).at(-1)?.body).toMatchObject({
    type: "stageFailed",
    problem: { code: "WORKER_LOST", retryable: true },
    isConsequence: true,
  });
  expect(await redis.client.exists(redisKeys.lease("w2", "job1", 1, 1))).toBe(0);
  expect(await redis.client.exists(redisKeys.lease("w1", "job1", 1, 0))).toBe(1);
});

test("a worker without an address for other hosts refuses its part by name of the setting", async () => {
  await workers[1]?.end("SIGTERM");
  workers[1] = startWorker("w2", {});
  await submit({ options: { gate: join(dir, "gate") } });
  expect((await api().story("job1", 1)).at(-1)?.body).toMatchObject({
    problem: { code: "WORKER_INCOMPATIBLE", detail: expect.stringContaining("HOPWISE_RANK_ADDRESS") },
  });
});
