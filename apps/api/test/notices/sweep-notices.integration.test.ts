import { AppError } from "@hopwise/contracts";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { JobState } from "../../src/generated/prisma/client.ts";
import { changeJob } from "../../src/job-state/job-store.ts";
import { moveJob, raiseIncident } from "../../src/job-state/transitions/job-transitions.ts";
import { NoticeTeller } from "../../src/notices/notice-teller.ts";
import { sweepEnds } from "../../src/sweeps/sweep-end.ts";
import { useApp } from "../support/each-database.ts";
import { readyDataset } from "../support/fixtures.ts";
import { searchWorld } from "../sweeps/support/search-world.ts";
import { succeed } from "../sweeps/support/succeed.ts";

const app = useApp({ HOPWISE_WEBHOOK_NETWORKS: "127.0.0.1" });
const leader = { assert: async () => {} };
const events = ["done", "failed", "stalled", "best"];
const grid = { "model.type": ["sage", "gcn"] };
let dataset: string;
let tellOf: () => Promise<void>;

beforeAll(async () => {
  dataset = await readyDataset(app());
  const { prisma, registry, log, webhooks } = app().services;
  tellOf = () =>
    new NoticeTeller({ prisma, registry, log, ...webhooks, sweepEnds: sweepEnds(prisma, registry) }).tell(leader);
  // Nothing is sent in this file: what is queued for it is read.
  const hook = { name: "chat", url: "http://127.0.0.1:9/hook", events };
  await app().admin.post("/v1/webhooks").send(hook).expect(201);
});

beforeEach(async () => {
  await app().services.prisma.notice.deleteMany();
  await app().services.prisma.webhookDelivery.deleteMany();
});

async function submit(name: string, seeds: number[] = [0]): Promise<{ id: string; jobs: string[] }> {
  const spec = { version: 1, kind: "train", dataset, task: { target: "label" } };
  const { body } = await app().admin.post("/v1/sweeps").send({ spec, name, grid, seeds }).expect(202);
  const { body: listed } = await app().admin.get(`/v1/jobs?sweep=${body.id}&sort=submitted`).expect(200);
  return { id: body.id, jobs: listed.items.map(({ id }: { id: string }) => id) };
}

const end = (id: string, state: JobState) =>
  changeJob(app().services.prisma, id, (run) => moveJob(run, state, new Date()));

/** What people have been told, oldest first. */
async function told() {
  await tellOf();
  const { body } = await app().admin.get("/v1/notices").expect(200);
  return body.items.toReversed() as { event: string; message: string; jobId: string | null; sweepId: string | null }[];
}

async function queued() {
  const rows = await app().services.prisma.webhookDelivery.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return rows.map(({ body }) => JSON.parse(body));
}

it("a sweep tells once how it has ended, when its last job has; its jobs tell nothing", async () => {
  const { id, jobs } = await submit("rates", [0, 1]);
  for (const [i, job] of jobs.slice(0, 3).entries()) await succeed(app(), job, 0.5 + 0.1 * i, 0.4 + 0.1 * i);
  expect(await told()).toEqual([]);
  await end(jobs[3] as string, "FAILED");
  const done = expect.objectContaining({
    event: "done",
    message:
      "Sweep “rates” is done: 3 of 4 jobs have succeeded; best is type sage (Accuracy, validation 55.00 %, test 45.00 %).",
    jobId: null,
    sweepId: id,
  });
  expect(await told()).toEqual([done]);
  expect(await told()).toEqual([done]);
  const [body, ...more] = await queued();
  expect(more).toEqual([]);
  expect(body).toMatchObject({
    version: 1,
    event: "done",
    job: null,
    sweep: {
      id,
      name: "rates",
      project: "default",
      dataset: "cora",
      metric: "accuracy",
      jobs: { all: 4, succeeded: 3, failed: 1, cancelled: 0 },
      best: { job: jobs[1], setting: "type sage" },
    },
  });
  expect(body.sweep.url).toMatch(new RegExp(`/sweeps/${id}$`));
});

it("a sweep that went on, as a job of it was run once more, tells its new end", async () => {
  const { jobs } = await submit("again");
  for (const job of jobs) await end(job, "FAILED");
  expect((await told()).map(({ event }) => event)).toEqual(["failed"]);
  await app().admin.post(`/v1/jobs/${jobs[0]}/retry`).expect(202);
  expect(await told()).toHaveLength(1);
  await succeed(app(), jobs[0] as string, 0.5, 0.1);
  expect((await told()).map(({ event }) => event)).toEqual(["failed", "done"]);
});

it("its best job is told of when none outside the sweep was better before", async () => {
  const { id, jobs } = await submit("better");
  await succeed(app(), jobs[0] as string, 0.8, 0.9);
  await succeed(app(), jobs[1] as string, 0.7, 0.95);
  const [done, best, ...more] = await told();
  expect([done?.event, best?.event, more]).toEqual(["done", "best", []]);
  expect(best).toMatchObject({ jobId: jobs[0], sweepId: id });
  expect(best?.message).toMatch(/has the best test result of 90.00 % .*; Job “rates · type gcn · seed 0” had 60.00 %/);
  const bodies = await queued();
  const about = bodies.map(({ event, job, sweep }) => [event, job?.id, sweep.id]);
  expect(about).toContainEqual(["done", undefined, id]);
  expect(about).toContainEqual(["best", jobs[0], id]);
  expect(about).toHaveLength(2);
});

it("it fails when no job has succeeded, and says the first reason; one that is cancelled tells nothing", async () => {
  const { prisma } = app().services;
  const failing = await submit("failing");
  const { problem } = new AppError("REQUEST_CONFLICT", "The disk is full.");
  await prisma.job.updateMany({ where: { id: failing.jobs[0] as string }, data: { problem: { ...problem } } });
  for (const job of failing.jobs) await end(job, "FAILED");
  const cancelled = await submit("cancelled");
  await app().admin.post(`/v1/sweeps/${cancelled.id}/cancel`).expect(202);
  const items = await told();
  expect(items.map(({ event, sweepId }) => [event, sweepId])).toEqual([["failed", failing.id]]);
  expect(items[0]?.message).toMatch(
    /^Sweep “failing” has failed: none of its jobs has succeeded\. The first failure: The disk is full\./,
  );
});

it("a job of it that stands still is told of at once", async () => {
  const { jobs } = await submit("slow");
  const incident = { code: "RANK_STALLED", message: "Rank 1 has not advanced for 10 s." };
  await changeJob(app().services.prisma, jobs[0] as string, (run) => raiseIncident(run, null, incident, new Date()));
  expect(await told()).toEqual([expect.objectContaining({ event: "stalled", jobId: jobs[0], sweepId: null })]);
});

it("a deleted sweep takes its notice along", async () => {
  const { id, jobs } = await submit("gone");
  for (const job of jobs) await end(job, "FAILED");
  expect(await told()).toHaveLength(1);
  await app().admin.delete(`/v1/sweeps/${id}`).expect(204);
  expect(await told()).toEqual([]);
});

it("a search tells when it decides nothing more, not between its rounds", async () => {
  const world = await searchWorld(app());
  const { body } = await world.submit().expect(202);
  await world.look();
  const waiting = await world.waitingJobs(body.id);
  expect(waiting.length).toBeGreaterThan(0);
  for (const { id } of waiting) await succeed(app(), id, 0.6, 0.5);
  expect(await told()).toEqual([]);
  await app().admin.post(`/v1/sweeps/${body.id}/cancel`).expect(202);
  const [done, ...more] = (await told()).filter(({ event }) => event !== "best");
  expect(more).toEqual([]);
  expect(done).toMatchObject({ event: "done", sweepId: body.id, jobId: null });
  expect(done?.message).toMatch(
    /^Search “.+” is done: .+; best is .+ \(Accuracy, validation 60.00 %, test 50.00 %\)\.$/,
  );
});
