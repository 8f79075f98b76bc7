import { redisKeys } from "@hopwise/contracts";
import pino from "pino";
import { describe, expect, it, vi } from "vitest";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { WorkerDirectory } from "../../src/workers/worker-directory.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { succeedAtOnce } from "./support/scripted-worker.ts";
import { countTo, cursorsOf, notRetryable, waitOptions } from "./support/story.ts";
import { train } from "./support/training-script.ts";

describeInWorld("the scheduler when something dies", (world) => {
  describe("a lost worker", () => {
    it("starts attempt 2 elsewhere from the last checkpoint, with an incident for the user", async () => {
      const scheduler = world().startScheduler();
      const struck = gate();
      const victim = world().startWorker(
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
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await struck.arrived;
      await vi.waitFor(
        async () =>
          expect(await world().prisma.artifact.count({ where: { jobId: job.id, kind: "checkpoint" } })).toBe(2),
        waitOptions,
      );
      await victim.die();
      const heir = world().startWorker((stage) => (stage.task.step === "train" ? train(stage, 4) : stage.succeed()), {
        id: "heir",
      });
      await world().reach(scheduler, job.id, "SUCCEEDED");

      const [resumed] = heir.tasks;
      expect(resumed).toMatchObject({ step: "train", attempt: 2, resume: { kind: "checkpoint" } });
      expect(resumed?.resume?.id).toMatch(/-checkpoint-2-20$/);
      const { metrics } = await world().persisted(job.id);
      expect(metrics.map(({ step, attempt }) => [step, attempt])).toEqual([
        [1, 1],
        [2, 1],
        [3, 2],
        [4, 2],
      ]);
      const attempts = await world().prisma.attempt.findMany({ where: { jobId: job.id }, orderBy: { number: "asc" } });
      expect(attempts.map(({ number, state, workerId, reason }) => [number, state, workerId, reason])).toEqual([
        [1, "LOST", "victim", "submitted"],
        [2, "SUCCEEDED", "heir", "WORKER_LOST"],
      ]);
      const incidents = await world().prisma.incident.findMany({ where: { jobId: job.id } });
      expect(incidents).toMatchObject([{ code: "WORKER_LOST", host: "host-of-victim", attempt: 1 }]);
      await vi.waitFor(async () => {
        const worker = await world().prisma.worker.findUnique({ where: { id: "victim" } });
        expect(worker?.state).toBe("OFFLINE");
      }, waitOptions);
    });

    it("is offered no work until it announces itself anew, however lately it was seen", async () => {
      const redis = world().redis.client();
      const directory = new WorkerDirectory({
        prisma: world().prisma,
        redis,
        staleMs: 60_000,
        log: pino({ level: "silent" }),
      });
      const isSeen = async () => {
        await directory.refresh();
        expect(directory.find("victim")).not.toBeNull();
      };
      const victim = world().startWorker(succeedAtOnce, { id: "victim" });
      await vi.waitFor(isSeen, waitOptions);
      await victim.die();
      await vi.waitFor(async () => expect(await redis.exists(redisKeys.worker("victim"))).toBe(0), waitOptions);
      expect(directory.find("victim")).not.toBeNull();
      directory.forget("victim");
      await directory.refresh();
      expect(directory.find("victim")).toBeNull();
      world().startWorker(succeedAtOnce, { id: "victim" });
      await vi.waitFor(isSeen, waitOptions);
      redis.disconnect();
    });

    it("that comes back as another boot loses its stage at once", async () => {
      const scheduler = world().startScheduler({ graceMs: 60_000 }); // by the lease alone this would take a minute
      const struck = gate();
      const first = world().startWorker(() => struck.pass());
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await struck.arrived;
      await vi.waitFor(async () => {
        const stage = await world().prisma.stage.findFirstOrThrow({ where: { jobId: job.id, index: 0 } });
        expect(stage.state).toBe("RUNNING");
      }, waitOptions);
      await first.die();
      world().startWorker(succeedAtOnce);
      await world().reach(scheduler, job.id, "SUCCEEDED");
      const { attempt } = await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } });
      expect(attempt).toBe(2);
    });

    it("and a retryable failure both start the next attempt, with one incident each; the other problems end the job", async () => {
      const scheduler = world().startScheduler();
      const problem = { ...notRetryable, code: "RANK_LOST", retryable: true };
      world().startWorker(async (stage) => {
        const { attempt, jobId } = stage.task;
        if (attempt > 2) return stage.succeed();
        if (attempt === 1) {
          const member = { kind: "rank", index: 1 } as const;
          await stage.emit({ type: "incident", code: "RANK_LOST", message: "Rank 1 was killed.", member, host: "h" });
          const told = { where: { jobId } };
          await vi.waitFor(async () => expect(await world().prisma.incident.count(told)).toBe(1), waitOptions);
        }
        await stage.emit({ type: "stageFailed", problem });
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, job.id, "SUCCEEDED");
      expect((await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(3);
      const incidents = await world().prisma.incident.findMany({
        where: { jobId: job.id },
        orderBy: { cursor: "asc" },
      });
      expect(incidents.map(({ attempt, code, memberIndex }) => [attempt, code, memberIndex])).toEqual([
        [1, "RANK_LOST", 1],
        [2, "RANK_LOST", null],
      ]);
    });
  });

  describe("Redis", () => {
    it("can be emptied in the middle of a stage: nothing is lost or doubled and no attempt is spent", async () => {
      const scheduler = world().startScheduler();
      const middle = gate();
      world().startWorker(async (stage) => {
        if (stage.task.step !== "train") return stage.succeed();
        for (let i = 1; i <= 50; i++) await stage.log(`${i}`);
        await middle.pass();
        for (let i = 51; i <= 100; i++) await stage.log(`${i}`);
        await stage.succeed();
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await middle.arrived;
      const redis = world().redis.client();
      await redis.flushall();
      middle.open();
      await world().reach(scheduler, job.id, "SUCCEEDED");
      const { logs, events } = await world().persisted(job.id);
      expect(logs).toEqual(countTo(100).map(String));
      expect(cursorsOf(events)).toEqual(countTo(events.length));
      expect((await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(1);
      expect(await redis.hget(redisKeys.acked, `${job.id}-1-1`)).toBe("102"); // started + 100 logs + succeeded
      redis.disconnect();
    });

    it("can be killed and restarted in the middle of a stage", async () => {
      const scheduler = world().startScheduler();
      const middle = gate();
      world().startWorker(async (stage) => {
        if (stage.task.step !== "train") return stage.succeed();
        await stage.log("before");
        await middle.pass();
        await stage.log("after");
        await stage.succeed();
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await middle.arrived;
      await world().redis.kill();
      await world().redis.spawn();
      middle.open();
      await world().reach(scheduler, job.id, "SUCCEEDED");
      expect((await world().persisted(job.id)).logs).toEqual(["before", "after"]);
    });

    it("forgets a task in a queue: it is enqueued again for the same attempt", async () => {
      const scheduler = world().startScheduler();
      const first = world().startWorker(() => new Promise(() => {}), { components: [] });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await first.die();
      // A worker that announces itself but whose queue nobody reads: the task stays there until Redis is emptied.
      const silent = world().startWorker(succeedAtOnce, { id: "slow", isPaused: true });
      await vi.waitFor(async () => {
        const stage = await world().prisma.stage.findFirstOrThrow({ where: { jobId: job.id, index: 0 } });
        expect(stage.state).toBe("QUEUED");
      }, waitOptions);
      const redis = world().redis.client();
      await redis.flushall();
      silent.resume();
      await world().reach(scheduler, job.id, "SUCCEEDED");
      redis.disconnect();
      expect((await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } })).attempt).toBe(1);
    });
  });

  describe("the API", () => {
    it("can be replaced in the middle of a job: the next one goes on, the deposed one writes nothing", async () => {
      const first = world().startScheduler({ isSoleClient: false });
      const middle = gate();
      world().startWorker(async (stage) => {
        if (stage.task.step !== "train") return stage.succeed();
        for (let i = 1; i <= 20; i++) await stage.log(`${i}`);
        await middle.pass();
        for (let i = 21; i <= 40; i++) await stage.log(`${i}`);
        await stage.succeed();
      });
      const job = await submitJob(world().services(first), world().viewer, world().spec());
      await middle.arrived;
      const second = world().startScheduler(); // as if the first had died without resigning
      await vi.waitFor(() => expect(second.isLeader).toBe(true), waitOptions);
      middle.open();
      await world().reach(second, job.id, "SUCCEEDED");
      const { logs, events } = await world().persisted(job.id);
      expect(logs).toEqual(countTo(40).map(String));
      expect(cursorsOf(events)).toEqual(countTo(events.length));
    });

    it("hands over by resigning: the next one leads without waiting for the lease to run out", async () => {
      const first = world().startScheduler({ isSoleClient: false });
      await vi.waitFor(() => expect(first.isLeader).toBe(true), waitOptions);
      const second = world().startScheduler({ isSoleClient: false });
      await vi.waitFor(() => expect(first.isLeader).toBe(true), waitOptions);
      expect(second.isLeader).toBe(false);
      await first.stop();
      await vi.waitFor(() => expect(second.isLeader).toBe(true), waitOptions);
    });
  });
});
