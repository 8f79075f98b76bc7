import { expect, it, vi } from "vitest";
import { noteCheck } from "../../src/artifacts/artifact-checks.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { grantNextStage } from "../../src/scheduler/grant.ts";
import { JobClock } from "../../src/scheduler/job-clock.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import type { Script } from "./support/scripted-worker.ts";
import { waitOptions } from "./support/story.ts";
import { announcementOf } from "./support/worker-view.ts";

describeInWorld("a job whose graph is found damaged", (world) => {
  const submit = () => submitJob(world().services(), world().viewer, world().spec());
  const jobOf = (id: string) => world().prisma.job.findUniqueOrThrow({ where: { id } });
  const ingests = () =>
    world().prisma.job.findMany({
      where: { datasetVersionId: world().versionId, kind: "ingest" },
      orderBy: { createdAt: "asc" },
    });

  async function noteDamage(at = new Date()): Promise<void> {
    const { prisma, versionId } = world();
    const { graphId } = await prisma.datasetVersion.findUniqueOrThrow({ where: { id: versionId } });
    await noteCheck(prisma, graphId ?? "", [{ blob: "nodes/features.npy", found: "other bytes" }], at);
  }

  /** Every step succeeds at once; the ingest makes the graph that there was. */
  const remake: Script = async (stage) => {
    if (stage.task.step !== "ingest") return stage.succeed();
    const { id, prefix, reuseKey } = stage.task.output;
    const { graph } = await world().prisma.datasetVersion.findUniqueOrThrow({
      where: { id: world().versionId },
      include: { graph: true },
    });
    const digest = graph?.digest ?? "";
    const artifact = { id, prefix, reuseKey, digest, kind: "graph", bytes: 12, info: {}, blobs: [] };
    await stage.emit({ type: "stageSucceeded", artifact });
  };

  /** As a round of the scheduler does, once it has looked for graphs to make again. */
  const grant = (jobId: string, isHopeless = false) =>
    grantNextStage(
      jobId,
      [{ announcement: announcementOf("w1"), refusal: null, freeSlots: 4, takenDevices: new Set() }],
      {
        prisma: world().prisma,
        registry: world().registry,
        leadership: { assert: async () => {} },
        clock: new JobClock(),
        share: null,
        remakes: { hasFailed: () => isHopeless },
      },
    );

  it("waits when the damage is noted after the round has looked for graphs to make again", async () => {
    const { id } = await submit();
    await noteDamage();
    expect(await grant(id)).toMatchObject({ kind: "waiting", askAgain: true });
    expect(await jobOf(id)).toMatchObject({ state: "QUEUED", waitReason: expect.stringContaining("features.npy") });
    const scheduler = world().startScheduler();
    world().startWorker(remake);
    await world().reach(scheduler, id, "SUCCEEDED");
    expect((await ingests()).map(({ state }) => state)).toEqual(["SUCCEEDED"]);
  });

  it("ends by name when the graph could not be made again, or not be queued for it", async () => {
    const [first, second, third] = [await submit(), await submit(), await submit()];
    await noteDamage(new Date(Date.now() - 1000));
    expect(await grant(first.id, true)).toEqual({ kind: "none" });
    expect(await jobOf(first.id)).toMatchObject({ state: "FAILED", problem: { code: "ARTIFACT_DAMAGED" } });
    const { projectId, createdBy } = first;
    const row = { projectId, createdBy, datasetVersionId: world().versionId, kind: "ingest", name: "again", spec: {} };
    const ingest = await world().prisma.job.create({ data: { ...row, id: "job_again", state: "RUNNING" } });
    expect(await grant(second.id)).toMatchObject({ kind: "waiting" });
    await world().prisma.job.update({ where: { id: ingest.id }, data: { state: "FAILED" } });
    expect(await grant(second.id)).toEqual({ kind: "none" });
    expect(await jobOf(second.id)).toMatchObject({ state: "FAILED", problem: { code: "ARTIFACT_DAMAGED" } });
    await world().prisma.dataset.update({ where: { id: world().datasetId }, data: { deletedAt: new Date() } });
    await noteDamage(new Date(Date.now() + 1000));
    expect(await grant(third.id), "of a deleted dataset nothing is made").toEqual({ kind: "none" });
  });

  it("has it made again once, when a second job finds the damage while that is under way", async () => {
    const { id } = await submit();
    await noteDamage();
    const scheduler = world().startScheduler();
    await vi.waitFor(async () => expect(await ingests()).toHaveLength(1), waitOptions);
    await noteDamage(new Date(Date.now() + 1000));
    world().startWorker(remake);
    await world().reach(scheduler, id, "SUCCEEDED");
    expect((await ingests()).map(({ state }) => state)).toEqual(["SUCCEEDED"]);
  });

  it("goes on although Redis forgot its stage when the damage was found", async () => {
    const scheduler = world().startScheduler();
    const worker = world().startWorker(remake, { isPaused: true });
    const { id } = await submit();
    await vi.waitFor(async () => expect((await jobOf(id)).attempt).toBe(1), waitOptions);
    await noteDamage();
    const redis = world().redis.client();
    await redis.flushall();
    redis.disconnect();
    await vi.waitFor(async () => expect(await ingests()).toHaveLength(1), waitOptions);
    worker.resume();
    await world().reach(scheduler, id, "SUCCEEDED");
  });
});
