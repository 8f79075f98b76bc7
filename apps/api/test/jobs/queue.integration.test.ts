import { beforeAll, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
const jobs: Record<string, string> = {};

beforeAll(async () => {
  const dataset = await readyDataset(app());
  for (const [name, priority] of Object.entries({ a: 5, b: 7, c: 5 })) {
    const spec = { version: 1, kind: "train", name, priority, dataset, task: { target: "label" } };
    jobs[name] = (await app().admin.post("/v1/jobs").send(spec).expect(202)).body.id;
  }
});

const order = async () =>
  (await app().admin.get("/v1/queue").expect(200)).body.jobs.map(({ name }: { name: string }) => name);

it("lists the waiting jobs by priority, then by age, at the places that the jobs say too, over GraphQL alike", async () => {
  expect(await order()).toEqual(["b", "a", "c"]);
  const query = `{ queue { length jobs { position jobId projectId name kind priority reason submittedAt } }
    job(id: "${jobs["c"]}") { queue { position } } }`;
  const { data } = (await app().admin.post("/graphql").send({ query })).body;
  expect(data.queue).toEqual((await app().admin.get("/v1/queue")).body);
  expect([data.queue.length, data.queue.jobs[2].position, data.job.queue.position]).toEqual([3, 3, 3]);
});

it("moves a job by its priority, over REST and GraphQL, and not once it has ended", async () => {
  const set = (name: string, priority: unknown) =>
    app().admin.put(`/v1/jobs/${jobs[name]}/priority`).send({ priority });
  expect((await set("c", 10).expect(200)).body.priority).toBe(10);
  expect(await order()).toEqual(["c", "b", "a"]);
  const query = `mutation($p: Int!) { setJobPriority(id: "${jobs["b"]}", priority: $p) { priority } }`;
  const mutate = async (p: number) => (await app().admin.post("/graphql").send({ query, variables: { p } })).body;
  expect((await mutate(1)).data.setJobPriority.priority).toBe(1);
  expect(await order()).toEqual(["c", "a", "b"]);
  expect((await mutate(11)).errors[0].extensions).toMatchObject({ code: "REQUEST_INVALID", pointer: "/priority" });
  for (const bad of [0, 11, 2.5, "5"]) expect((await set("a", bad)).body.code).toBe("REQUEST_INVALID");
  await app().admin.post(`/v1/jobs/${jobs["c"]}/cancel`).expect(202);
  expect((await set("c", 3)).body).toMatchObject({ code: "JOB_FINISHED" });
  expect(await order()).toEqual(["a", "b"]);
});

it("tells a key of another project how many wait, and nothing of them", async () => {
  const project = (await app().admin.post("/v1/projects").send({ name: "other" })).body.id;
  const authorization = await keyFor(app(), "editor", project);
  const seen = await app().anonymous.get("/v1/queue").set({ authorization }).expect(200);
  expect(seen.body).toEqual({ length: 2, jobs: [] });
  const other = app().anonymous.put(`/v1/jobs/${jobs["a"]}/priority`).set({ authorization });
  await other.send({ priority: 1 }).expect(404);
});

it("counts for each of seven days what was submitted, how long it waited and how long ranks were held", async () => {
  const { prisma } = app().services;
  const day = (ago: number) => new Date(new Date().setUTCHours(0, 0, 0, 0) - ago * 86_400_000);
  const at = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000);
  const owner = { projectId: "default", createdBy: "admin" };
  for (const [index, wait] of [10, 20, 90].entries()) {
    const createdAt = at(day(2), 3600 * index);
    const times = { createdAt, startedAt: at(createdAt, wait), finishedAt: at(createdAt, wait + 5) };
    await prisma.job.create({
      data: { id: `job_old${index}`, ...owner, kind: "train", name: "", state: "SUCCEEDED", spec: {}, ...times },
    });
  }
  // Two slots from two hours before midnight to one after it.
  const times = { startedAt: at(day(2), -7200), endedAt: at(day(2), 3600) };
  await prisma.heldTime.create({
    data: { id: "held_old", projectId: "default", jobId: "job_gone", stageId: "", slots: 2, devices: 0, ...times },
  });
  const query = "{ queueHistory { day submitted medianWaitSeconds longestWaitSeconds rankHours } }";
  const { queueHistory: history } = (await app().admin.post("/graphql").send({ query })).body.data;
  expect(history).toHaveLength(7);
  const empty = { submitted: 0, medianWaitSeconds: null, longestWaitSeconds: null };
  const name = (ago: number) => day(ago).toISOString().slice(0, 10);
  expect(history.slice(3)).toEqual([
    { ...empty, day: name(3), rankHours: 4 },
    { day: name(2), submitted: 3, medianWaitSeconds: 20, longestWaitSeconds: 90, rankHours: 2 },
    { ...empty, day: name(1), rankHours: 0 },
    { ...empty, day: name(0), submitted: 3, rankHours: 0 },
  ]);
  expect((await app().admin.get("/v1/queue/history").expect(200)).body.items).toEqual(history);
  const { items: two } = (await app().admin.get("/v1/queue/history?days=2").expect(200)).body;
  expect(two).toEqual(history.slice(5));
  const asked = await app().admin.post("/graphql").send({ query: "{ queueHistory(days: 2) { day } }" });
  expect(asked.body.data.queueHistory).toHaveLength(2);
  for (const days of [0, 91]) {
    await app().admin.get(`/v1/queue/history?days=${days}`).expect(400);
    const refused = await app()
      .admin.post("/graphql")
      .send({ query: `{ queueHistory(days: ${days}) { day } }` });
    expect(refused.body.errors[0].extensions).toMatchObject({ code: "REQUEST_INVALID", pointer: "/days" });
  }
  const project = (await app().admin.post("/v1/projects").send({ name: "elsewhere" })).body.id;
  const authorization = await keyFor(app(), "viewer", project);
  const seen = await app().anonymous.post("/graphql").set({ authorization }).send({ query });
  expect(
    seen.body.data.queueHistory.every(
      ({ rankHours, submitted }: { rankHours: number; submitted: number }) => rankHours + submitted === 0,
    ),
  ).toBe(true);
});
