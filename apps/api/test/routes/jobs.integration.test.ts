import { expect, it } from "vitest";
import { stringify } from "yaml";
import { describeEachDatabase } from "../support/each-database.ts";
import { createDataset, readyDataset } from "../support/fixtures.ts";

const specFor = (dataset: string) => ({ version: 1, kind: "train", dataset, task: { target: "label" } });

describeEachDatabase("submitting a job", {}, (app) => {
  it("freezes the dataset's version and stores the spec with every default", async () => {
    const dataset = await readyDataset(app());
    const answer = await app().admin.post("/v1/jobs").send(specFor(dataset));
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe(`/v1/jobs/${answer.body.id}`);
    expect(answer.body).toMatchObject({
      state: "QUEUED",
      kind: "train",
      spec: { dataset: `${dataset}@1`, model: { type: "sage" }, train: { epochs: 50, batchSize: 1024 } },
    });
    const job = await app().admin.get(`/v1/jobs/${answer.body.id}`);
    const steps = job.body.stages.map(({ kind }: { kind: string }) => kind);
    expect(steps).toEqual(["partition", "train", "infer", "remap", "project", "export"]);
  });

  it("refuses fanouts that do not suit the model's hops, and asks nothing of a model without hops", async () => {
    const spec = specFor(await readyDataset(app()));
    const model = { type: "sage", options: { numLayers: 3 } };
    const { body } = await app()
      .admin.post("/v1/jobs")
      .send({ ...spec, model });
    const place = { pointer: "/sampling/options/fanouts" };
    expect(body).toMatchObject({ status: 422, code: "JOB_SPEC_INVALID", ...place });
    expect(body.detail).toMatch(/2 entries and the model 3 hops/);
    const sampling = { type: "neighbor", options: { fanouts: [5, 5, 5] } };
    const fitting = { ...spec, model, sampling };
    await app().admin.post("/v1/jobs").send(fitting).expect(202);
    await app()
      .admin.post("/v1/jobs")
      .send({ ...spec, model: { type: "mlp" }, sampling })
      .expect(202);
  });

  it("takes YAML as it takes JSON", async () => {
    const dataset = await readyDataset(app());
    const body = stringify(specFor(dataset));
    const answer = await app().admin.post("/v1/jobs").set("content-type", "application/yaml").send(body);
    expect(answer.status).toBe(202);
    expect(answer.body.spec.task.target).toBe("label");
  });

  it("makes one job of repeats with one idempotency key, also at the same time", async () => {
    const spec = specFor(await readyDataset(app()));
    const submit = () => app().admin.post("/v1/jobs").set("idempotency-key", `key-${spec.dataset}`).send(spec);
    const answers = await Promise.all([submit(), submit(), submit()]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const other = await app()
      .admin.post("/v1/jobs")
      .set("idempotency-key", `key-${spec.dataset}`)
      .send({ ...spec, name: "another" });
    expect(other.body).toMatchObject({ status: 409, code: "REQUEST_CONFLICT" });
  });

  it("is the same by GraphQL, which then shows the job", async () => {
    const spec = specFor(await readyDataset(app()));
    const submit =
      "mutation($spec: JobSpecInput!, $key: String) { submitJob(spec: $spec, idempotencyKey: $key) { id state } }";
    const variables = { spec, key: `graphql-${spec.dataset}` };
    const first = await app().admin.post("/graphql").send({ query: submit, variables });
    const again = await app().admin.post("/graphql").send({ query: submit, variables });
    expect(again.body.data.submitJob.id).toBe(first.body.data.submitJob.id);
    const query = `query($id: ID!) { job(id: $id) {
      name kind state cursor attempt queue { position } createdBy { name } project { id }
      dataset { ref graph { numNodes numEdges idType splits { split count } labelCounts { label count } } report { rowsRead } }
      stages { index kind state cached } attempts { number } incidents { code } ranks { rank } series { name }
      estimate { fits ranks memoryBytes } logs { lines { message } endCursor } checkpoints { id } artifacts { id }
      embeddings { id } predictions { id } partition { numParts } model { id } problem { code }
    } }`;
    const { body } = await app()
      .admin.post("/graphql")
      .send({ query, variables: { id: first.body.data.submitJob.id } });
    expect(body.errors).toBeUndefined();
    expect(body.data.job).toMatchObject({
      state: "QUEUED",
      attempt: 0,
      createdBy: { name: "admin" },
      dataset: {
        ref: `${spec.dataset}@1`,
        graph: { numNodes: 4, numEdges: 6, idType: "STRING" },
        report: { rowsRead: 3 },
      },
      estimate: { fits: true, ranks: 1 },
      embeddings: null,
      problem: null,
    });
    expect(body.data.job.stages).toHaveLength(6);
    const jobs =
      "{ jobs(filter: { states: [QUEUED] }, first: 1) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { id } } } }";
    const page = await app().admin.post("/graphql").send({ query: jobs });
    expect(page.body.data.jobs.edges).toHaveLength(1);
    expect(page.body.data.jobs.pageInfo.hasNextPage).toBe(true);
  });

  it("can be cancelled while it waits, once", async () => {
    const spec = specFor(await readyDataset(app()));
    const { body } = await app().admin.post("/v1/jobs").send(spec);
    const cancelled = await app().admin.post(`/v1/jobs/${body.id}/cancel`);
    expect(cancelled.body).toMatchObject({ state: "CANCELLED" });
    await app().services.prisma.job.update({ where: { id: body.id }, data: { state: "SUCCEEDED" } });
    expect((await app().admin.post(`/v1/jobs/${body.id}/cancel`)).body.code).toBe("JOB_FINISHED");
  });

  it("can be run again once it has ended: from its last checkpoint or anew, and with more time or epochs", async () => {
    const { prisma } = app().services;
    const spec = { ...specFor(await readyDataset(app())), name: "first", train: { epochs: 20 } };
    const { body: job } = await app().admin.post("/v1/jobs").send(spec);
    const retry = (body: object, key?: string) =>
      app()
        .admin.post(`/v1/jobs/${job.id}/retry`)
        .set(key === undefined ? {} : { "idempotency-key": key })
        .send(body);
    expect((await retry({})).body).toMatchObject({
      code: "REQUEST_CONFLICT",
      detail: expect.stringContaining("QUEUED"),
    });
    await prisma.job.update({ where: { id: job.id }, data: { state: "FAILED" } });
    const anew = await retry({});
    expect(anew.status).toBe(202);
    expect(anew.body.spec, "without a checkpoint it begins anew").toEqual(job.spec);

    const checkpoint = `${job.id}-checkpoint`;
    const place = { jobId: job.id, attempt: 1, stageIndex: 1, epoch: 12, step: 12 };
    const owner = { projectId: job.projectId, createdBy: "admin" };
    const content = { kind: "checkpoint", prefix: checkpoint, digest: "0".repeat(64), bytes: 1n, info: {}, blobs: [] };
    await prisma.artifact.create({ data: { id: checkpoint, ...owner, ...place, ...content } });
    const longer = await retry({ epochs: 40, maxDuration: "PT6H" }, `retry-${job.id}`);
    expect(longer.body.spec).toEqual({
      ...job.spec,
      train: { ...job.spec.train, epochs: 40 },
      resources: { ...job.spec.resources, maxDuration: "PT6H" },
      continueFrom: checkpoint,
    });
    const repeated = await retry({ epochs: 40, maxDuration: "PT6H" }, `retry-${job.id}`);
    expect(repeated.body.id, "one key makes one job").toBe(longer.body.id);
    expect((await retry({ from: "start" })).body.spec).toEqual(job.spec);
    expect((await retry({ epochs: 5 })).body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/train/epochs" });
    expect((await retry({ epochs: 0 })).body).toMatchObject({ code: "REQUEST_INVALID" });

    // Any field: what has no say in the weights while it goes on, and all else when it begins anew.
    const outputs = { embeddings: { formats: ["csv"] } };
    const changed = await retry({ changes: { outputs, tags: { team: "x" }, continueFrom: null } });
    expect(changed.body.spec).toMatchObject({ outputs, tags: { team: "x" } });
    expect(changed.body.spec).not.toHaveProperty("continueFrom");
    expect((await retry({ changes: { outputs } })).body.spec).toMatchObject({ outputs, continueFrom: checkpoint });
    const wider = { changes: { model: { options: { hiddenFeats: 8 } } } };
    expect((await retry(wider)).body).toMatchObject({
      code: "JOB_SPEC_INVALID",
      pointer: "/model/options/hiddenFeats",
      detail: expect.stringContaining("or begin anew"),
    });
    expect((await retry({ ...wider, from: "start" })).body.spec).toEqual({
      ...job.spec,
      model: { ...job.spec.model, options: { ...job.spec.model.options, hiddenFeats: 8 } },
    });
    expect((await retry({ changes: { kind: "infer" } })).body).toMatchObject({ pointer: "/changes/kind" });
    expect((await retry({ changes: { train: { epochs: "many" } } })).body).toMatchObject({ pointer: "/train/epochs" });
    const estimated = await app()
      .admin.post("/v1/jobs/estimate")
      .send({ ...job.spec, continueFrom: checkpoint });
    expect(estimated.body.stages.slice(0, 3)).toEqual([
      { kind: "partition", fate: "anew", epoch: null },
      { kind: "train", fate: "continued", epoch: 12 },
      { kind: "infer", fate: "anew", epoch: null },
    ]);

    const query = `mutation($id: ID!, $epochs: Int) { retryJob(id: $id, epochs: $epochs, from: START) { spec } }`;
    const ask = (epochs: number) =>
      app()
        .admin.post("/graphql")
        .send({ query, variables: { id: job.id, epochs } });
    expect((await ask(30)).body.data.retryJob.spec).toMatchObject({ train: { epochs: 30 } });
    expect((await ask(0)).body.errors[0].extensions.code).toBe("REQUEST_INVALID");
  });

  it("goes on only from a checkpoint of its own project that was made in the same way", async () => {
    const { prisma } = app().services;
    const spec = specFor(await readyDataset(app()));
    const { body: job } = await app().admin.post("/v1/jobs").send(spec);
    const continueFrom = `${job.id}-made`;
    const place = { jobId: job.id, attempt: 1, stageIndex: 1, epoch: 3, step: 3 };
    const content = {
      kind: "checkpoint",
      prefix: continueFrom,
      digest: "0".repeat(64),
      bytes: 1n,
      info: {},
      blobs: [],
    };
    const owner = { projectId: job.projectId, createdBy: "admin" };
    await prisma.artifact.create({ data: { id: continueFrom, ...owner, ...place, ...content } });
    const submit = (change: object) =>
      app()
        .admin.post("/v1/jobs")
        .send({ ...spec, continueFrom, ...change });
    expect((await submit({ name: "another", priority: 9 })).status).toBe(202);
    const refused = async (change: object) => (await submit(change)).body;
    const invalid = { status: 422, code: "JOB_SPEC_INVALID" };
    expect(await refused({ model: { type: "gcn" } })).toMatchObject({
      ...invalid,
      pointer: "/model/type",
    });
    expect(await refused({ train: { seed: 7 } })).toMatchObject({ ...invalid, pointer: "/train/seed" });
    const schedule = { type: "cosine" };
    expect(await refused({ train: { schedule } })).toMatchObject({ ...invalid, pointer: "/train/schedule/type" });
    expect(await refused({ continueFrom: "art_unknown" })).toMatchObject({ ...invalid, pointer: "/continueFrom" });
    const elsewhere = await readyDataset(app());
    expect((await refused({ dataset: elsewhere })).detail).toContain("another dataset");
    await prisma.artifact.update({ where: { id: continueFrom }, data: { deletedAt: new Date() } });
    expect((await refused({})).detail).toContain("not stored any more");
  });

  it("keeps its dataset from being deleted until it has ended", async () => {
    const dataset = await readyDataset(app());
    const { body } = await app().admin.post("/v1/jobs").send(specFor(dataset));
    expect((await app().admin.delete(`/v1/datasets/${dataset}`)).body.code).toBe("REQUEST_CONFLICT");
    await app().admin.post(`/v1/jobs/${body.id}/cancel`);
    expect((await app().admin.delete(`/v1/datasets/${dataset}`)).status).toBe(204);
    expect((await app().admin.get(`/v1/datasets/${dataset}`)).status).toBe(404);
  });

  it("is refused when every worker is too small, naming both sizes", async () => {
    const dataset = await readyDataset(app());
    const announcement = { memoryBytes: 1000, slots: 1, devices: [], running: [] };
    const columns = { bootId: "b", host: "small", version: "0", build: "0", contract: 1, compatible: true };
    const worker = { id: "small", ...columns, announcement, lastSeen: new Date() };
    await app().services.prisma.worker.create({ data: worker });
    const answer = await app().admin.post("/v1/jobs").send(specFor(dataset));
    expect(answer.body).toMatchObject({ status: 422, code: "JOB_TOO_LARGE", pointer: "/resources" });
    const estimate = await app().admin.post("/v1/jobs/estimate").send(specFor(dataset));
    expect(estimate.body).toMatchObject({ fits: false, ranks: 1 });
    await app().services.prisma.worker.delete({ where: { id: "small" } });
  });

  const wrong = [
    { what: "no target", change: { task: {} }, pointer: "/task/target" },
    { what: "an unknown section", change: { trian: {} }, pointer: "/trian" },
    { what: "a text for epochs", change: { train: { epochs: "many" } }, pointer: "/train/epochs" },
    { what: "an unknown model", change: { model: { type: "sgae" } }, pointer: "/model/type" },
    {
      what: "a model option out of range",
      change: { model: { type: "sage", options: { numLayers: 0 } } },
      pointer: "/model/options/numLayers",
    },
    { what: "another label column", change: { task: { target: "colour" } }, pointer: "/task/target" },
    {
      what: "an unknown further step",
      change: { outputs: { steps: [{ type: "nope" }] } },
      pointer: "/outputs/steps/0/type",
    },
  ];

  it.each(wrong)("with $what is JOB_SPEC_INVALID at $pointer", async ({ change, pointer }) => {
    const spec = { ...specFor(await readyDataset(app())), ...change };
    const answer = await app().admin.post("/v1/jobs").send(spec);
    expect(answer.body).toMatchObject({ status: 422, code: "JOB_SPEC_INVALID", pointer });
    const query = "mutation($spec: JobSpecInput!) { submitJob(spec: $spec) { id } }";
    const graphql = await app().admin.post("/graphql").send({ query, variables: { spec } });
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: "JOB_SPEC_INVALID", pointer });
    expect(await app().services.prisma.job.count({ where: { datasetVersion: { datasetId: spec.dataset } } })).toBe(0);
  });

  it("on a dataset that is not READY, or not there, says so", async () => {
    const answer = await app()
      .admin.post("/v1/jobs")
      .send(specFor(await createDataset(app())));
    expect(answer.body).toMatchObject({ status: 409, code: "DATASET_NOT_READY", pointer: "/dataset" });
    expect((await app().admin.post("/v1/jobs").send(specFor("ds_nope"))).body.code).toBe("REQUEST_NOT_FOUND");
  });
});
