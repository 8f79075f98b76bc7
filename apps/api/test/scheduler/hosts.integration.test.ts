import { type AppError, memberName, membersOf, problemOf, type StageTask } from "@hopwise/contracts";
import { expect, it, vi } from "vitest";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { RendezvousNames } from "../../src/scheduler/rendezvous-names.ts";
import { describeInWorld } from "./support/describe-in-world.ts";
import { gate } from "./support/gate.ts";
import { type Script, succeedAtOnce } from "./support/scripted-worker.ts";
import { waitOptions } from "./support/story.ts";
import { train } from "./support/training-script.ts";
import type { World } from "./support/world.ts";

const none = { first: 0, count: 0 };
const onTwoHosts = { resources: { ranks: 4, hosts: 2, minRanks: 2 } };
/** What a rank says when its peers are gone. */
const missed = {
  type: "stageFailed",
  problem: problemOf("RANK_LOST", "Connection closed"),
  isConsequence: true,
} as const;
const trainingDone: Script = (stage) => (stage.task.step === "train" ? train(stage, 3) : stage.succeed());

function host(world: World, id: string, script: Script, slots = 4) {
  return world.startWorker(script, { id, slots, rankAddress: `10.0.0.${id.charCodeAt(0)}` });
}

const attemptsOf = (world: World, jobId: string) =>
  world.prisma.attempt.findMany({ where: { jobId }, orderBy: { number: "asc" } });

/**
 * A job on two hosts of three slots, of which the second dies while it trains; the job has ended well on the other, its
 * heir.
 */
async function afterHostDied(world: World, wanted: Parameters<World["spec"]>[0]) {
  const scheduler = world.startScheduler();
  const struck = gate();
  const script: Script = async (stage) => {
    const { step, attempt, slice } = stage.task;
    if (step !== "train" || attempt > 1) return trainingDone(stage);
    if (slice.index > 0) return struck.pass();
    await stage.checkpoint(1);
    await struck.arrived;
    await stage.emit(missed); // before anyone knows that the other host is dead
  };
  const a = host(world, "a", script, 3);
  const b = host(world, "b", script, 3);
  const job = await submitJob(world.services(scheduler), world.viewer, world.spec(wanted));
  await struck.arrived;
  const [heir, victim] = a.tasks.some(({ slice }) => slice.index > 0) ? [b, a] : [a, b];
  await victim.die();
  await world.reach(scheduler, job.id, "SUCCEEDED");
  return { job, heir, victim };
}

describeInWorld("a job on several hosts", (world) => {
  it("gives each host a grant for its own slice, worth nothing once the attempt is fenced or the stage over", async () => {
    const grants = await world().openGrants();
    const scheduler = world().startScheduler({ grants });
    /** What a task's grant allows now, or the status of the problem. */
    const allowed = ({ grant }: StageTask) =>
      grants.check(`Bearer ${grant}`).catch((error: AppError) => error.problem.status);
    const isStruck = gate();
    const found: Record<string, unknown> = {};
    const script: Script = async (stage) => {
      const { step, attempt, slice } = stage.task;
      if (step !== "train") return stage.succeed();
      found[`${attempt}.${slice.index}`] = await allowed(stage.task);
      if (attempt > 1) {
        if (slice.index === 0) found["fenced"] = await Promise.all(trained(1).map(allowed));
        return stage.succeed();
      }
      if (slice.index > 0) return isStruck.open();
      await isStruck.pass();
      await stage.emit({ type: "stageFailed", problem: problemOf("WORKER_LOST", "The worker was shut down.") });
    };
    const workers = ["a", "b"].map((id) => host(world(), id, script));
    const tasks = () => workers.flatMap((worker) => worker.tasks);
    const trained = (of: number) => tasks().filter(({ step, attempt }) => step === "train" && attempt === of);
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec(onTwoHosts));
    await world().reach(scheduler, job.id, "SUCCEEDED");

    const [train] = trained(1);
    const reads = [{ prefix: train?.inputs["parts"]?.prefix, only: null }];
    const holder = { job: job.id, attempt: 1, stage: train?.stageIndex };
    expect(found).toMatchObject({
      "1.0": { holder: { ...holder, slice: 0 }, reads, writes: [{ output: train?.output.prefix }] },
      "1.1": { holder: { ...holder, slice: 1 }, reads, writes: [] },
      "2.0": { holder: { attempt: 2 } },
      fenced: [403, 403],
    });
    expect(await Promise.all(tasks().map(allowed))).toEqual(tasks().map(() => 403));
  });

  it("trains and infers on both, with every other step on the first; each rank is known by its host", async () => {
    const scheduler = world().startScheduler();
    const a = host(world(), "a", trainingDone);
    const b = host(world(), "b", trainingDone);
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec(onTwoHosts));
    await world().reach(scheduler, job.id, "SUCCEEDED");

    const [first, second] = a.tasks.length > b.tasks.length ? [a, b] : [b, a];
    expect(first.tasks.map(({ step }) => step)).toEqual(["partition", "train", "infer", "remap", "project", "export"]);
    expect(second.tasks.map(({ step, ranks, slice }) => ({ step, ranks, slice }))).toEqual(
      ["train", "infer"].map((step) => ({
        step,
        ranks: 4,
        slice: { index: 1, count: 2, ranks: { first: 2, count: 2 }, samplers: none, devices: [] },
      })),
    );
    // Where they find each other: the same for the slices of a stage, for no two stages, and for every API on this
    // database.
    const rendezvous = (of: typeof first, step: string) => of.tasks.find((task) => task.step === step)?.rendezvous;
    expect(rendezvous(second, "train")).toBe(rendezvous(first, "train"));
    expect(new Set(first.tasks.map((task) => task.rendezvous)).size).toBe(first.tasks.length);
    const key = { jobId: job.id, attempt: 1, stageIndex: 1 };
    expect(await new RendezvousNames(world().prisma).of(key)).toBe(rendezvous(first, "train"));
    expect(rendezvous(first, "train")).toMatch(/^[\w-]{43}$/);
    const ranks = await world().prisma.member.findMany({ where: { jobId: job.id }, orderBy: { index: "asc" } });
    expect(ranks.map(({ host: name, localRank }) => [name, localRank])).toEqual([
      [`host-of-${first.id}`, 0],
      [`host-of-${first.id}`, 1],
      [`host-of-${second.id}`, 0],
      [`host-of-${second.id}`, 1],
    ]);
  });

  it("grants slots to sampler processes as well where it trains, after the ranks, and takes their host for it alone", async () => {
    const scheduler = world().startScheduler();
    const workers = [host(world(), "a", trainingDone, 2), host(world(), "b", trainingDone, 1)];
    const resources = { ranks: 2, hosts: 2, samplers: 1 };
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec({ resources }));
    await world().reach(scheduler, job.id, "SUCCEEDED");
    const tasksOf = (name: string) =>
      workers
        .flatMap(({ tasks }) => tasks)
        .filter(({ step }) => step === name)
        .toSorted((a, b) => a.slice.index - b.slice.index)
        .map(({ ranks, samplers, rankHosts, slice }) => [ranks, samplers, rankHosts, membersOf(slice).map(memberName)]);
    expect(tasksOf("train")).toEqual([
      [2, 1, 1, ["0", "1"]],
      [2, 1, 1, ["sampler 0"]],
    ]);
    expect(tasksOf("infer")).toEqual([
      [2, 0, 2, ["0"]],
      [2, 0, 2, ["1"]],
    ]);
    const members = await world().prisma.member.findMany({
      where: { jobId: job.id },
      orderBy: [{ kind: "asc" }, { index: "asc" }],
    });
    expect(members.map((member) => [memberName(member), member.state])).toEqual([
      ["0", "FINISHED"],
      ["1", "FINISHED"],
      ["sampler 0", "FINISHED"],
    ]);
  });

  it("gives up sampler processes before ranks when a host dies", async () => {
    const { job, heir } = await afterHostDied(world(), { resources: { ranks: 2, hosts: 2, samplers: 2 } });
    expect(heir.tasks.find(({ attempt, step }) => attempt === 2 && step === "train")).toMatchObject({
      ranks: 2,
      samplers: 1,
      slice: { count: 1, ranks: { first: 0, count: 2 }, samplers: { first: 0, count: 1 } },
    });
    const incidents = await world().prisma.incident.findMany({ where: { jobId: job.id } });
    expect(incidents.map(({ code }) => code)).toEqual(["WORKER_LOST"]);
  });

  it("waits, with a reason, until there are as many hosts; then it begins", async () => {
    const scheduler = world().startScheduler();
    const alone = host(world(), "a", succeedAtOnce);
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec(onTwoHosts));
    await vi.waitFor(async () => {
      const { waitReason } = await world().prisma.job.findUniqueOrThrow({ where: { id: job.id } });
      expect(waitReason).toMatch(/No set of workers.*4 on 2 hosts are needed/);
    }, waitOptions);
    expect(alone.tasks).toEqual([]);
    host(world(), "b", succeedAtOnce);
    await world().reach(scheduler, job.id, "SUCCEEDED");
  });

  it("goes on with fewer ranks on what is left when a host dies, blames that host and says so", async () => {
    const { job, heir, victim } = await afterHostDied(world(), onTwoHosts);

    expect(heir.tasks.find(({ attempt, step }) => attempt === 2 && step === "train")).toMatchObject({
      ranks: 3,
      slice: { index: 0, count: 1, ranks: { first: 0, count: 3 }, samplers: none },
      resume: { id: expect.stringMatching(/-checkpoint-1-10$/) },
    });
    const attempts = await attemptsOf(world(), job.id);
    expect(attempts.map(({ state, ranks }) => [state, ranks])).toEqual([
      ["LOST", 4],
      ["SUCCEEDED", 3],
    ]);
    const incidents = await world().prisma.incident.findMany({ where: { jobId: job.id }, orderBy: { cursor: "asc" } });
    expect(incidents.map(({ code, host: name }) => [code, name])).toEqual([
      ["WORKER_LOST", `host-of-${victim.id}`],
      ["RANKS_CHANGED", `host-of-${heir.id}`],
    ]);
  });

  it("lets the first host store its checkpoint when another is shut down, then goes on elsewhere at once", async () => {
    const scheduler = world().startScheduler({ graceMs: 60_000 }); // by a lost lease this would take a minute
    const told = gate();
    const shutDown = { ...missed, problem: problemOf("WORKER_LOST", "The worker was shut down.") };
    const script: Script = async (stage) => {
      const { step, attempt, slice } = stage.task;
      if (step !== "train" || attempt > 1) return trainingDone(stage);
      if (slice.index > 0) {
        await stage.emit(shutDown);
        return told.open();
      }
      await told.pass();
      await stage.checkpoint(2);
      await stage.emit(missed);
    };
    for (const id of ["a", "b"]) host(world(), id, script);
    const job = await submitJob(world().services(scheduler), world().viewer, world().spec(onTwoHosts));
    await world().reach(scheduler, job.id, "SUCCEEDED");
    const attempts = await attemptsOf(world(), job.id);
    expect(attempts.map(({ reason, resumedFromEpoch }) => [reason, resumedFromEpoch])).toEqual([
      ["submitted", null],
      ["WORKER_LOST", 2],
    ]);
  });
});
