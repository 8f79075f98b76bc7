import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { redisKeys } from "@hopwise/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ApiSide, sliceOf } from "./support/api-side.ts";
import { isAlive } from "./support/is-alive.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

const doctorProgram = fileURLToPath(new URL("../dist/doctor.js", import.meta.url));
/** The packages of TensorFlow.js seem to be installed, in every process of the worker. */
const preload = new URL("../../../test/support/tfjs-node/preload.mjs", import.meta.url).href;
/** Built by script/build-cuda */
const emulation = fileURLToPath(
  new URL("../../../packages/gnn-core/build/hopwise-cuda-emulated.node", import.meta.url),
);
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

/** One rank on this device */
const on = (device: string) => sliceOf(0, 1, 0, 1, [device]);
const endOf = async (jobId: string) => (await api.story(jobId)).at(-1)?.body;

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
  expect((await worker.announcement()).devices).toMatchObject([{ kind: "cuda", index: 0, uuid: "unlisted-w1" }]);
  await api.submit({ jobId: "job1", device: "cuda", slice: on("unlisted-w1") });
  expect(await endOf("job1")).toMatchObject({
    type: "stageSucceeded",
    artifact: { info: { device: "cuda:0", seen: null } },
  });
  await api.submit({ jobId: "shared", device: "cuda" });
  expect(await endOf("shared")).toMatchObject({
    problem: { code: "WORKER_INCOMPATIBLE", detail: expect.stringContaining("names 0 devices for 1 ranks") },
  });
  await api.submit({ jobId: "job2", device: "cpu" });
  expect((await api.story("job2")).at(-1)?.body).toMatchObject({
    problem: { code: "DEVICE_NOT_AVAILABLE", detail: expect.stringContaining("computes on cuda") },
  });
});

test.skipIf(!existsSync(emulation))(
  "a worker computes with the backend cuda on emulated devices, each marked as such",
  async () => {
    start({ HOPWISE_BACKEND: "cuda", HOPWISE_EMULATED_DEVICES: "1" });
    const uuid = "EMULATED-w1-0";
    expect((await worker.announcement()).devices).toMatchObject([{ kind: "cuda", uuid, isEmulated: true }]);
    expect(worker.output).toContain("this worker's devices do not exist");
    await api.submit({ jobId: "job1", device: "cuda", slice: on(uuid) });
    expect(await endOf("job1")).toMatchObject({ type: "stageSucceeded", artifact: { info: { device: "cuda:0" } } });
  },
);

describe("a worker with several devices", () => {
  const [first, second] = ["EMULATED-w1-0", "EMULATED-w1-1"] as const;
  const emulating = { ...installed, STAND_IN_USES_GPU: "1", HOPWISE_EMULATED_DEVICES: "2" };

  test("gives a device to one rank at a time, also after it was killed with a rank on it", async () => {
    start(emulating);
    const { devices } = await worker.announcement();
    expect(devices).toMatchObject([
      { uuid: first, isEmulated: true },
      { uuid: second, links: [{ to: first, kind: "nvlink" }] },
    ]);
    const gate = join(data, "gate");
    await api.submit({ jobId: "job1", device: "cuda", slice: on(first), options: { gate } });
    await api.event("job1", "step");
    await api.submit({ jobId: "job2", device: "cuda", slice: on(first), options: { gate } });
    await api.submit({ jobId: "job3", device: "cuda", slice: on(second) });
    // The one that needs the same device has not begun when the one beside it has ended.
    expect(await endOf("job3")).toMatchObject({ type: "stageSucceeded", artifact: { info: { device: "cuda:0" } } });
    expect((await api.entries("job2")).map(({ body }) => body.type)).toEqual(["stageStarted"]);
    const { pids } = await api.event("job1", "stageStarted");
    await worker.end("SIGKILL");
    writeFileSync(gate, "");
    start(emulating);
    await worker.announcement();
    await api.submit({ jobId: "job4", device: "cuda", slice: on(first) });
    expect(await endOf("job4")).toMatchObject({ type: "stageSucceeded" });
    expect(pids.some(isAlive)).toBe(false);
  });

  test("takes one off its announcement that a rank has lost, before it says so, and refuses stages for it", async () => {
    start(emulating);
    await worker.announcement();
    await api.submit({ jobId: "job1", device: "cuda", slice: on(second), options: { mode: "loseDevice" } });
    expect(await endOf("job1")).toMatchObject({ problem: { code: "DEVICE_LOST", retryable: true } });
    expect((await worker.announcement()).devices.map(({ uuid }) => uuid)).toEqual([first]);
    await api.submit({ jobId: "job2", device: "cuda", slice: on(second) });
    expect(await endOf("job2")).toMatchObject({ problem: { code: "DEVICE_LOST", retryable: true } });
  });
});
