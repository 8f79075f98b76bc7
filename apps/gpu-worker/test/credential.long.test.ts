import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { redisKeys, type StageTask, workerUserName, workerUserRules } from "@hopwise/contracts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ApiSide, sliceOf } from "./support/api-side.ts";
import { RedisServer } from "./support/redis-server.ts";
import { until } from "./support/until.ts";
import { WorkerProcess } from "./support/worker-process.ts";

let redis: RedisServer;
let dir: string;
let workers: WorkerProcess[];
let sides: ApiSide[];

beforeEach(async () => {
  redis = await RedisServer.start();
  await redis.client.set(redisKeys.generation, "one"); // as the API does
  dir = mkdtempSync(join(tmpdir(), "hwc-"));
  workers = [];
  sides = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end("SIGKILL")));
  for (const side of sides) await side.close();
  await redis.stop();
  rmSync(dir, { recursive: true, force: true });
});

const urlOf = (id: string) => `unix://${workerUserName(id)}:password-of-${id}@localhost${redis.socket}`;

/** As the API does when a credential is made. */
function admit(id: string): Promise<unknown> {
  const hash = createHash("sha256").update(`password-of-${id}`).digest("hex");
  return redis.client.acl("SETUSER", workerUserName(id), "reset", "on", `#${hash}`, ...workerUserRules(id));
}

function startWorker(id: string, env: Record<string, string> = {}): WorkerProcess {
  const ARTIFACTS_URL = pathToFileURL(join(dir, "artifacts")).href;
  const worker = new WorkerProcess(redis.client, urlOf(id), join(dir, id), id, { ARTIFACTS_URL, ...env });
  workers.push(worker);
  return worker;
}

function run(
  program: "doctor" | "healthcheck",
  url: string,
): Promise<{ readonly code: number; readonly output: string }> {
  const path = fileURLToPath(new URL(`../dist/${program}.js`, import.meta.url));
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, REDIS_URL: url, HOPWISE_DATA: dir };
    const child = execFile(process.execPath, [path], { env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

const refusals = () => redis.client.acl("LOG");

test("workers with users of their own run stages, share one, pass the doctor and the health check; Redis refuses nothing", async () => {
  await Promise.all([admit("w1"), admit("w2")]);
  startWorker("w1", { HOPWISE_RANK_ADDRESS: "127.0.0.2" });
  startWorker("w2", { HOPWISE_RANK_ADDRESS: "127.0.0.3" });
  sides = workers.map(({ id }) => new ApiSide(redis.client, id));
  const [first, second] = sides as [ApiSide, ApiSide];

  await first.submit({ jobId: "alone", options: { epochs: 3, checkpoint: true } });
  expect((await first.story("alone")).at(-1)?.body.type).toBe("stageSucceeded");
  await first.submit({ jobId: "ill", options: { mode: "throw" } });
  expect((await first.story("ill")).at(-1)?.body.type).toBe("stageFailed");

  const slice = (index: number): StageTask["slice"] => sliceOf(index, 2, index, 1);
  const shared = { jobId: "shared", ranks: 2, options: { mode: "allReduce" } };
  await second.submit({ ...shared, slice: slice(1) });
  await first.submit({ ...shared, slice: slice(0) });
  expect((await second.story("shared", 1)).at(-1)?.body.type).toBe("sliceFinished");
  expect((await first.story("shared")).at(-1)?.body.type).toBe("stageSucceeded");

  expect(await run("healthcheck", urlOf("w1"))).toEqual({ code: 0, output: "" });
  expect(await run("doctor", urlOf("w2"))).toMatchObject({ code: 0, output: expect.stringMatching(/w1 → w2: ok/) });
  await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  expect(await refusals()).toEqual([]);
});

test("a worker that is let in no more says by what user and what to do; back in, it works on", async () => {
  await admit("w1");
  const worker = startWorker("w1");
  await worker.announcement();
  await redis.client.acl("DELUSER", workerUserName("w1"));
  await until("its word", async () =>
    /refuses the user .*hopwise-worker-w1.*WRONGPASS.*Make a new one/.test(worker.output),
  );
  await admit("w1");
  await until("its word", async () => worker.output.includes("Redis lets this worker in"));
  sides = [new ApiSide(redis.client, "w1")];
  await sides[0]?.submit({ jobId: "after", options: {} });
  expect((await sides[0]?.story("after"))?.at(-1)?.body.type).toBe("stageSucceeded");
  expect(worker.exitCode).toBeNull();
});

test("a worker that nobody has let in ends with what to do, as the doctor and the health check do", async () => {
  const worker = startWorker("stranger");
  const advice = /refuses the user .?"hopwise-worker-stranger.?".*WRONGPASS.*Make a new one/;
  for (const program of ["doctor", "healthcheck"] as const) {
    expect(await run(program, urlOf("stranger"))).toEqual({ code: 1, output: expect.stringMatching(advice) });
  }
  expect(await until("its end", async () => worker.exitCode)).toBe(1);
  expect(worker.output).toMatch(advice);
});
