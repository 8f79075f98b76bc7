import { leadRank, redisKeys } from "@hopwise/contracts";
import { describe, expect, it, vi } from "vitest";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { succeedAtOnce } from "./support/scripted-worker.ts";
import { countTo, cursorsOf, notRetryable, waitOptions } from "./support/story.ts";

describeInWorld("the scheduler and a job's events", (world) => {
  describe("events", () => {
    it("are persisted once each and in order although they come doubled, shuffled and with a gap", async () => {
      const scheduler = world().startScheduler();
      const hold = gate();
      const worker = world().startWorker(async (stage) => {
        if (stage.task.step !== "partition") return stage.succeed();
        const { jobId, attempt, stageIndex } = stage.task;
        const event = (seq: number) => ({
          contract: 1,
          jobId,
          attempt,
          stageIndex,
          slice: 0,
          seq,
          at: new Date().toISOString(),
          body: {
            type: "step" as const,
            event: { type: "log" as const, level: "info" as const, member: leadRank, message: `${seq}` },
          },
        });
        const refused: number[] = [];
        for (const seq of [2, 2, 4, 3, 3]) await worker.send(event(seq)).catch(() => refused.push(seq));
        expect(refused).toEqual([2, 3, 3]); // by Redis: repeated, or too late
        worker.outbox.push(event(2), event(3), event(4), event(5), event(6)); // 3 is missing: asked for
        await hold.pass();
        await worker.send({ ...event(7), body: { type: "stageFailed", problem: notRetryable } });
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await vi.waitFor(async () => expect((await world().persisted(job.id)).logs).toHaveLength(5), waitOptions);
      hold.open();
      await world().reach(scheduler, job.id, "FAILED");
      const { logs, events } = await world().persisted(job.id);
      expect(logs).toEqual(["2", "3", "4", "5", "6"]);
      expect(cursorsOf(events)).toEqual(countTo(events.length));
      const redis = world().redis.client();
      await vi.waitFor(async () => expect(await redis.hget(redisKeys.acked, `${job.id}-1-0`)).toBe("7"), waitOptions);
      const key = { jobId: job.id, attempt: 1, stageIndex: 0, slice: 0 };
      await vi.waitFor(async () => expect(await redis.xlen(redisKeys.events(worker.id, key))).toBe(0), waitOptions);
      redis.disconnect();
    });

    it("of an attempt that has lost the fencing token change nothing", async () => {
      const scheduler = world().startScheduler();
      const zombieHold = gate();
      const zombie = world().startWorker(
        async (stage) => {
          await zombieHold.pass();
          await stage.log("from the grave");
          await stage.checkpoint(99);
          await stage.succeed();
        },
        { id: "zombie" },
      );
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await zombieHold.arrived;
      await zombie.die();
      world().startWorker(succeedAtOnce, { id: "heir" });
      await world().reach(scheduler, job.id, "SUCCEEDED");

      const before = await world().persisted(job.id);
      zombieHold.open();
      await vi.waitFor(() => expect(zombie.outbox.length).toBeGreaterThanOrEqual(4), waitOptions);
      const late = world().startWorker(succeedAtOnce, { id: zombie.id }); // the same worker in another life
      for (const event of zombie.outbox) await late.send(event).catch(() => {});
      const next = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, next.id, "SUCCEEDED"); // read after them
      const after = await world().persisted(job.id);
      expect(after.events).toHaveLength(before.events.length);
      expect(after.logs).not.toContain("from the grave");
      expect(await world().prisma.artifact.count({ where: { jobId: job.id, attempt: 1 } })).toBe(0);
    });
  });

  describe("followers of a job's events", () => {
    it("resume after any cursor and see every event once, while it runs and after", async () => {
      const scheduler = world().startScheduler();
      const middle = gate();
      world().startWorker(async (stage) => {
        if (stage.task.step !== "train") return stage.succeed();
        for (let i = 1; i <= 30; i++) await stage.log(`${i}`);
        await middle.pass();
        for (let i = 31; i <= 60; i++) await stage.log(`${i}`);
        await stage.succeed();
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
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
      const { events } = await world().persisted(job.id);
      expect(seen).toEqual(countTo(events.length));
      const afterTheEnd = [];
      for await (const event of scheduler.events.jobEvents(job.id, events.length)) afterTheEnd.push(event);
      expect(afterTheEnd).toEqual([]);
    });

    it("stop at once when they are aborted", async () => {
      const scheduler = world().startScheduler();
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
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
