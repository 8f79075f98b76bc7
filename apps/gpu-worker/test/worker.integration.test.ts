import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { leadRank, redisChannels, redisKeys, type WorkerEvent } from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiSide, inOrder } from "./support/api-side.ts";
import { isAlive } from "./support/is-alive.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

const workerName = "w1";
let redis: RedisServer;
let data: string;
let gate: string;
let api: ApiSide;
let worker: WorkerProcess;

beforeEach(async () => {
  redis = await RedisServer.start();
  data = mkdtempSync(join(tmpdir(), "hww-"));
  gate = join(data, "gate");
  api = new ApiSide(redis.client, workerName);
  worker = startWorker();
});
afterEach(async () => {
  await worker.end("SIGKILL");
  await api.close();
  await redis.stop();
  rmSync(data, { recursive: true, force: true });
});

function startWorker(env: Record<string, string> = {}): WorkerProcess {
  return new WorkerProcess(redis.client, redis.url, data, workerName, env);
}

/** The sets of CPUs that threads of a process may run on. */
function cpusOfThreads(pid: number): string[] {
  const tasks = `/proc/${pid}/task`;
  const sets = readdirSync(tasks).map((task) => {
    const status = readFileSync(join(tasks, task, "status"), "utf8");
    return /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? "";
  });
  return [...new Set(sets)];
}

const types = (events: readonly WorkerEvent[]) => events.map(({ body }) => body.type);
function expectGapless(events: readonly WorkerEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
}
const metricsOf = (events: readonly WorkerEvent[]) =>
  events.flatMap(({ body }) => (body.type === "metrics" ? body.points.map(({ step }) => step) : []));

test("the worker announces its components, cores and slots", async () => {
  const announced = await worker.announcement();
  expect(announced).toMatchObject({ id: workerName, draining: false, running: [] });
  expect(announced.components).toContain("step:probe@1");
  expect(await redis.client.pttl(redisKeys.worker(workerName))).toBeGreaterThan(0);
});

test("a stage that succeeds leaves its artifact in the store, manifest and all, and a gapless story", async () => {
  const task = await api.submit({ jobId: "job1", options: { epochs: 3, checkpoint: true } });
  const events = await api.story("job1");
  expectGapless(events);
  expect(types(events)[0]).toBe("stageStarted");
  expect(metricsOf(events)).toEqual([1, 2, 3]);
  const end = events.at(-1)?.body;
  if (end?.type !== "stageSucceeded") throw new Error(`ended with ${JSON.stringify(end)}`);
  expect(end.artifact).toMatchObject({ id: task.output.id, kind: "probed", info: { worldSize: 1, resumed: null } });
  const stored = join(data, "artifacts", task.output.prefix);
  expect(JSON.parse(readFileSync(join(stored, "manifest.json"), "utf8"))).toMatchObject({
    digest: end.artifact.digest,
  });
  expect(JSON.parse(readFileSync(join(stored, "sums.json"), "utf8"))).toEqual([1, 10]);
});

test("the last checkpoint is stored beside the output, and a later attempt finds it and its inputs", async () => {
  await api.submit({ jobId: "job1", options: { epochs: 3, checkpoint: true } });
  const saved = (await api.story("job1")).flatMap(({ body }) => (body.type === "checkpointSaved" ? [body] : []));
  expect(saved.at(-1)).toMatchObject({ epoch: 3, artifact: { kind: "checkpoint", info: { epoch: 3 } } });
  const resume = saved.at(-1)?.artifact;
  if (!resume) throw new Error("no checkpoint");
  await api.submit({ jobId: "job2", resume, inputs: { checkpoint: resume } });
  expect((await api.story("job2")).at(-1)?.body).toMatchObject({
    type: "stageSucceeded",
    artifact: { info: { resumed: 3, inputs: ["checkpoint"] } },
  });
});

test("an engine error keeps its code and place; any other is masked and its trace is in the log", async () => {
  await api.submit({ jobId: "job1", options: { mode: "gnnError" } });
  await api.submit({ jobId: "job2", options: { mode: "throw" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    type: "stageFailed",
    problem: { code: "DATASET_ROW_INVALID", file: "e.csv", line: 7, retryable: false },
  });
  const masked = (await api.story("job2")).at(-1)?.body;
  expect(masked).toMatchObject({ type: "stageFailed", problem: { code: "INTERNAL" } });
  expect(JSON.stringify(masked)).not.toContain("hunter2");
  expect(worker.output).toContain("TypeError");
});

test("options that the step refuses are named by their pointer", async () => {
  await api.submit({ jobId: "job1", options: { epochs: "many" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    problem: { code: "SPEC_INVALID", pointer: "/epochs", retryable: false },
  });
});

test("a task of another contract version is refused visibly", async () => {
  await api.submit({ jobId: "job1", contract: 99 });
  const events = await api.story("job1");
  expect(events.at(-1)?.body).toMatchObject({ type: "stageFailed", problem: { code: "WORKER_INCOMPATIBLE" } });
});

test("a device that this worker does not have is refused by name", async () => {
  await api.submit({ jobId: "job1", device: "cuda" });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({ problem: { code: "DEVICE_NOT_AVAILABLE" } });
});

test("two ranks add up their numbers", async () => {
  const task = await api.submit({ jobId: "job1", ranks: 2, options: { mode: "allReduce" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    type: "stageSucceeded",
    artifact: { info: { worldSize: 2 } },
  });
  const sums = readFileSync(join(data, "artifacts", task.output.prefix, "sums.json"), "utf8");
  expect(JSON.parse(sums)).toEqual([1 + 2, 10 + 10]);
});

test("ranks are bound to cores of their own with all their threads, when asked, and the log says so", async () => {
  await worker.end("SIGTERM");
  worker = startWorker({ HOPWISE_BIND: "cores" });
  await api.submit({ jobId: "job1", ranks: 2, options: { gate } });
  const { pids } = await api.event("job1", "stageStarted");
  await api.event("job1", "step");
  const cpus = pids.map(cpusOfThreads);
  const told = (await api.entries("job1")).flatMap(({ body }) =>
    body.type === "step" && body.event.type === "log" ? [body.event] : [],
  );
  const isAlone = availableParallelism() === 1;
  expect(cpus.map(({ length }) => length)).toEqual([1, 1]); // all threads have the same
  expect(cpus[0]?.[0] === cpus[1]?.[0]).toBe(isAlone);
  expect(told.map(({ member, fields }) => [member, fields?.cpus])).toEqual(
    cpus.map(([set], index) => [{ kind: "rank", index }, set]),
  );
});

test("kill -9 of a rank ends the group, names rank, host, step and signal, and may be tried again", async () => {
  await api.submit({ jobId: "job1", ranks: 2, options: { gate } });
  const { pids } = await api.event("job1", "stageStarted");
  await api.event("job1", "step");
  process.kill(pids[1] ?? -1, "SIGKILL");
  const events = await api.story("job1");
  const incident = events.map(({ body }) => body).find((body) => body.type === "incident");
  expect(incident).toMatchObject({ code: "RANK_LOST", member: { kind: "rank", index: 1 } });
  expect(incident).toHaveProperty("message", expect.stringMatching(/Rank 1 on .+ was killed by SIGKILL during probe/));
  expect(events.at(-1)?.body).toMatchObject({ problem: { code: "RANK_LOST", retryable: true } });
  expect(pids.filter(isAlive)).toEqual([]);
});

test("a training that is to end is told so on every rank, before or after its start, and the step after it is not", async () => {
  await api.submit({ jobId: "job1", ranks: 2, options: { mode: "endless" } });
  await api.event("job1", "step");
  await api.desire("job1", { state: "endTraining", attempt: 1 });
  await redis.client.publish(redisChannels.desired, "job1");
  const endOf = async (jobId: string) => (await api.story(jobId)).at(-1)?.body;
  expect(await endOf("job1")).toMatchObject({ type: "stageSucceeded", artifact: { info: { ended: true } } });
  await api.submit({ jobId: "job2", ranks: 2 });
  expect(await endOf("job2")).toMatchObject({ type: "stageSucceeded", artifact: { info: { ended: false } } });
  // A lost message is made up for within a second; a wish of an older attempt holds for the next.
  await api.submit({ jobId: "job3", attempt: 2, ranks: 2, options: { mode: "endless" } });
  await api.desire("job3", { state: "endTraining", attempt: 2 });
  expect(await endOf("job3")).toMatchObject({ type: "stageSucceeded", artifact: { info: { ended: true } } });
});

test("a rank that ends without a word is lost, with its exit code", async () => {
  await api.submit({ jobId: "job1", options: { mode: "exit" } });
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({
    problem: { code: "RANK_LOST", detail: expect.stringContaining("exited with code 7") },
  });
});

test("a rank that stands still is named while it hangs, even inside native code, and cancel still ends it", async () => {
  await worker.end("SIGTERM");
  worker = startWorker({ HOPWISE_STALL_SECONDS: "1" });
  await api.submit({ jobId: "job1", options: { mode: "block", epochs: 1 } });
  expect(await api.event("job1", "incident")).toMatchObject({ code: "RANK_STALLED", member: leadRank });
  await api.desire("job1", { state: "cancel", attempt: 1 });
  await redis.client.publish(redisChannels.desired, "job1");
  expect((await api.story("job1")).at(-1)?.body.type).toBe("stageCancelled");
});

test("a stopped rank, whose watchdog is silent, is named and its group ended, so that the step starts again", async () => {
  await worker.end("SIGTERM");
  worker = startWorker({ HOPWISE_STALL_SECONDS: "2" });
  await api.submit({ jobId: "job1", ranks: 2, options: { gate } });
  const { pids } = await api.event("job1", "stageStarted");
  await api.event("job1", "step");
  process.kill(pids[1] ?? -1, "SIGSTOP");
  const end = (await api.story("job1")).at(-1)?.body;
  expect(end).toMatchObject({ type: "stageFailed", problem: { code: "RANK_STALLED", retryable: true } });
  expect(end).toHaveProperty(
    "problem.detail",
    expect.stringMatching(/Rank 1 on .+ no sign of life for \d+ s in probe/),
  );
  expect(pids.filter(isAlive)).toEqual([]);
});

test("a rank that beats and never advances is ended in the end", async () => {
  await worker.end("SIGTERM");
  worker = startWorker({ HOPWISE_STALL_SECONDS: "1" });
  await api.submit({ jobId: "job1", options: { mode: "hang", epochs: 1 } });
  const end = (await api.story("job1")).at(-1)?.body;
  expect(end).toMatchObject({ type: "stageFailed", problem: { code: "RANK_STALLED" } });
  expect(end).toHaveProperty("problem.detail", expect.stringMatching(/has not advanced for 1\d s/));
});

test("cancel ends a stage without a message too: the stored state is read", async () => {
  await api.submit({ jobId: "job1", options: { gate } });
  const { pids } = await api.event("job1", "stageStarted");
  await api.desire("job1", { state: "cancel", attempt: 1 });
  expect((await api.story("job1")).at(-1)?.body.type).toBe("stageCancelled");
  expect(pids.filter(isAlive)).toEqual([]);
});

test("a stage of an overtaken attempt stops, writes nothing and leaves no event behind", async () => {
  const task = await api.submit({ jobId: "job1", options: { gate } });
  const { pids } = await api.event("job1", "stageStarted");
  await api.desire("job1", { state: "run", attempt: 2 });
  await until("the end of its ranks", async () => !pids.some(isAlive));
  await until("an idle worker", async () => (await worker.announcement()).running.length === 0);
  expect(readdirSync(join(data, "artifacts"))).not.toContain(task.output.prefix.split("/")[0]);
  await until("an empty outbox", async () => readdirSync(join(data, "worker", "outbox")).length === 0);
});

test("while a stage runs its attempt's lease belongs to this boot of the worker", async () => {
  await api.submit({ jobId: "job1", options: { gate } });
  const { bootId } = await worker.announcement();
  await api.event("job1", "step");
  expect(await redis.client.get(redisKeys.lease(workerName, "job1", 1))).toBe(`${workerName}/${bootId}`);
  const running = await until("its announcement", async () => {
    const announced = await worker.announcement();
    return announced.running.length > 0 && announced.running;
  });
  expect(running).toEqual([{ jobId: "job1", attempt: 1, stageIndex: 0 }]);
});

test("kill -9 of the worker takes its ranks along; the next life sends every event again and says what happened", async () => {
  await api.submit({ jobId: "job1", ranks: 2, options: { epochs: 5, gate } });
  const { pids } = await api.event("job1", "stageStarted");
  const before = await until("five epochs", async () => {
    const events = inOrder(await api.entries("job1"));
    return metricsOf(events).length === 5 ? events : null;
  });
  await worker.end("SIGKILL");
  await until("the end of its ranks", async () => !pids.some(isAlive));
  await api.loseStreams(); // as if the API had seen none of them
  worker = startWorker();
  const events = await api.story("job1");
  expectGapless(events);
  expect(events.slice(0, before.length)).toEqual(before);
  expect(types(events).slice(-2)).toEqual(["incident", "stageFailed"]);
  expect(events.at(-1)?.body).toMatchObject({ problem: { code: "WORKER_LOST", retryable: true } });
});

test("SIGTERM hands a running stage back and lets its lease go", async () => {
  await api.submit({ jobId: "job1", options: { gate } });
  await api.event("job1", "step");
  await worker.end("SIGTERM");
  expect((await api.story("job1")).at(-1)?.body).toMatchObject({ problem: { code: "WORKER_LOST", retryable: true } });
  expect(await redis.client.exists(redisKeys.lease(workerName, "job1", 1), redisKeys.worker(workerName))).toBe(0);
});

test("kill -9 of Redis loses no event and doubles none, and the stage goes on", async () => {
  await api.submit({ jobId: "job1", options: { epochs: 5, gate } });
  await api.event("job1", "step");
  await redis.kill();
  await redis.start();
  writeFileSync(gate, "");
  const events = await api.story("job1");
  expectGapless(events);
  expect(metricsOf(events)).toEqual([1, 2, 3, 4, 5]);
  expect(events.at(-1)?.body.type).toBe("stageSucceeded");
});

test("after FLUSHALL everything unacknowledged comes again, and the stage ends as if nothing had been", async () => {
  await api.submit({ jobId: "job1", options: { epochs: 5, gate } });
  await until("five epochs", async () => metricsOf(await api.entries("job1")).length === 5);
  await redis.client.flushall();
  writeFileSync(gate, "");
  const events = await api.story("job1");
  expectGapless(events);
  expect(metricsOf(events)).toEqual([1, 2, 3, 4, 5]);
  expect(events.at(-1)?.body.type).toBe("stageSucceeded");
});

test("acknowledged events are forgotten, and a finished stage's file with the last of them", async () => {
  await api.submit({ jobId: "job1", options: { epochs: 2 } });
  const last = (await api.story("job1")).at(-1);
  expect(readdirSync(join(data, "worker", "outbox"))).toEqual(["job1-1-0.ndjson"]);
  if (last) await api.acknowledge(last);
  await until("an empty outbox", async () => readdirSync(join(data, "worker", "outbox")).length === 0);
});

test("a resend request repeats what is unacknowledged and nothing else", async () => {
  await api.submit({ jobId: "job1", options: { epochs: 3 } });
  const events = await api.story("job1");
  const third = events[2];
  if (third) await api.acknowledge(third);
  await until("trimming", async () => {
    await api.loseStreams();
    await redis.client.publish(redisChannels.resend, "");
    const again = await until("the last event", async () => {
      const found = await api.entries("job1");
      return found.some(({ seq }) => seq === events.length) ? found : null;
    });
    return again[0]?.seq === 4;
  });
});

test("a task delivered twice runs once", async () => {
  const task = await api.submit({ jobId: "job1", options: { gate } });
  await api.event("job1", "step");
  await redis.client.del(`bull:${redisKeys.workerQueue(workerName)}:job1-1-0`);
  await api.submit(task);
  await until("the second delivery", async () => worker.output.includes("this stage runs here already"));
  writeFileSync(gate, "");
  const events = await api.story("job1");
  expectGapless(events);
  expect(types(events).filter((type) => type === "stageStarted")).toHaveLength(1);
});
