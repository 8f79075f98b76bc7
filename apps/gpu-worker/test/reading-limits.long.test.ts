import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisKeys } from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiSide } from "./support/api-side.ts";
import { RedisServer } from "./support/redis-server.ts";
import { WorkerProcess } from "./support/worker-process.ts";

let redis: RedisServer;
let data: string;
let api: ApiSide;
let worker: WorkerProcess;

beforeEach(async () => {
  redis = await RedisServer.start();
  await redis.client.set(redisKeys.generation, "1");
  data = mkdtempSync(join(tmpdir(), "hww-"));
  api = new ApiSide(redis.client, "w1");
});
afterEach(async () => {
  await worker.end("SIGKILL");
  await api.close();
  await redis.stop();
  rmSync(data, { recursive: true, force: true });
});

/** @param seconds until a step that reads is stopped */
function startWorker(seconds: string): void {
  worker = new WorkerProcess(redis.client, redis.url, data, "w1", {
    HOPWISE_STEP_MEMORY_BYTES: String(400 * 2 ** 20),
    HOPWISE_PREVIEW_SECONDS: seconds,
    HOPWISE_INGEST_ROWS: "12345",
  });
}

test("a step that its seconds do not stop, as it is inside one call, is stopped by its worker, which names the limit", async () => {
  startWorker("0.5");
  await api.submit({ jobId: "job1", step: "reading-probe", options: { mode: "block" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    type: "stageFailed",
    problem: {
      code: "DATASET_LIMIT_EXCEEDED",
      retryable: false,
      detail: expect.stringMatching(/reading-probe .* after 0\.5 s \(HOPWISE_PREVIEW_SECONDS\)/),
    },
  });
});

test.each([
  ["arrays", "fillArrays"],
  ["texts and objects", "fillHeap"],
])("a step that fills memory with %s has what it may have and no more, and is told so", async (_, mode) => {
  startWorker("600");
  await api.submit({ jobId: "job1", step: "reading-probe", options: { mode } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    type: "stageFailed",
    problem: {
      code: "STEP_MEMORY_LIMIT",
      retryable: false,
      detail: expect.stringMatching(/for reading-probe than the 419430400 bytes .*\(HOPWISE_STEP_MEMORY_BYTES\)/),
    },
  });
  expect(worker.exitCode).toBeNull();
});

test("a step gets the limits as the operator has set them, by the names of the variables", async () => {
  startWorker("600");
  await api.submit({ jobId: "job1", step: "reading-probe", options: { mode: "tell" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    type: "stageSucceeded",
    artifact: {
      info: {
        limits: {
          rows: { most: 12_345, setting: "HOPWISE_INGEST_ROWS" },
          columns: { most: 10_000, setting: "HOPWISE_INGEST_COLUMNS" },
          previewSeconds: { most: 600, setting: "HOPWISE_PREVIEW_SECONDS" },
          memoryBytes: { most: Math.floor(0.7 * 400 * 2 ** 20) },
        },
      },
    },
  });
});
