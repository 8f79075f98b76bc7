import { keyName, keyOfTask, leadRank, type Member, redisKeys, type WorkerEventBody } from "@hopwise/contracts";
import { expect, it, vi } from "vitest";
import { cancelJob } from "../../src/jobs/cancel-job.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import type { ScriptedStage, ScriptedWorker } from "./support/scripted-worker.ts";
import { countTo, cursorsOf, notRetryable, waitOptions } from "./support/story.ts";

/** More than any transaction takes. */
const numFlooded = 40_000;

const logOf = (i: number): WorkerEventBody => ({
  type: "step",
  event: { type: "log", level: "info", member: leadRank, message: `${i}` },
});

describeInWorld("the scheduler and a flood of events", (world) => {
  /** Puts as many logs into the stage's stream at once, as a worker does whose service was away. */
  async function flood(worker: ScriptedWorker, { task }: ScriptedStage): Promise<void> {
    const redis = world().redis.client();
    const key = keyOfTask(task);
    const pipeline = redis.pipeline();
    for (let i = 0; i < numFlooded; i++) {
      const seq = i + 2; // behind stageStarted
      const event = { contract: task.contract, ...key, seq, at: new Date().toISOString(), body: logOf(i) };
      pipeline.xadd(redisKeys.events(worker.id, key), `${seq}-0`, "type", "step", "event", JSON.stringify(event));
    }
    await pipeline.exec();
    redis.disconnect();
  }

  const persistedOf = async (jobId: string) =>
    (await world().prisma.stageSequence.findFirst({ where: { jobId }, orderBy: { stageIndex: "desc" } }))?.seq ?? 0;

  /** A worker whose stages succeed at once, but that the first job's training floods the service and is held. */
  function startFloodingWorker() {
    const hold = gate();
    let busyId: string | null = null;
    const worker: ScriptedWorker = world().startWorker(
      async (stage) => {
        busyId ??= stage.task.jobId;
        if (stage.task.step !== "train" || stage.task.jobId !== busyId) return stage.succeed();
        await flood(worker, stage);
        await hold.pass();
        const seq = numFlooded + 2;
        const key = keyOfTask(stage.task);
        const body = { type: "stageCancelled" } as const;
        await worker.send({ contract: stage.task.contract, ...key, seq, at: new Date().toISOString(), body });
      },
      { slots: 8 },
    );
    return { worker, hold };
  }

  it("of one job gets another one done long before it is persisted itself, which it is once each and in order", async () => {
    const scheduler = world().startScheduler();
    const { hold } = startFloodingWorker();
    const busy = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await hold.arrived;
    const quick = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await world().reach(scheduler, quick.id, "SUCCEEDED");
    expect(await persistedOf(busy.id)).toBeLessThan(numFlooded);

    await vi.waitFor(async () => expect(await persistedOf(busy.id)).toBe(numFlooded + 1), {
      timeout: 90_000,
      interval: 200,
    });
    const { logs, events } = await world().persisted(busy.id);
    expect(logs).toEqual(Array.from({ length: numFlooded }, (_, i) => `${i}`));
    expect(cursorsOf(events)).toEqual(countTo(events.length));
    const redis = world().redis.client();
    const key = { jobId: busy.id, attempt: 1, stageIndex: 1, slice: 0 };
    await vi.waitFor(
      async () => expect(await redis.hget(redisKeys.acked, keyName(key))).toBe(`${numFlooded + 1}`),
      waitOptions,
    );
    redis.disconnect();
    await cancelJob(world().services(scheduler), world().viewer, busy.id);
    hold.open();
    await world().reach(scheduler, busy.id, "CANCELLED");
  }, 180_000);

  it("does not hold up its job's cancellation, and the user hears how much was left out", async () => {
    const scheduler = world().startScheduler();
    const { hold } = startFloodingWorker();
    const busy = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await hold.arrived;
    await cancelJob(world().services(scheduler), world().viewer, busy.id);
    hold.open();
    await world().reach(scheduler, busy.id, "CANCELLED");
    const { logs, events } = await world().persisted(busy.id);
    expect(logs.length).toBeLessThan(numFlooded);
    const [, leftOut] = /^(\d+) events of this stage were left out/.exec(logs.at(-1) ?? "") ?? [];
    expect(logs.length - 1 + Number(leftOut)).toBe(numFlooded);
    expect(cursorsOf(events)).toEqual(countTo(events.length));
  }, 120_000);
});

describeInWorld("the scheduler and events that nobody can store", (world) => {
  const odd: Record<string, WorkerEventBody> = {
    "a step beyond what the database counts": {
      type: "metrics",
      axis: "epoch",
      points: [{ at: new Date().toISOString(), step: 2 ** 40, values: { loss: 1 } }],
    },
    "a number of bytes that is none": {
      type: "step",
      event: {
        type: "member",
        member: leadRank,
        step: 1,
        device: "cpu",
        seedsPerSecond: null,
        breakdown: null,
        rssBytes: 1e300,
        localRows: 0,
        remoteRows: 0,
        cachedRows: 0,
      },
    },
  };

  it.each(Object.entries(odd))("leaves %s out, says so, and goes on with the job and with others", async (_, body) => {
    const scheduler = world().startScheduler();
    world().startWorker(async (stage) => {
      if (stage.task.step === "train") {
        await stage.log("before");
        await stage.emit(body);
        await stage.log("after");
      }
      await stage.succeed();
    });
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await world().reach(scheduler, job.id, "SUCCEEDED");
    const { logs } = await world().persisted(job.id);
    expect(logs).toEqual([
      "before",
      expect.stringMatching(/^Event 3 of this stage .*could not be (stored|read)/),
      "after",
    ]);
  });

  it("leaves out lines of members that cannot be, says so of each, and goes on with the job", async () => {
    const strangers: unknown[] = [{ kind: "rank", index: 2 ** 40 }, { kind: "rank", index: -1 }, { kind: "leader" }, 0];
    const scheduler = world().startScheduler();
    world().startWorker(async (stage) => {
      if (stage.task.step === "train") {
        for (const member of strangers as Member[]) {
          await stage.emit({ type: "step", event: { type: "log", level: "info", message: "x", member } });
        }
        await stage.log("after");
      }
      await stage.succeed();
    });
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await world().reach(scheduler, job.id, "SUCCEEDED");
    const { logs } = await world().persisted(job.id);
    const leftOut = strangers.map((_, i) => `Event ${i + 2} of this stage could not be read and was left out.`);
    expect(logs).toEqual([...leftOut, "after"]);
  });

  it("stores text without what no database takes of it, and passes over what cannot be read or belongs elsewhere", async () => {
    const scheduler = world().startScheduler();
    const worker: ScriptedWorker = world().startWorker(async (stage) => {
      if (stage.task.step !== "train") return stage.succeed();
      const key = keyOfTask(stage.task);
      const at = new Date().toISOString();
      const event = (seq: number, message = "x") => ({
        contract: stage.task.contract,
        ...key,
        seq,
        at,
        body: {
          type: "step" as const,
          event: { type: "log" as const, level: "info" as const, member: leadRank, message },
        },
      });
      await stage.log("nul \0, half \ud800 of a character");
      await worker.send(event(3), "not an event");
      await worker.send(event(4), JSON.stringify({ ...event(4), jobId: "another" }));
      await worker.send(event(5), JSON.stringify(event(6)));
      await worker.send({ ...event(6), body: { type: "stageFailed", problem: { ...notRetryable, detail: "a\0b" } } });
    });
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
    await world().reach(scheduler, job.id, "FAILED");
    const { logs } = await world().persisted(job.id);
    const unread = (seq: number) => `Event ${seq} of this stage could not be read and was left out.`;
    expect(logs).toEqual(["nul \ufffd, half \ufffd of a character", unread(3), unread(4), unread(5)]);
  });
});
