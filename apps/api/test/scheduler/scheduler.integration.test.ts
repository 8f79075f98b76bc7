import { redisKeys } from "@hopwise/contracts";
import type { StepEvent } from "@hopwise/gnn-core/spec";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/database/open-database.ts";
import { queueInfo } from "../../src/jobs/job-queries.ts";
import { cancelJob } from "../../src/scheduler/cancel.ts";
import { submitIngest, submitJob } from "../../src/scheduler/submit.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { gate } from "./support/gate.ts";
import { type ScriptedStage, succeedAtOnce } from "./support/scripted-worker.ts";
import { openPostgres, openTestDatabase, World } from "./support/world.ts";

let database: Database;
let world: World;

const waitOptions = { timeout: 20_000, interval: 20 };

/** Trains `epochs` epochs with a metric and a checkpoint each, from the checkpoint on when there is one. */
async function train(stage: ScriptedStage, epochs: number): Promise<void> {
  const from = Number(stage.task.resume?.id.split("-c")[1] ?? 0);
  for (let epoch = from + 1; epoch <= epochs; epoch++) {
    await stage.metric("train/loss", epoch, 1 / epoch);
    await stage.log(`epoch ${epoch}`);
    await stage.checkpoint(epoch);
  }
  await stage.succeed();
}

async function persisted(jobId: string) {
  const events = await world.prisma.jobEvent.findMany({ where: { jobId }, orderBy: { cursor: "asc" } });
  const logs = await world.prisma.logLine.findMany({ where: { jobId }, orderBy: { cursor: "asc" } });
  const metrics = await world.prisma.metric.findMany({ where: { jobId }, orderBy: { step: "asc" } });
  return { events, logs: logs.map(({ message }) => message), metrics };
}

const cursorsOf = (events: readonly { cursor: number }[]) => events.map(({ cursor }) => cursor);
const countTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

const databases = [
  { on: "PGlite", isInstalled: true, open: openTestDatabase },
  { on: "PostgreSQL", isInstalled: isPostgresInstalled, open: openPostgres },
];

for (const { on, isInstalled, open } of databases)
  describe.skipIf(!isInstalled)(`on ${on}:`, () => {
    beforeAll(async () => {
      database = await open();
    });
    afterAll(() => database.close());
    beforeEach(async () => {
      world = await World.open(database);
    });
    afterEach(() => world.close());

    describe("a job", () => {
      it("runs all its stages on a worker, each with the artifacts it reads, and ends with its results", async () => {
        const scheduler = world.startScheduler();
        const worker = world.startWorker((stage) =>
          stage.task.step === "train" ? train(stage, 3) : succeedAtOnce(stage),
        );
        const spec = world.spec({ resources: { ranks: 2 } });
        const job = await submitJob(world.services(scheduler), world.viewer, spec);
        await world.reach(scheduler, job.id, "SUCCEEDED");

        expect(worker.tasks.map(({ step, ranks }) => [step, ranks])).toEqual([
          ["partition", 1],
          ["train", 2],
          ["infer", 2],
          ["remap", 1],
          ["project", 1],
          ["export", 1],
        ]);
        const [partition, trained, infer] = worker.tasks;
        expect(trained?.inputs["parts"]).toMatchObject({ id: partition?.output.id, prefix: partition?.output.prefix });
        expect(Object.keys(infer?.inputs ?? {}).toSorted()).toEqual(["model", "parts"]);
        expect(partition?.output.prefix).toBe(`projects/${job.projectId}/jobs/${job.id}/a1/0-partition`);

        const { events, logs, metrics } = await persisted(job.id);
        expect(cursorsOf(events)).toEqual(countTo(events.length));
        expect(logs).toEqual(["epoch 1", "epoch 2", "epoch 3"]);
        expect(metrics.map(({ value }) => value)).toEqual([1, 1 / 2, 1 / 3]);
        const ranks = await world.prisma.rank.findMany({ where: { jobId: job.id } });
        expect(ranks.map(({ rank, state, host }) => [rank, state, host])).toEqual([
          [0, "FINISHED", "host-of-w1"],
          [1, "FINISHED", "host-of-w1"],
        ]);
      });

      it("keeps what its ranks reported of training when inference reports without it", async () => {
        const scheduler = world.startScheduler();
        const breakdown = { sample: 1, gather: 2, forward: 3, backward: 4, allReduce: 5, optimizer: 6, wait: 7 };
        const rows = { localRows: 10, remoteRows: 20, cachedRows: 0 };
        const rank = { type: "rank", rank: 0, device: "cpu" } as const;
        world.startWorker(async (stage) => {
          const report = (event: StepEvent) => stage.emit({ type: "step", event });
          if (stage.task.step === "train")
            await report({ ...rank, ...rows, step: 42, seedsPerSecond: 1000, breakdown, rssBytes: 5 });
          if (stage.task.step === "infer") {
            const none = { localRows: 0, remoteRows: 0, cachedRows: 0 };
            await report({ ...rank, ...none, step: 0, seedsPerSecond: null, breakdown: null, rssBytes: 9 });
          }
          await stage.succeed();
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await world.reach(scheduler, job.id, "SUCCEEDED");
        const shown = await world.prisma.rank.findFirstOrThrow({ where: { jobId: job.id, rank: 0 } });
        expect(shown).toMatchObject({ step: 42n, seedsPerSecond: 1000, breakdown, localRows: 10n, rssBytes: 9n });
        expect(shown.state).toBe("FINISHED");
      });

      it("reuses the partition of an earlier job on the same graph, and trains anew", async () => {
        const scheduler = world.startScheduler();
        const worker = world.startWorker(succeedAtOnce);
        const first = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await world.reach(scheduler, first.id, "SUCCEEDED");
        const second = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await world.reach(scheduler, second.id, "SUCCEEDED");
        const stages = await world.prisma.stage.findMany({ where: { jobId: second.id }, orderBy: { index: "asc" } });
        expect(stages.map(({ cached }) => cached)).toEqual([true, false, false, false, false, false]);
        expect(worker.tasks.filter(({ step }) => step === "partition")).toHaveLength(1);
        expect(worker.tasks.filter(({ step }) => step === "train")).toHaveLength(2);
      });

      it("waits until all its slots are free at once; nobody of lower priority takes them meanwhile", async () => {
        const scheduler = world.startScheduler();
        const first = gate();
        const worker = world.startWorker(
          async (stage) => {
            if (stage.task.ranks === 1 && stage.task.step === "train") await first.pass();
            await stage.succeed();
          },
          { slots: 2 },
        );
        const services = world.services(scheduler);
        const small = await submitJob(services, world.viewer, world.spec({ name: "small" }));
        await first.arrived;
        const big = await submitJob(
          services,
          world.viewer,
          world.spec({ name: "big", resources: { ranks: 2 }, priority: 9 }),
        );
        const late = await submitJob(services, world.viewer, world.spec({ name: "late", priority: 1 }));
        await vi.waitFor(async () => {
          const stage = await world.prisma.stage.findFirstOrThrow({ where: { jobId: big.id, index: 0 } });
          expect(stage.state).toBe("SUCCEEDED");
        }, waitOptions);
        first.open();
        await world.reach(scheduler, small.id, "SUCCEEDED");
        await world.reach(scheduler, big.id, "SUCCEEDED");
        await world.reach(scheduler, late.id, "SUCCEEDED");
        const order = worker.tasks.filter(({ step }) => step === "train").map(({ jobId }) => jobId);
        expect(order.indexOf(big.id)).toBeLessThan(order.indexOf(late.id));
      });

      it("is made once for two requests with one idempotency key, and a clash is told", async () => {
        const services = world.services();
        const options = { idempotencyKey: "k1" };
        const [a, b] = await Promise.all([
          submitJob(services, world.viewer, world.spec(), options),
          submitJob(services, world.viewer, world.spec(), options),
        ]);
        expect(a.id).toBe(b.id);
        const other = submitJob(services, world.viewer, world.spec({ name: "other" }), options);
        await expect(other).rejects.toMatchObject({ problem: { code: "REQUEST_CONFLICT" } });
      });

      it.each([
        [{ task: { target: "y" } }, "JOB_SPEC_INVALID", "/task/target"],
        [{ model: { type: "gat9" } }, "JOB_SPEC_INVALID", "/model/type"],
        [{ dataset: "ds_none" }, "REQUEST_NOT_FOUND", undefined],
      ])("is refused at submit with its place: %j", async (change, code, pointer) => {
        const refused = submitJob(world.services(), world.viewer, world.spec(change));
        await expect(refused).rejects.toMatchObject({ problem: { code, ...(pointer ? { pointer } : {}) } });
        expect(await world.prisma.job.count({ where: { projectId: world.viewer.projectId ?? "" } })).toBe(0);
      });

      it("of the ingest makes its dataset version READY, or FAILED with the problem", async () => {
        const scheduler = world.startScheduler();
        let isBroken = true;
        world.startWorker(async (stage) => {
          if (!isBroken) return stage.succeed();
          const problem = {
            type: "about:blank",
            title: "x",
            status: 422,
            code: "DATASET_ROW_INVALID",
            detail: "e.csv, line 3: 1 column",
            file: "e.csv",
            line: 3,
            retryable: false,
          };
          await stage.emit({ type: "stageFailed", problem });
        });
        const version = { id: world.versionId };
        const { spec } = await world.prisma.datasetVersion.update({
          where: version,
          data: { state: "MAPPING", graphId: null },
        });
        const ingest = () =>
          submitIngest(world.services(scheduler), world.viewer, version.id, spec as Parameters<typeof submitIngest>[3]);
        const first = await ingest();
        await expect(ingest()).rejects.toMatchObject({ problem: { code: "REQUEST_CONFLICT" } });
        await world.reach(scheduler, first.id, "FAILED");
        expect(await world.prisma.datasetVersion.findUnique({ where: version })).toMatchObject({
          state: "FAILED",
          problem: { code: "DATASET_ROW_INVALID", line: 3 },
        });
        isBroken = false;
        const second = await ingest();
        await world.reach(scheduler, second.id, "SUCCEEDED");
        const ready = await world.prisma.datasetVersion.findUniqueOrThrow({ where: version, include: { graph: true } });
        expect(ready).toMatchObject({ state: "READY", problem: null, contentHash: ready.graph?.digest });
      });
    });

    describe("events", () => {
      it("are persisted once each and in order although they come doubled, shuffled and with a gap", async () => {
        const scheduler = world.startScheduler();
        const hold = gate();
        const worker = world.startWorker(async (stage) => {
          if (stage.task.step !== "partition") return stage.succeed();
          const { jobId, attempt, stageIndex } = stage.task;
          const event = (seq: number) => ({
            contract: 1,
            jobId,
            attempt,
            stageIndex,
            seq,
            at: new Date().toISOString(),
            body: {
              type: "step" as const,
              event: { type: "log" as const, level: "info" as const, rank: 0, message: `${seq}` },
            },
          });
          for (const seq of [2, 2, 4, 3, 3]) await worker.send(event(seq));
          await worker.send("not an event");
          await worker.send(event(6)); // 4 came too early and 5 is missing: asked for again
          worker.outbox.push(event(2), event(3), event(4), event(5), event(6));
          await hold.pass();
          await worker.send({ ...event(7), body: { type: "stageFailed", problem: notRetryable } });
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await vi.waitFor(async () => expect((await persisted(job.id)).logs).toHaveLength(5), waitOptions);
        hold.open();
        await world.reach(scheduler, job.id, "FAILED");
        const { logs, events } = await persisted(job.id);
        expect(logs).toEqual(["2", "3", "4", "5", "6"]);
        expect(cursorsOf(events)).toEqual(countTo(events.length));
        const redis = world.redis.client();
        await vi.waitFor(async () => expect(await redis.xlen(redisKeys.events)).toBe(0), waitOptions);
        expect(await redis.hget(redisKeys.acked, `${job.id}-1-0`)).toBe("7");
        redis.disconnect();
      });

      it("of an attempt that has lost the fencing token are acknowledged and change nothing", async () => {
        const scheduler = world.startScheduler();
        const zombieHold = gate();
        const zombie = world.startWorker(
          async (stage) => {
            await zombieHold.pass();
            await stage.log("from the grave");
            await stage.checkpoint(99);
            await stage.succeed();
          },
          { id: "zombie" },
        );
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await zombieHold.arrived;
        await zombie.die();
        world.startWorker(succeedAtOnce, { id: "heir" });
        await world.reach(scheduler, job.id, "SUCCEEDED");

        const before = await persisted(job.id);
        const sender = world.startWorker(succeedAtOnce, { id: "messenger" });
        zombieHold.open();
        await vi.waitFor(() => expect(zombie.outbox.length).toBeGreaterThanOrEqual(4), waitOptions);
        for (const event of zombie.outbox) await sender.send(event);
        const redis = world.redis.client();
        await vi.waitFor(
          async () => expect(await redis.hget(redisKeys.acked, `${job.id}-1-0`)).toBe(`${zombie.outbox.at(-1)?.seq}`),
          waitOptions,
        );
        redis.disconnect();
        const after = await persisted(job.id);
        expect(after.events).toHaveLength(before.events.length);
        expect(after.logs).not.toContain("from the grave");
        expect(await world.prisma.artifact.count({ where: { jobId: job.id, attempt: 1 } })).toBe(0);
      });
    });

    describe("a lost worker", () => {
      it("starts attempt 2 elsewhere from the last checkpoint, with an incident for the user", async () => {
        const scheduler = world.startScheduler();
        const struck = gate();
        const victim = world.startWorker(
          async (stage) => {
            if (stage.task.step !== "train") return stage.succeed();
            await stage.metric("train/loss", 1, 1);
            await stage.checkpoint(1);
            await stage.metric("train/loss", 2, 0.5);
            await stage.checkpoint(2);
            await struck.pass();
          },
          { id: "victim" },
        );
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await struck.arrived;
        await vi.waitFor(
          async () =>
            expect(await world.prisma.artifact.count({ where: { jobId: job.id, kind: "checkpoint" } })).toBe(2),
          waitOptions,
        );
        await victim.die();
        const heir = world.startWorker((stage) => (stage.task.step === "train" ? train(stage, 4) : stage.succeed()), {
          id: "heir",
        });
        await world.reach(scheduler, job.id, "SUCCEEDED");

        const [resumed] = heir.tasks;
        expect(resumed).toMatchObject({ step: "train", attempt: 2, resume: { kind: "checkpoint" } });
        expect(resumed?.resume?.id).toMatch(/-c2$/);
        const { metrics } = await persisted(job.id);
        expect(metrics.map(({ step, attempt }) => [step, attempt])).toEqual([
          [1, 1],
          [2, 1],
          [3, 2],
          [4, 2],
        ]);
        const attempts = await world.prisma.attempt.findMany({ where: { jobId: job.id }, orderBy: { number: "asc" } });
        expect(attempts.map(({ number, state, workerId, reason }) => [number, state, workerId, reason])).toEqual([
          [1, "LOST", "victim", "submitted"],
          [2, "SUCCEEDED", "heir", "WORKER_LOST"],
        ]);
        const incidents = await world.prisma.incident.findMany({ where: { jobId: job.id } });
        expect(incidents).toMatchObject([{ code: "WORKER_LOST", host: "host-of-victim", attempt: 1 }]);
        await vi.waitFor(async () => {
          const worker = await world.prisma.worker.findUnique({ where: { id: "victim" } });
          expect(worker?.state).toBe("OFFLINE");
        }, waitOptions);
      });

      it("that comes back as another boot loses its stage at once", async () => {
        const scheduler = world.startScheduler({ graceMs: 60_000 }); // by the lease alone this would take a minute
        const struck = gate();
        const first = world.startWorker(() => struck.pass());
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await struck.arrived;
        await vi.waitFor(async () => {
          const stage = await world.prisma.stage.findFirstOrThrow({ where: { jobId: job.id, index: 0 } });
          expect(stage.state).toBe("RUNNING");
        }, waitOptions);
        await first.die();
        world.startWorker(succeedAtOnce);
        await world.reach(scheduler, job.id, "SUCCEEDED");
        const { attempt } = await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } });
        expect(attempt).toBe(2);
      });

      it("and a retryable failure both start the next attempt; the other problems end the job", async () => {
        const scheduler = world.startScheduler();
        const problem = { ...notRetryable, code: "RANK_LOST", retryable: true };
        world.startWorker(async (stage) => {
          if (stage.task.attempt < 3) await stage.emit({ type: "stageFailed", problem });
          else await stage.succeed();
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await world.reach(scheduler, job.id, "SUCCEEDED");
        expect((await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(3);
      });
    });

    describe("Redis", () => {
      it("can be emptied in the middle of a stage: nothing is lost or doubled and no attempt is spent", async () => {
        const scheduler = world.startScheduler();
        const middle = gate();
        world.startWorker(async (stage) => {
          if (stage.task.step !== "train") return stage.succeed();
          for (let i = 1; i <= 50; i++) await stage.log(`${i}`);
          await middle.pass();
          for (let i = 51; i <= 100; i++) await stage.log(`${i}`);
          await stage.succeed();
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await middle.arrived;
        const redis = world.redis.client();
        await redis.flushall();
        middle.open();
        await world.reach(scheduler, job.id, "SUCCEEDED");
        const { logs, events } = await persisted(job.id);
        expect(logs).toEqual(countTo(100).map(String));
        expect(cursorsOf(events)).toEqual(countTo(events.length));
        expect((await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(1);
        expect(await redis.hget(redisKeys.acked, `${job.id}-1-1`)).toBe("102"); // started + 100 logs + succeeded
        redis.disconnect();
      });

      it("can be killed and restarted in the middle of a stage", async () => {
        const scheduler = world.startScheduler();
        const middle = gate();
        world.startWorker(async (stage) => {
          if (stage.task.step !== "train") return stage.succeed();
          await stage.log("before");
          await middle.pass();
          await stage.log("after");
          await stage.succeed();
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await middle.arrived;
        await world.redis.kill();
        await world.redis.spawn();
        middle.open();
        await world.reach(scheduler, job.id, "SUCCEEDED");
        expect((await persisted(job.id)).logs).toEqual(["before", "after"]);
      });

      it("forgets a task in a queue: it is enqueued again for the same attempt", async () => {
        const scheduler = world.startScheduler();
        const first = world.startWorker(() => new Promise(() => {}), { components: [] });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await first.die();
        // A worker that announces itself but whose queue nobody reads: the task stays there until Redis is emptied.
        const silent = world.startWorker(succeedAtOnce, { id: "slow", isPaused: true });
        await vi.waitFor(async () => {
          const stage = await world.prisma.stage.findFirstOrThrow({ where: { jobId: job.id, index: 0 } });
          expect(stage.state).toBe("QUEUED");
        }, waitOptions);
        const redis = world.redis.client();
        await redis.flushall();
        silent.resume();
        await world.reach(scheduler, job.id, "SUCCEEDED");
        redis.disconnect();
        expect((await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(1);
      });
    });

    describe("the API", () => {
      it("can be replaced in the middle of a job: the next one goes on, the deposed one writes nothing", async () => {
        const first = world.startScheduler({ isSoleClient: false });
        const middle = gate();
        world.startWorker(async (stage) => {
          if (stage.task.step !== "train") return stage.succeed();
          for (let i = 1; i <= 20; i++) await stage.log(`${i}`);
          await middle.pass();
          for (let i = 21; i <= 40; i++) await stage.log(`${i}`);
          await stage.succeed();
        });
        const job = await submitJob(world.services(first), world.viewer, world.spec());
        await middle.arrived;
        const second = world.startScheduler(); // as if the first had died without resigning
        await vi.waitFor(() => expect(second.isLeader).toBe(true), waitOptions);
        middle.open();
        await world.reach(second, job.id, "SUCCEEDED");
        const { logs, events } = await persisted(job.id);
        expect(logs).toEqual(countTo(40).map(String));
        expect(cursorsOf(events)).toEqual(countTo(events.length));
      });

      it("hands over by resigning: the next one leads without waiting for the lease to run out", async () => {
        const first = world.startScheduler({ isSoleClient: false });
        await vi.waitFor(() => expect(first.isLeader).toBe(true), waitOptions);
        const second = world.startScheduler({ isSoleClient: false });
        await vi.waitFor(() => expect(first.isLeader).toBe(true), waitOptions);
        expect(second.isLeader).toBe(false);
        await first.stop();
        await vi.waitFor(() => expect(second.isLeader).toBe(true), waitOptions);
      });
    });

    describe("cancelling", () => {
      it("stops a running job: the worker is told and answers", async () => {
        const scheduler = world.startScheduler();
        const middle = gate();
        world.startWorker(async (stage) => {
          void middle.pass();
          await stage.stopped;
          await stage.emit({ type: "stageCancelled" });
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await middle.arrived;
        await world.reach(scheduler, job.id, "RUNNING");
        const asked = await cancelJob(world.services(scheduler), world.viewer, job.id);
        expect(asked.state).toBe("CANCELLING");
        await world.reach(scheduler, job.id, "CANCELLED");
        await cancelJob(world.services(scheduler), world.viewer, job.id); // once more is fine
      });

      it("ends a job at once that nobody has begun", async () => {
        const job = await submitJob(world.services(), world.viewer, world.spec());
        expect(await cancelJob(world.services(), world.viewer, job.id)).toMatchObject({ state: "CANCELLED" });
      });

      it("ends a job whose worker is gone", async () => {
        const scheduler = world.startScheduler();
        const middle = gate();
        const worker = world.startWorker(() => middle.pass());
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await middle.arrived;
        await worker.die();
        await cancelJob(world.services(scheduler), world.viewer, job.id);
        await world.reach(scheduler, job.id, "CANCELLED");
      });

      it("is refused for a job that has ended", async () => {
        const scheduler = world.startScheduler();
        world.startWorker(succeedAtOnce);
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        await world.reach(scheduler, job.id, "SUCCEEDED");
        const refused = cancelJob(world.services(scheduler), world.viewer, job.id);
        await expect(refused).rejects.toMatchObject({ problem: { code: "JOB_FINISHED" } });
      });

      it("by maxDuration ends the job FAILED with the limit as its problem", async () => {
        const scheduler = world.startScheduler();
        world.startWorker(async (stage) => {
          await stage.stopped;
          await stage.emit({ type: "stageCancelled" });
        });
        const spec = world.spec({ resources: { maxDuration: "PT1S" } });
        const job = await submitJob(world.services(scheduler), world.viewer, spec);
        await world.reach(scheduler, job.id, "FAILED");
        const { problem } = await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } });
        expect(problem).toMatchObject({ code: "JOB_TIME_LIMIT", pointer: "/resources/maxDuration" });
      });
    });

    describe("a worker", () => {
      it("of another contract version gets no work, and the reason is shown", async () => {
        const scheduler = world.startScheduler();
        const stranger = world.startWorker(succeedAtOnce, { id: "stranger", contract: 99 });
        await vi.waitFor(async () => {
          const worker = await world.prisma.worker.findUnique({ where: { id: "stranger" } });
          expect(worker).toMatchObject({ compatible: false, reason: expect.stringContaining("contract 99") });
        }, waitOptions);
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        const friend = world.startWorker(succeedAtOnce, { id: "friend" });
        await world.reach(scheduler, job.id, "SUCCEEDED");
        expect(stranger.tasks).toEqual([]);
        expect(friend.tasks).toHaveLength(6);
      });
    });

    describe("a job that waits", () => {
      it("says why, and no longer once a worker has it", async () => {
        const scheduler = world.startScheduler();
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec({ resources: { ranks: 2 } }));
        const queue = async () => {
          const row = await world.prisma.job.findUniqueOrThrow({ where: { id: job.id } });
          return queueInfo(world, row);
        };
        const says = (reason: RegExp) =>
          vi.waitFor(async () => expect((await queue())?.reason).toMatch(reason), waitOptions);
        await says(/^No worker is online/);
        const small = world.startWorker(succeedAtOnce, { id: "small", slots: 1 });
        await says(/host-of-small: it has 1 slots, 2 are needed/);
        world.startWorker(succeedAtOnce, { id: "big", slots: 2 });
        await world.reach(scheduler, job.id, "SUCCEEDED");
        expect(await queue()).toBeNull();
        expect(small.tasks).toEqual([]);
      });
    });

    describe("followers of a job's events", () => {
      it("resume after any cursor and see every event once, while it runs and after", async () => {
        const scheduler = world.startScheduler();
        const middle = gate();
        world.startWorker(async (stage) => {
          if (stage.task.step !== "train") return stage.succeed();
          for (let i = 1; i <= 30; i++) await stage.log(`${i}`);
          await middle.pass();
          for (let i = 31; i <= 60; i++) await stage.log(`${i}`);
          await stage.succeed();
        });
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        const firstTen: number[] = [];
        for await (const { cursor } of scheduler.events.jobEvents(job.id)) {
          firstTen.push(cursor);
          if (firstTen.length === 10) break;
        }
        const rest = (async () => {
          const cursors: number[] = [];
          for await (const { cursor } of scheduler.events.jobEvents(job.id, 10)) cursors.push(cursor);
          return cursors;
        })();
        await middle.arrived;
        middle.open();
        const seen = [...firstTen, ...(await rest)];
        const { events } = await persisted(job.id);
        expect(seen).toEqual(countTo(events.length));
        const afterTheEnd = [];
        for await (const event of scheduler.events.jobEvents(job.id, events.length)) afterTheEnd.push(event);
        expect(afterTheEnd).toEqual([]);
      });

      it("stop at once when they are aborted", async () => {
        const scheduler = world.startScheduler();
        const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
        const abort = new AbortController();
        const seen: string[] = [];
        for await (const { type } of scheduler.events.jobEvents(job.id, 0, abort.signal)) {
          seen.push(type);
          abort.abort();
        }
        expect(seen).toEqual(["JobStateChanged"]);
      });
    });
  });

const notRetryable = {
  type: "about:blank",
  title: "x",
  status: 500,
  code: "TRAIN_DIVERGED",
  detail: "test",
  retryable: false,
};
