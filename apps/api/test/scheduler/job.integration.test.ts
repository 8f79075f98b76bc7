import { type JobSpec, leadRank, redisKeys, type StageEvent } from "@hopwise/contracts";
import { describe, expect, it, vi } from "vitest";
import { specOf } from "../../src/database/stored-json.ts";
import { submitIngest } from "../../src/datasets/submit-ingest.ts";
import { cancelJob } from "../../src/jobs/cancel-job.ts";
import { forecastStages } from "../../src/jobs/forecast-stages.ts";
import { queueInfo } from "../../src/jobs/job-queries.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { drainWorker } from "../../src/workers/drain-worker.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { succeedAtOnce } from "./support/scripted-worker.ts";
import { countTo, cursorsOf, waitOptions } from "./support/story.ts";
import { train } from "./support/training-script.ts";

describeInWorld("the scheduler and a job", (world) => {
  describe("a job", () => {
    it("runs all its stages on a worker, each with the artifacts it reads, and ends with its results", async () => {
      const scheduler = world().startScheduler();
      const worker = world().startWorker((stage) =>
        stage.task.step === "train" ? train(stage, 3) : succeedAtOnce(stage),
      );
      const spec = world().spec({ resources: { ranks: 2 } });
      const job = await submitJob(world().services(scheduler), world().viewer, spec);
      await world().reach(scheduler, job.id, "SUCCEEDED");

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

      const { events, logs, metrics } = await world().persisted(job.id);
      expect(cursorsOf(events)).toEqual(countTo(events.length));
      expect(logs).toEqual(["epoch 1", "epoch 2", "epoch 3"]);
      expect(metrics.map(({ value }) => value)).toEqual([1, 1 / 2, 1 / 3]);
      const ranks = await world().prisma.member.findMany({ where: { jobId: job.id } });
      expect(ranks.map(({ kind, index, state, host }) => [kind, index, state, host])).toEqual([
        ["rank", 0, "FINISHED", "host-of-w1"],
        ["rank", 1, "FINISHED", "host-of-w1"],
      ]);
    });

    it("runs nothing more on a worker that is drained, also after another scheduler, and goes on when it is let work again", async () => {
      const admin = { ...world().viewer, projectId: null };
      const first = world().startScheduler();
      const held = gate();
      const drained = world().startWorker(async (stage) => {
        if (stage.task.step === "partition") await held.pass();
        await succeedAtOnce(stage);
      });
      const job = await submitJob(world().services(first), world().viewer, world().spec());
      await held.arrived;
      await drainWorker(world(), admin, drained.id, true);
      held.open();
      const waitReason = async () => (await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } })).waitReason;
      await vi.waitFor(async () => expect(await waitReason()).toMatch(/an admin has it take no new work/), waitOptions);
      const [partition] = await world().prisma.stage.findMany({ where: { jobId: job.id }, orderBy: { index: "asc" } });
      expect(partition?.state, "what ran has ended").toBe("SUCCEEDED");
      await first.stop();
      const second = world().startScheduler();
      const other = world().startWorker(succeedAtOnce, { id: "w2" });
      await world().reach(second, job.id, "SUCCEEDED");
      expect([drained.tasks.length, other.tasks.length]).toEqual([1, 5]);
      await other.die();
      await drainWorker(world(), admin, drained.id, false);
      const next = await submitJob(world().services(second), world().viewer, world().spec());
      await world().reach(second, next.id, "SUCCEEDED");
      expect(drained.tasks.length).toBeGreaterThan(1);
    });

    it("keeps what its ranks reported of training when inference reports without it", async () => {
      const scheduler = world().startScheduler();
      const breakdown = { sample: 1, gather: 2, forward: 3, backward: 4, allReduce: 5, optimizer: 6, wait: 7 };
      const rows = { localRows: 10, remoteRows: 20, cachedRows: 0 };
      const rank = { type: "member", member: leadRank, device: "cpu" } as const;
      world().startWorker(async (stage) => {
        const report = (event: StageEvent) => stage.emit({ type: "step", event });
        if (stage.task.step === "train")
          await report({ ...rank, ...rows, step: 42, seedsPerSecond: 1000, breakdown, rssBytes: 5 });
        if (stage.task.step === "infer") {
          const none = { localRows: 0, remoteRows: 0, cachedRows: 0 };
          await report({ ...rank, ...none, step: 0, seedsPerSecond: null, breakdown: null, rssBytes: 9 });
        }
        await stage.succeed();
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, job.id, "SUCCEEDED");
      const shown = await world().prisma.member.findFirstOrThrow({ where: { jobId: job.id, ...leadRank } });
      expect(shown).toMatchObject({ step: 42n, seedsPerSecond: 1000, breakdown, localRows: 10n, rssBytes: 9n });
      expect(shown.state).toBe("FINISHED");
    });

    it("reuses the partition of an earlier job on the same graph, and trains anew", async () => {
      const scheduler = world().startScheduler();
      const worker = world().startWorker(succeedAtOnce);
      const first = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, first.id, "SUCCEEDED");
      const forecast = await forecastStages(world().services(), {
        projectId: first.projectId,
        datasetVersionId: first.datasetVersionId!,
        modelArtifactId: null,
        spec: specOf(first) as JobSpec,
      });
      const second = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, second.id, "SUCCEEDED");
      const stages = await world().prisma.stage.findMany({ where: { jobId: second.id }, orderBy: { index: "asc" } });
      expect(stages.map(({ cached }) => cached)).toEqual([true, false, false, false, false, false]);
      const told = stages.map(({ kind, cached }) => ({ kind, fate: cached ? "reused" : "anew", epoch: null }));
      expect(forecast, "as it was foreseen").toEqual(told);
      expect(worker.tasks.filter(({ step }) => step === "partition")).toHaveLength(1);
      expect(worker.tasks.filter(({ step }) => step === "train")).toHaveLength(2);
    });

    it("goes on from the checkpoint that it was submitted with, and later from its own", async () => {
      const scheduler = world().startScheduler();
      const worker = world().startWorker((stage) =>
        stage.task.step === "train" ? train(stage, stage.task.attempt + 2) : succeedAtOnce(stage),
      );
      const first = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, first.id, "SUCCEEDED");
      const checkpoint = await world().prisma.artifact.findFirstOrThrow({
        where: { jobId: first.id, kind: "checkpoint", epoch: 2 },
      });
      const spec = world().spec({ continueFrom: checkpoint.id, train: { epochs: 80 } });
      const second = await submitJob(world().services(scheduler), world().viewer, spec);
      await world().reach(scheduler, second.id, "SUCCEEDED");
      const resumed = worker.tasks.findLast(({ step }) => step === "train");
      expect(resumed).toMatchObject({ jobId: second.id, resume: { id: checkpoint.id, prefix: checkpoint.prefix } });
      const attempt = await world().prisma.attempt.findFirstOrThrow({ where: { jobId: second.id } });
      expect(attempt.resumedFromEpoch).toBe(2);

      await world().prisma.artifact.update({ where: { id: checkpoint.id }, data: { deletedAt: null } });
      const third = await submitJob(world().services(), world().viewer, spec);
      await world().prisma.artifact.update({ where: { id: checkpoint.id }, data: { deletedAt: new Date() } });
      scheduler.jobChanged(third.id);
      await world().reach(scheduler, third.id, "FAILED");
      const { problem } = await world().prisma.job.findUniqueOrThrow({ where: { id: third.id } });
      expect(problem).toMatchObject({ detail: expect.stringContaining("checkpoint") });
    });

    it("waits until all its slots are free at once; nobody of lower priority takes them meanwhile", async () => {
      const scheduler = world().startScheduler();
      const first = gate();
      const worker = world().startWorker(
        async (stage) => {
          if (stage.task.ranks === 1 && stage.task.step === "train") await first.pass();
          await stage.succeed();
        },
        { slots: 2 },
      );
      const services = world().services(scheduler);
      const small = await submitJob(services, world().viewer, world().spec({ name: "small" }));
      await first.arrived;
      const big = await submitJob(
        services,
        world().viewer,
        world().spec({ name: "big", resources: { ranks: 2 }, priority: 9 }),
      );
      const late = await submitJob(services, world().viewer, world().spec({ name: "late", priority: 1 }));
      await vi.waitFor(async () => {
        const stage = await world().prisma.stage.findFirstOrThrow({ where: { jobId: big.id, index: 0 } });
        expect(stage.state).toBe("SUCCEEDED");
      }, waitOptions);
      first.open();
      await world().reach(scheduler, small.id, "SUCCEEDED");
      await world().reach(scheduler, big.id, "SUCCEEDED");
      await world().reach(scheduler, late.id, "SUCCEEDED");
      const order = worker.tasks.filter(({ step }) => step === "train").map(({ jobId }) => jobId);
      expect(order.indexOf(big.id)).toBeLessThan(order.indexOf(late.id));
    });

    it("is made once for two requests with one idempotency key, and a clash is told", async () => {
      const services = world().services();
      const options = { idempotencyKey: "k1" };
      const [a, b] = await Promise.all([
        submitJob(services, world().viewer, world().spec(), options),
        submitJob(services, world().viewer, world().spec(), options),
      ]);
      expect(a.id).toBe(b.id);
      const other = submitJob(services, world().viewer, world().spec({ name: "other" }), options);
      await expect(other).rejects.toMatchObject({ problem: { code: "REQUEST_CONFLICT" } });
    });

    it.each([
      [{ task: { target: "y" } }, "JOB_SPEC_INVALID", "/task/target"],
      [{ model: { type: "gat9" } }, "JOB_SPEC_INVALID", "/model/type"],
      [{ dataset: "ds_none" }, "REQUEST_NOT_FOUND", undefined],
    ])("is refused at submit with its place: %j", async (change, code, pointer) => {
      const refused = submitJob(world().services(), world().viewer, world().spec(change));
      await expect(refused).rejects.toMatchObject({ problem: { code, ...(pointer ? { pointer } : {}) } });
      expect(await world().prisma.job.count({ where: { projectId: world().viewer.projectId ?? "" } })).toBe(0);
    });

    it("of the ingest makes its dataset version READY, or FAILED with the problem", async () => {
      const scheduler = world().startScheduler();
      let isBroken = true;
      world().startWorker(async (stage) => {
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
      const version = { id: world().versionId };
      const { spec } = await world().prisma.datasetVersion.update({
        where: version,
        data: { state: "MAPPING", graphId: null },
      });
      const ingest = () =>
        submitIngest(
          world().services(scheduler),
          world().viewer,
          version.id,
          spec as Parameters<typeof submitIngest>[3],
        );
      const first = await ingest();
      await expect(ingest()).rejects.toMatchObject({ problem: { code: "REQUEST_CONFLICT" } });
      await world().reach(scheduler, first.id, "FAILED");
      expect(await world().prisma.datasetVersion.findUnique({ where: version })).toMatchObject({
        state: "FAILED",
        problem: { code: "DATASET_ROW_INVALID", line: 3 },
      });
      isBroken = false;
      const second = await ingest();
      await world().reach(scheduler, second.id, "SUCCEEDED");
      const ready = await world().prisma.datasetVersion.findUniqueOrThrow({ where: version, include: { graph: true } });
      expect(ready).toMatchObject({ state: "READY", problem: null, contentHash: ready.graph?.digest });
    });
  });

  describe("a job that waits", () => {
    it("says that the only worker with its device has left, when, and begins when it is back", async () => {
      const scheduler = world().startScheduler();
      world().startWorker(succeedAtOnce, { id: "cpu-1" });
      const gpu = world().startWorker(succeedAtOnce, { id: "gpu-1", device: "cuda" });
      await vi.waitFor(async () => {
        const known = await world().prisma.worker.findMany({ where: { id: { in: ["cpu-1", "gpu-1"] } } });
        expect(known).toHaveLength(2);
      }, waitOptions);
      await gpu.die();
      await vi.waitFor(async () => {
        const known = await world().prisma.worker.findUniqueOrThrow({ where: { id: "gpu-1" } });
        expect(known.state).toBe("OFFLINE");
      }, waitOptions);
      const spec = world().spec({ resources: { device: "cuda" } });
      const job = await submitJob(world().services(scheduler), world().viewer, spec);
      await vi.waitFor(async () => {
        const { waitReason } = await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } });
        expect(waitReason).toMatch(/^No worker that is online has a CUDA device\. The last one that had it, gpu-1 on /);
        expect(waitReason).toMatch(/was seen at 20\d\d-.*docs\/guides\/gpu\.md/);
      }, waitOptions);
      const back = world().startWorker(succeedAtOnce, { id: "gpu-1", device: "cuda" });
      await world().reach(scheduler, job.id, "SUCCEEDED");
      const devices = Object.fromEntries(back.tasks.map(({ step, device }) => [step, device]));
      expect(devices).toMatchObject({ partition: "cpu", train: "cuda", infer: "cuda", export: "cpu" });
    });

    it("says why, and no longer once a worker has it", async () => {
      const scheduler = world().startScheduler();
      const job = await submitJob(
        world().services(scheduler),
        world().viewer,
        world().spec({ resources: { ranks: 2 } }),
      );
      const queue = async () => {
        const row = await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } });
        return queueInfo(world(), row);
      };
      const says = (reason: RegExp) =>
        vi.waitFor(async () => expect((await queue())?.reason).toMatch(reason), waitOptions);
      await says(/^No worker is online/);
      const small = world().startWorker(succeedAtOnce, { id: "small", slots: 1 });
      await says(/host-of-small: it has 1 slots, 2 are needed/);
      world().startWorker(succeedAtOnce, { id: "big", slots: 2 });
      await world().reach(scheduler, job.id, "SUCCEEDED");
      expect(await queue()).toBeNull();
      expect(small.tasks).toEqual([]);
    });
  });

  describe("cancelling", () => {
    it("stops a running job: the worker is told and answers", async () => {
      const scheduler = world().startScheduler();
      const middle = gate();
      world().startWorker(async (stage) => {
        void middle.pass();
        await stage.stopped;
        await stage.emit({ type: "stageCancelled" });
      });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await middle.arrived;
      await world().reach(scheduler, job.id, "RUNNING");
      const asked = await cancelJob(world().services(scheduler), world().viewer, job.id);
      expect(asked.state).toBe("CANCELLING");
      await world().reach(scheduler, job.id, "CANCELLED");
      await cancelJob(world().services(scheduler), world().viewer, job.id); // once more is fine
    });

    it("ends a job at once that nobody has begun", async () => {
      const job = await submitJob(world().services(), world().viewer, world().spec());
      expect(await cancelJob(world().services(), world().viewer, job.id)).toMatchObject({ state: "CANCELLED" });
    });

    it("ends a job whose worker is gone", async () => {
      const scheduler = world().startScheduler();
      const middle = gate();
      const worker = world().startWorker(() => middle.pass());
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await middle.arrived;
      await worker.die();
      await cancelJob(world().services(scheduler), world().viewer, job.id);
      await world().reach(scheduler, job.id, "CANCELLED");
    });

    it("is refused for a job that has ended", async () => {
      const scheduler = world().startScheduler();
      world().startWorker(succeedAtOnce);
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, job.id, "SUCCEEDED");
      const refused = cancelJob(world().services(scheduler), world().viewer, job.id);
      await expect(refused).rejects.toMatchObject({ problem: { code: "JOB_FINISHED" } });
    });

    it("by maxDuration ends the job FAILED with the limit as its problem", async () => {
      const scheduler = world().startScheduler();
      world().startWorker(async (stage) => {
        await stage.stopped;
        await stage.emit({ type: "stageCancelled" });
      });
      const spec = world().spec({ resources: { maxDuration: "PT1S" } });
      const job = await submitJob(world().services(scheduler), world().viewer, spec);
      await world().reach(scheduler, job.id, "FAILED");
      const { problem } = await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } });
      expect(problem).toMatchObject({ code: "JOB_TIME_LIMIT", pointer: "/resources/maxDuration" });
    });
  });

  describe("a worker", () => {
    it("of another contract version gets no work, and the reason is shown", async () => {
      const scheduler = world().startScheduler();
      const stranger = world().startWorker(succeedAtOnce, { id: "stranger", contract: 99 });
      await vi.waitFor(async () => {
        const worker = await world().prisma.worker.findUnique({ where: { id: "stranger" } });
        expect(worker).toMatchObject({ compatible: false, reason: expect.stringContaining("contract 99") });
      }, waitOptions);
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      const friend = world().startWorker(succeedAtOnce, { id: "friend" });
      await world().reach(scheduler, job.id, "SUCCEEDED");
      expect(stranger.tasks).toEqual([]);
      expect(friend.tasks).toHaveLength(6);
    });

    it("is not heard under another one's name: that one's key is where it may not write", async () => {
      const scheduler = world().startScheduler();
      const redis = world().redis.client();
      const liar = world().startWorker(succeedAtOnce, { id: "liar" });
      await vi.waitFor(async () => {
        expect(await redis.exists(redisKeys.worker("liar"))).toBe(1);
      }, waitOptions);
      const said = (await redis.get(redisKeys.worker("liar"))) ?? "";
      await liar.die();
      await redis.set(redisKeys.worker("liar"), said.replace('"id":"liar"', '"id":"victim"'));
      world().startWorker(succeedAtOnce, { id: "friend" });
      const job = await submitJob(world().services(scheduler), world().viewer, world().spec());
      await world().reach(scheduler, job.id, "SUCCEEDED");
      redis.disconnect();
      expect(await world().prisma.worker.findUnique({ where: { id: "victim" } })).toBeNull();
    });
  });
});
