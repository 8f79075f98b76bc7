import { expect, it, vi } from "vitest";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { setProjectLimits } from "../../src/projects/project-limits.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { type Script, succeedAtOnce } from "./support/scripted-worker.ts";
import { waitOptions } from "./support/story.ts";

const none = { slots: null, devices: null, waitingJobs: null, monthlyRankHours: null };

describeInWorld("the limits of a project", (world) => {
  const limit = (limits: object) =>
    setProjectLimits(world(), { ...world().viewer, projectId: null }, world().viewer.projectId ?? "", {
      ...none,
      ...limits,
    });
  const waits = (jobId: string, reason: RegExp) =>
    vi.waitFor(async () => {
      const { waitReason } = await world().prisma.job.findUniqueOrThrow({ where: { id: jobId } });
      expect(waitReason).toMatch(reason);
    }, waitOptions);

  it("have a job wait though workers are free, with the numbers, until another of the project ends; what was held is kept", async () => {
    await limit({ slots: 2 });
    const scheduler = world().startScheduler();
    const held = gate();
    const script: Script = async (stage) => {
      if (stage.task.step === "train" && stage.task.jobId === first.id) await held.pass();
      await succeedAtOnce(stage);
    };
    const worker = world().startWorker(script, { slots: 8 });
    const submit = (ranks: number) =>
      submitJob(world().services(scheduler), world().viewer, world().spec({ resources: { ranks } }));
    const first = await submit(2);
    await held.arrived;
    const large = await submit(2);
    const small = await submit(1);
    await waits(large.id, /^The project ".*" may hold 2 slots at once and holds 2; this stage needs \d\./);
    await waits(small.id, /^The project ".*" may hold 2 slots at once and holds 2/);
    expect(worker.tasks.filter(({ jobId }) => jobId !== first.id)).toEqual([]);
    await expect(submit(3)).rejects.toMatchObject({
      problem: {
        code: "PROJECT_LIMIT",
        pointer: "/resources/ranks",
        detail: expect.stringContaining("3 ranks hold 3"),
      },
    });
    held.open();
    for (const { id } of [first, large, small]) await world().reach(scheduler, id, "SUCCEEDED");

    const rows = await world().prisma.heldTime.findMany({ where: { jobId: large.id }, orderBy: { startedAt: "asc" } });
    const ran = worker.tasks.filter(({ jobId }) => jobId === large.id);
    expect(rows.map(({ slots }) => slots)).toEqual(ran.map(({ ranks }) => ranks));
    expect(rows.every(({ startedAt, endedAt }) => endedAt !== null && endedAt >= startedAt)).toBe(true);
    expect(await mostAtOnce(), "never more than the limit").toBe(2);
  });

  /** Counts at each moment something was begun, by what is written down of all jobs. */
  async function mostAtOnce(): Promise<number> {
    const rows = await world().prisma.heldTime.findMany({ where: { projectId: world().viewer.projectId ?? "" } });
    const heldAt = (at: Date) =>
      rows.filter(({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || endedAt > at));
    return Math.max(...rows.map(({ startedAt }) => heldAt(startedAt).reduce((sum, { slots }) => sum + slots, 0)));
  }

  it("have a job begin next month when the hours of this one are used, or as soon as there are more", async () => {
    const scheduler = world().startScheduler();
    world().startWorker(succeedAtOnce);
    await limit({ monthlyRankHours: 1 });
    const services = world().services(scheduler);
    await scheduler.stop();
    const job = await submitJob(services, world().viewer, world().spec());
    const now = Date.now();
    const owner = { projectId: job.projectId, jobId: "", stageId: "" };
    const month = new Date(new Date(now).setUTCDate(1)).setUTCHours(0, 0, 0, 0);
    const span = { startedAt: new Date(month), endedAt: new Date(now) };
    const slots = Math.ceil((2 * 3_600_000) / (now - month));
    await world().prisma.heldTime.create({ data: { id: `held_${job.id}`, ...owner, slots, devices: 0, ...span } });
    const next = world().startScheduler();
    await waits(job.id, /has used \d+(\.\d+)? of the 1 rank hours that it has in \w+ \d{4}; the job begins on \d{4}-/);
    await expect(submitJob(services, world().viewer, world().spec())).rejects.toMatchObject({
      problem: { code: "PROJECT_HOURS_USED" },
    });
    await limit({ monthlyRankHours: 1e6 });
    await world().reach(next, job.id, "SUCCEEDED");
  });

  it("keep workers for a large job that waits, round after round, however many small ones come behind it", async () => {
    const scheduler = world().startScheduler();
    const held = gate();
    const order: string[] = [];
    const script: Script = async (stage) => {
      if (stage.task.step === "train") order.push(stage.task.jobId);
      if (stage.task.step === "train" && stage.task.jobId === first.id) await held.pass();
      await succeedAtOnce(stage);
    };
    world().startWorker(script, { slots: 2 });
    const submit = (ranks: number) =>
      submitJob(world().services(scheduler), world().viewer, world().spec({ resources: { ranks } }));
    const first = await submit(1);
    await held.arrived;
    const large = await submit(2);
    await waits(large.id, /2 free slots are needed at once/);
    const small = await submit(1);
    await waits(small.id, /free slots are needed/);
    const { length } = order;
    held.open();
    for (const { id } of [first, large, small]) await world().reach(scheduler, id, "SUCCEEDED");
    expect(order.slice(length)).toEqual([large.id, small.id]);
  });
});
