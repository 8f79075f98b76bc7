import { beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";
import { succeed } from "./support/succeed.ts";

const app = useApp();

describe("sweeps", () => {
  let dataset: string;
  beforeAll(async () => {
    dataset = await readyDataset(app());
  });

  const spec = (changes: object = {}) => ({
    version: 1,
    kind: "train",
    dataset,
    task: { target: "label" },
    ...changes,
  });
  const submit = (request: object, key?: string) => {
    const sent = app().admin.post("/v1/sweeps");
    return (key === undefined ? sent : sent.set("idempotency-key", key)).send({ spec: spec(), ...request });
  };
  const grid = { "train.optimizer.options.lr": [0.1, 0.01], "model.type": ["sage", "gcn"] };
  const read = async (id: string) => (await app().admin.get(`/v1/sweeps/${id}`).expect(200)).body;
  const jobsOf = async (id: string) =>
    (await app().admin.get(`/v1/jobs?sweep=${id}&sort=submitted`).expect(200)).body.items;

  it("are the settings of a grid with each seed: ordinary jobs, in their order", async () => {
    const { body } = await submit({ name: "first", grid, seeds: [3, 5] }).expect(202);
    expect(body).toMatchObject({
      name: "first",
      dataset: `${dataset}@1`,
      datasetName: "cora",
      numSettings: 4,
      counts: { jobs: 8, waiting: 8, running: 0, succeeded: 0, failed: 0, cancelled: 0 },
      finishedAt: null,
    });
    const jobs = await jobsOf(body.id);
    expect(jobs).toHaveLength(8);
    expect(jobs[0]).toMatchObject({
      name: "first · lr 0.1, type sage · seed 3",
      sweepId: body.id,
      state: "QUEUED",
      modelType: "sage",
      spec: { model: { type: "sage" }, train: { seed: 3, optimizer: { options: { lr: 0.1 } } } },
      estimate: { ranks: 1 },
    });
    expect(jobs[7]).toMatchObject({
      modelType: "gcn",
      spec: { train: { seed: 5, optimizer: { options: { lr: 0.01 } } } },
    });
    const stages = (await app().admin.get(`/v1/jobs/${jobs[7].id}`)).body.stages;
    expect(stages.map(({ kind }: { kind: string }) => kind)).toEqual([
      "partition",
      "train",
      "infer",
      "remap",
      "project",
      "export",
    ]);
  });

  it("are sent again under their key as often as one likes, and are there once", async () => {
    const request = { name: "again", grid, seeds: [0] };
    const [one, two] = await Promise.all([submit(request, "key-1"), submit(request, "key-1")]);
    expect([one.status, two.status]).toEqual([202, 202]);
    expect(two.body.id).toBe(one.body.id);
    expect(await jobsOf(one.body.id)).toHaveLength(4);
    const other = await submit({ ...request, seeds: [1] }, "key-1");
    expect([other.status, other.body.code]).toEqual([409, "REQUEST_CONFLICT"]);
  });

  it("are refused whole, with the setting and the place in the request", async () => {
    const before = await app().services.prisma.job.count();
    const bad = await submit({ grid: { "model.type": ["sage", "nothing"] } });
    expect(bad.body).toMatchObject({ status: 422, code: "JOB_SPEC_INVALID", pointer: "/spec/model/type" });
    expect(bad.body.detail).toMatch(/^With type nothing: /);
    const many = await submit({ grid: { "train.epochs": Array.from({ length: 201 }, (_, i) => i + 1) } });
    expect([many.status, many.body.code]).toEqual([400, "REQUEST_INVALID"]);
    const tasks = { "task.type": ["nodeClassification", "deepGraphInfomax"] };
    expect((await submit({ spec: { ...spec(), task: {} }, grid: tasks })).status).toBe(422);
    expect(await app().services.prisma.job.count()).toBe(before);
    expect(await app().services.prisma.sweep.count({ where: { name: "sage on cora" } })).toBe(0);
  });

  it("need room in the project's queue for all of their jobs", async () => {
    const { body: project } = await app().admin.post("/v1/projects").send({ name: "narrow" }).expect(201);
    const { prisma } = app().services;
    await prisma.project.update({ where: { id: project.id }, data: { maxWaitingJobs: 3 } });
    const version = await prisma.datasetVersion.findFirstOrThrow({ where: { datasetId: dataset } });
    await prisma.dataset.create({ data: { id: "ds_narrow", projectId: project.id, name: "n", createdBy: "admin" } });
    const { id: _id, graphId: _graph, ...columns } = version;
    const graph = await prisma.artifact.findUniqueOrThrow({ where: { id: version.graphId ?? "" } });
    await prisma.artifact.create({
      data: { ...graph, id: "art_narrow", prefix: "narrow", projectId: project.id } as never,
    });
    const data = { ...columns, id: "dv_narrow", datasetId: "ds_narrow", projectId: project.id, graphId: "art_narrow" };
    await prisma.datasetVersion.create({ data: data as never });
    const ask = (seeds: number[]) => submit({ spec: spec({ project: project.id, dataset: "ds_narrow" }), seeds });
    const refused = await ask([0, 1, 2, 3]);
    expect(refused.body).toMatchObject({ code: "PROJECT_QUEUE_FULL" });
    expect(refused.body.detail).toMatch(/There is no room for 4 more: submit fewer at once/);
    expect(await prisma.job.count({ where: { projectId: project.id } })).toBe(0);
    expect((await ask([0, 1, 2])).status).toBe(202);
  });

  it("tell mean and deviation of each setting, and which is best and why; it is promoted with its reason", async () => {
    const { body } = await submit({ name: "judged", grid: { "model.type": ["sage", "gcn"] }, seeds: [0, 1] });
    expect((await app().admin.post(`/v1/sweeps/${body.id}/promote`).send({ name: "early" })).body.code).toBe(
      "REQUEST_CONFLICT",
    );
    const figures = [
      [0.6, 0.5],
      [0.8, 0.6],
      [0.72, 0.9],
      [0.7, 0.8],
    ] as const;
    const jobs = await jobsOf(body.id);
    for (const [i, [validation, test]] of figures.entries()) await succeed(app(), jobs[i].id, validation, test);
    const summed = await read(body.id);
    expect(summed).toMatchObject({ metric: "accuracy", direction: "max", counts: { succeeded: 4 }, seeds: [0, 1] });
    expect(summed.finishedAt).not.toBeNull();
    expect(summed.settings).toMatchObject([
      {
        changes: { "model.type": "sage" },
        validation: { mean: expect.closeTo(0.7, 9), deviation: expect.closeTo(Math.sqrt(0.02), 9) },
      },
      { changes: { "model.type": "gcn" }, test: { mean: expect.closeTo(0.85, 9), count: 2 } },
    ]);
    expect(summed.best).toMatchObject({
      setting: 1,
      jobId: jobs[2].id,
      reason: expect.stringMatching(/^The best of 2 settings by accuracy on the validation set is type gcn:/),
    });
    const { body: version } = await app()
      .admin.post(`/v1/sweeps/${body.id}/promote`)
      .send({ name: "winner", stage: "production" })
      .expect(201);
    expect(version).toMatchObject({
      ref: "winner@1",
      jobId: jobs[2].id,
      stage: "production",
      note: summed.best.reason,
    });
    const query = `{ sweep(id: "${body.id}") {
      sweep { id projectId createdBy name dataset datasetName numSettings counts { jobs waiting running succeeded failed cancelled }
        createdAt finishedAt spec grid seeds metric direction search { budgetSeconds hasEnded decisions } }
      settings { index changes title validation { mean deviation count } test { mean deviation count } trials { jobId seed state validation test } }
      best { setting jobId reason }
    } sweeps(first: 100) { nodes { id } } }`;
    const { body: answer } = await app().admin.post("/graphql").send({ query });
    expect(answer.errors).toBeUndefined();
    const { sweep, ...facts } = answer.data.sweep;
    expect({ ...sweep, ...facts }).toEqual(summed);
    const { body: list } = await app().admin.get("/v1/sweeps").expect(200);
    expect(answer.data.sweeps.nodes.map(({ id }: { id: string }) => id)).toEqual(
      list.items.map(({ id }: { id: string }) => id),
    );
  });

  it("are cancelled and deleted as a whole", async () => {
    const { body } = await submit({ name: "gone", grid });
    const refused = await app().admin.delete(`/v1/sweeps/${body.id}`);
    expect([refused.status, refused.body.code]).toEqual([409, "REQUEST_CONFLICT"]);
    for (let i = 0; i < 2; i++) {
      const { body: cancelled } = await app().admin.post(`/v1/sweeps/${body.id}/cancel`).send({}).expect(202);
      expect(cancelled.counts).toMatchObject({ jobs: 4, cancelled: 4 });
    }
    const [job] = await jobsOf(body.id);
    await app().admin.delete(`/v1/sweeps/${body.id}`).expect(204);
    await app().admin.get(`/v1/sweeps/${body.id}`).expect(404);
    await app().admin.get(`/v1/jobs/${job.id}`).expect(404);
  });

  it("are not there for keys of other projects, and viewers only look at them", async () => {
    const { body } = await submit({ name: "ours" });
    const { body: others } = await app().admin.post("/v1/projects").send({ name: "others" }).expect(201);
    const stranger = await keyFor(app(), "editor", others.id);
    const viewer = await keyFor(app(), "viewer");
    const ask = (method: "GET" | "POST" | "DELETE", url: string, key: string) =>
      app().server.inject({ method, url, headers: { authorization: key }, ...(method === "POST" && { payload: {} }) });
    const url = `/v1/sweeps/${body.id}`;
    expect((await ask("GET", url, stranger)).statusCode).toBe(404);
    expect((await ask("POST", `${url}/cancel`, stranger)).statusCode).toBe(404);
    expect((await ask("GET", url, viewer)).statusCode).toBe(200);
    expect((await ask("POST", `${url}/cancel`, viewer)).statusCode).toBe(403);
    expect((await ask("DELETE", url, viewer)).statusCode).toBe(403);
  });

  it("are made over GraphQL as over REST", async () => {
    const query = `mutation ($spec: JobSpecInput!, $grid: JSON) {
      submitSweep(name: "by graphql", spec: $spec, grid: $grid, seeds: [7], idempotencyKey: "g") { id numSettings seeds }
    }`;
    const variables = { spec: spec(), grid };
    const { body } = await app().admin.post("/graphql").send({ query, variables });
    const { id } = body.data.submitSweep;
    expect(body.data.submitSweep).toMatchObject({ numSettings: 4, seeds: [7] });
    const more = `mutation { cancelSweep(id: "${id}") { counts { cancelled } } deleteSweep(id: "${id}") }`;
    const { body: ended } = await app().admin.post("/graphql").send({ query: more });
    expect(ended.data).toEqual({ cancelSweep: { counts: { cancelled: 4 } }, deleteSweep: true });
  });
});
