import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { redisKeys } from "@hopwise/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiSide } from "./support/api-side.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

const doctorProgram = fileURLToPath(new URL("../dist/doctor.js", import.meta.url));
/** The packages of TensorFlow.js seem to be installed, in every process of the worker. */
const preload = new URL("../../../test/support/tfjs-node/preload.mjs", import.meta.url).href;
const tensorflow = { HOPWISE_BACKEND: "tensorflow" };
const installed = { ...tensorflow, NODE_OPTIONS: `--import=${preload}` };

let redis: RedisServer;
let data: string;
let api: ApiSide;
let worker: WorkerProcess;

beforeEach(async () => {
  redis = await RedisServer.start();
  data = mkdtempSync(join(tmpdir(), "hwb-"));
  api = new ApiSide(redis.client, "w1");
});
afterEach(async () => {
  await worker?.end("SIGKILL");
  await api.close();
  await redis.stop();
  rmSync(data, { recursive: true, force: true });
});

function start(env: Record<string, string>): void {
  worker = new WorkerProcess(redis.client, redis.url, data, "w1", env);
}

/** What it printed, once it has ended by itself. */
async function lastWords(): Promise<string> {
  await until("the end of the worker", async () => worker.exitCode !== null);
  expect(worker.exitCode).toBe(78);
  return worker.output;
}

describe("a worker whose backend cannot be used", () => {
  test("ends with what is missing, announces nothing and leaves the task in its queue", async () => {
    await api.submit({ jobId: "job1" });
    start(tensorflow);
    const words = await lastWords();
    expect(words).toContain("the backend cannot be used, so the worker ends");
    expect(words).toMatch(/needs @tensorflow\/tfjs-node-gpu 4\.22\.0 .*Cannot find package.*docs\/guides\/gpu\.md/);
    expect(await redis.client.exists(redisKeys.worker("w1"))).toBe(0);
    expect(await api.entries("job1")).toEqual([]);
  });

  test("ends where TensorFlow would compute on the CPU in silence, unless the CPU was asked for", async () => {
    start(installed);
    expect(await lastWords()).toMatch(/found no GPU that it can use.*HOPWISE_TENSORFLOW_DEVICE=cpu/);
    start({ ...installed, HOPWISE_TENSORFLOW_DEVICE: "cpu" });
    expect((await worker.announcement()).devices).toMatchObject([{ kind: "cpu" }]);
  });

  test("is told by the doctor, beside which NVIDIA devices there are", async () => {
    const env = { PATH: process.env.PATH, REDIS_URL: redis.url, HOPWISE_DATA: data, ...tensorflow };
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      const child = execFile(process.execPath, [doctorProgram], { env }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
      );
    });
    expect(output).toMatch(/the backend tensorflow cannot be used: .*tfjs-node-gpu/);
    expect(output).toMatch(/NVIDIA device/);
    expect(code).toBe(1);
  });
});

test("a worker whose TensorFlow says that it uses a GPU announces that alone, and takes no stage for a CPU", async () => {
  start({ ...installed, STAND_IN_USES_GPU: "1" });
  expect((await worker.announcement()).devices).toMatchObject([{ kind: "cuda", index: 0 }]);
  await api.submit({ jobId: "job1", device: "cuda" });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({ type: "stageSucceeded" });
  await api.submit({ jobId: "job2", device: "cpu" });
  expect((await api.story("job2")).at(-1)?.body).toMatchObject({
    problem: { code: "DEVICE_NOT_AVAILABLE", detail: expect.stringContaining("computes on cuda") },
  });
});
