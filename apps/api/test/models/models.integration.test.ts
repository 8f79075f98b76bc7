import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { dropDeletedDatasets, markUnreferenced } from "../../src/artifacts/drop-references.ts";
import { changeJob } from "../../src/job-state/job-store.ts";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
const owner = { projectId: "default", createdBy: "admin" };
let dataset: string;

beforeAll(async () => {
  dataset = await readyDataset(app());
});

/** A training job whose stages have ended, with a model; the job itself ends when it is told to. */
async function trainedJob(spec: object = {}, learned: object = {}): Promise<{ id: string; artifactId: string }> {
  const { prisma } = app().services;
  const body = { version: 1, kind: "train", dataset, task: { target: "label" }, ...spec };
  const { id } = (await app().admin.post("/v1/jobs").send(body).expect(202)).body;
  const artifactId = `art_model_${id}`;
  const info = { model: { type: "sage", options: {} }, metrics: { "test/accuracy": 0.75 }, epochs: 4, ...learned };
  const blobs = [{ name: "model.safetensors", bytes: 8, sha256: "2".repeat(64) }];
  await prisma.artifact.create({
    data: {
      id: artifactId,
      ...owner,
      jobId: id,
      kind: "model",
      prefix: id,
      digest: "1".repeat(64),
      bytes: 8n,
      info,
      blobs,
    },
  });
  const done = { state: "SUCCEEDED", outputId: artifactId } as const;
  await prisma.stage.updateMany({ where: { jobId: id, kind: "train" }, data: done });
  return { id, artifactId };
}

async function succeed(jobId: string): Promise<void> {
  const at = new Date();
  await changeJob(app().services.prisma, jobId, (run) => {
    run.changeJob({ state: "SUCCEEDED", finishedAt: at });
    run.record({ type: "JobStateChanged", body: { state: "SUCCEEDED", problem: null } }, at);
  });
}

async function keptModel(
  name: string,
  spec: object = {},
  learned: object = {},
): Promise<{ id: string; modelId: string; ref: string; job: string; artifactId: string }> {
  const { id: job, artifactId } = await trainedJob(spec, learned);
  await succeed(job);
  const { body } = await app().admin.post("/v1/models").send({ name, job }).expect(201);
  return { ...body, job, artifactId };
}

const infer = (changes: object) =>
  app()
    .admin.post("/v1/jobs")
    .send({ version: 1, kind: "infer", dataset, ...changes });

describe("models that are kept under a name", () => {
  it("get a version from each job, once, and tell what they were made of", async () => {
    const first = await keptModel("papers");
    const again = await app().admin.post("/v1/models").send({ name: "papers", job: first.job }).expect(201);
    expect(again.body.id).toBe(first.id);
    const second = await keptModel("papers");
    expect([first.ref, second.ref]).toEqual(["papers@1", "papers@2"]);
    const { body } = await app().admin.get(`/v1/model-versions/${first.id}`).expect(200);
    expect(body).toMatchObject({
      ref: "papers@1",
      stage: "candidate",
      dataset: `${dataset}@1`,
      modelType: "sage",
      metrics: { "test/accuracy": 0.75 },
      trainedOn: { features: { kind: "dense", dim: 3 }, classes: ["a", "b"], numNodes: 4 },
      files: [{ name: "model.safetensors", url: `/v1/artifacts/${first.artifactId}?blob=model.safetensors` }],
      spec: { kind: "train", task: { target: "label" } },
    });
  });

  it("are the same over GraphQL, field by field", async () => {
    const { id, modelId } = await keptModel("twins");
    const version = `id projectId modelId name number ref note jobId dataset datasetName modelType metrics bytes
      createdBy createdAt stageChangedAt`;
    const query = `{
      modelCard(version: "${id}") {
        artifactId digest info spec usedBy
        version { ${version} }
        trainedOn { features { kind dim columns } classes targets directed hasWeights nodeTypes edgeTypes numNodes numEdges }
        files { name bytes sha256 url }
      }
      registeredModel(id: "${modelId}") { id projectId name createdBy createdAt versions { ${version} } }
      registeredModels(name: "twins") { totalCount nodes { id } }
    }`;
    const { body: answer } = await app().admin.post("/graphql").send({ query });
    expect(answer.errors).toBeUndefined();
    const { modelCard, registeredModel, registeredModels } = answer.data;
    const { body: card } = await app().admin.get(`/v1/model-versions/${id}`);
    const { version: shown, ...facts } = modelCard;
    expect(card).toMatchObject({ ...shown, ...facts });
    expect((await app().admin.get(`/v1/models/${modelId}`)).body).toMatchObject(registeredModel);
    expect(registeredModels).toEqual({ totalCount: 1, nodes: [{ id: modelId }] });
    const promote = `mutation { changeModelVersion(id: "${id}", stage: PRODUCTION, note: "best") { stage note } }`;
    const { body: changed } = await app().admin.post("/graphql").send({ query: promote });
    expect(changed.data.changeModelVersion).toEqual({ stage: "PRODUCTION", note: "best" });
    const remove = `mutation { deleteModelVersion(id: "${id}") deleteRegisteredModel(id: "${modelId}") }`;
    const { body: removed } = await app().admin.post("/graphql").send({ query: remove });
    expect(removed.data).toEqual({ deleteModelVersion: true, deleteRegisteredModel: true });
    await app().admin.get(`/v1/models/${modelId}`).expect(404);
  });

  it("are made when a job succeeds whose spec says so, in the same transaction", async () => {
    const { id } = await trainedJob({ outputs: { model: "nightly" } });
    const list = async () => (await app().admin.get("/v1/models?name=nightly").expect(200)).body.items;
    expect(await list()).toEqual([]);
    await succeed(id);
    expect((await list())[0].versions).toMatchObject([{ ref: "nightly@1", jobId: id }]);
  });

  it("are not made of a job that has not succeeded, or is no training job", async () => {
    const { id: job } = await trainedJob();
    const refused = await app().admin.post("/v1/models").send({ name: "early", job });
    expect([refused.status, refused.body.code]).toEqual([409, "REQUEST_CONFLICT"]);
    const { ref } = await keptModel("applied");
    const { id } = (await infer({ model: ref }).expect(202)).body;
    expect((await app().admin.post("/v1/models").send({ name: "x", job: id })).body.code).toBe("JOB_WITHOUT_RESULTS");
  });

  it("have one version in production: the one before it is archived", async () => {
    const first = await keptModel("promoted");
    const second = await keptModel("promoted");
    const promote = (id: string) =>
      app().admin.put(`/v1/model-versions/${id}`).send({ stage: "production" }).expect(200);
    await promote(first.id);
    await promote(second.id);
    const { body } = await app().admin.get(`/v1/models/${first.modelId}`).expect(200);
    expect(body.versions.map(({ stage }: { stage: string }) => stage)).toEqual(["production", "archived"]);
  });

  it("are named by an infer job as the version in production, else the newest candidate", async () => {
    const [first, second] = [await keptModel("chosen"), await keptModel("chosen")];
    const modelOf = async (model: string) => (await infer({ model }).expect(202)).body.spec.model;
    expect(await modelOf("chosen")).toBe("chosen@2");
    await app().admin.put(`/v1/model-versions/${first.id}`).send({ stage: "production" }).expect(200);
    expect(await modelOf("chosen")).toBe("chosen@1");
    expect(await modelOf("chosen@2")).toBe("chosen@2");
    for (const { id } of [first, second]) await app().admin.put(`/v1/model-versions/${id}`).send({ stage: "archived" });
    expect((await infer({ model: "chosen" })).body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/model" });
  });

  it("do not get the number of a version that was deleted", async () => {
    const { id } = await keptModel("numbered");
    await app().admin.delete(`/v1/model-versions/${id}`).expect(204);
    expect((await keptModel("numbered")).ref).toBe("numbered@2");
  });

  it("do not exist for the key of another project", async () => {
    const { id, modelId, ref } = await keptModel("private");
    await app().admin.post("/v1/projects").send({ name: "others" }).expect(201);
    const project = (await app().services.prisma.project.findUniqueOrThrow({ where: { name: "others" } })).id;
    const authorization = await keyFor(app(), "admin", project);
    const ask = (method: "GET" | "DELETE", url: string) =>
      app().server.inject({ method, url, headers: { authorization } });
    for (const url of [`/v1/models/${modelId}`, `/v1/model-versions/${id}`]) {
      expect((await ask("GET", url)).statusCode).toBe(404);
      expect((await ask("DELETE", url)).statusCode).toBe(404);
    }
    expect((await ask("GET", "/v1/models")).json().items).toEqual([]);
    const spec = { version: 1, kind: "infer", model: ref, dataset };
    const submitted = await app().server.inject({
      method: "POST",
      url: "/v1/jobs",
      headers: { authorization },
      payload: spec,
    });
    expect(submitted.statusCode).toBe(404);
  });
});

describe("a job that applies a model", () => {
  it("has the stages of a training job with the stored model in place of train", async () => {
    const { ref, artifactId } = await keptModel("staged");
    const { id } = (await infer({ model: ref }).expect(202)).body;
    const { body } = await app().admin.get(`/v1/jobs/${id}`).expect(200);
    expect(body.stages.map(({ kind }: { kind: string }) => kind)).toEqual([
      "partition",
      "infer",
      "remap",
      "project",
      "export",
    ]);
    expect(body).toMatchObject({ kind: "infer", name: `${ref} on cora`, modelType: "sage", datasetName: "cora" });
    const row = await app().services.prisma.job.findUniqueOrThrow({ where: { id } });
    expect(row.modelArtifactId).toBe(artifactId);
  });

  it("finds learned rows by id before it infers, and tells of which nodes there are none", async () => {
    const features = { embedding: { dim: 4 } };
    const names = { count: 4, idType: "string", nodeTypes: [] };
    const { ref } = await keptModel("rows", { features }, { learnedRows: { nodes: names, types: null } });
    const { id } = (await infer({ model: ref }).expect(202)).body;
    const read = async () => (await app().admin.get(`/v1/jobs/${id}`).expect(200)).body;
    const before = await read();
    const kinds = before.stages.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(0, 3)).toEqual(["partition", "matchRows", "infer"]);
    expect(before.learnedRows).toBeNull();
    const { prisma } = app().services;
    const counts = { numNodes: 4, numKnown: 2, numUnseen: 2, numUnused: 2 };
    const info = { ...counts, unseenIds: ["n3", "n4"], withoutRow: "features" };
    const row = { kind: "matchedRows", prefix: id, digest: "4".repeat(64), bytes: 8n, info, blobs: [] };
    const artifact = await prisma.artifact.create({ data: { id: `art_rows_${id}`, ...owner, jobId: id, ...row } });
    await prisma.stage.updateMany({ where: { jobId: id, kind: "matchRows" }, data: { outputId: artifact.id } });
    const { learnedRows } = await read();
    expect(learnedRows).toEqual({
      known: 2,
      unseen: 2,
      unseenIds: ["n3", "n4"],
      text: expect.stringContaining("no learned row of 2 nodes (n3, n4)"),
      url: `/v1/artifacts/${artifact.id}?blob=unseen.csv`,
    });
  });

  it("is refused where an earlier release has kept learned rows without saying whose they are", async () => {
    const { ref } = await keptModel("nameless", { features: { embedding: { dim: 4 } } });
    const { body } = await infer({ model: ref }).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/model" });
    expect(body.detail).toMatch(/a learned row for each node .* earlier release trained it\. Train it again/);
  });

  it("is refused with its place where the graph does not fit, and when there is no such version", async () => {
    const { ref, id } = await keptModel("fitting");
    const { prisma } = app().services;
    const { trainedOn } = await prisma.modelVersion.findUniqueOrThrow({ where: { id } });
    const features = { kind: "dense", dim: 5, columns: null };
    await prisma.modelVersion.update({ where: { id }, data: { trainedOn: { ...(trainedOn as object), features } } });
    const { body } = await infer({ model: ref }).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer: "/dataset" });
    expect(body.detail).toMatch(/reads 5 feature columns and the graph has 3/);
    const { status, body: unknown } = await infer({ model: "fitting@9" });
    expect([status, unknown.detail]).toEqual([404, 'The model "fitting" has no version 9; there is fitting@1.']);
    expect((await infer({ model: ref, dataset: `${dataset}@9` })).body.detail).toBe(
      `The dataset "${dataset}" has no version 9; there is ${dataset}@1.`,
    );
    expect((await infer({ model: "nobody" })).status).toBe(404);
  });

  it("keeps the model until it has ended, whatever becomes of the version and of the job that trained it", async () => {
    const { ref, id, job, artifactId } = await keptModel("kept");
    const applied = (await infer({ model: ref }).expect(202)).body.id;
    await app().admin.delete(`/v1/model-versions/${id}`).expect(204);
    await app().admin.delete(`/v1/jobs/${job}`).expect(204);
    const { prisma } = app().services;
    const isKept = async () => {
      await prisma.$transaction(async (tx) => {
        await dropDeletedDatasets(tx, new Date());
        await markUnreferenced(tx, new Date());
      });
      const { deletedAt } = await prisma.artifact.findUniqueOrThrow({ where: { id: artifactId } });
      return deletedAt === null;
    };
    expect(await isKept()).toBe(true);
    await succeed(applied);
    expect(await isKept()).toBe(false);
  });

  it("keeps the files of a version when the job that trained it is deleted", async () => {
    const { job, artifactId } = await keptModel("orphan");
    await app().admin.delete(`/v1/jobs/${job}`).expect(204);
    const { prisma } = app().services;
    await prisma.$transaction((tx) => markUnreferenced(tx, new Date()));
    const artifact = await prisma.artifact.findUniqueOrThrow({ where: { id: artifactId } });
    expect(artifact.deletedAt).toBeNull();
  });

  it("is submitted once with one idempotency key, and again on request", async () => {
    const { ref } = await keptModel("repeated");
    const key = randomUUID();
    const send = () => infer({ model: ref }).set("idempotency-key", key);
    const { id } = (await send().expect(202)).body;
    expect((await send().expect(202)).body.id).toBe(id);
    await succeed(id);
    const retried = await app().admin.post(`/v1/jobs/${id}/retry`).send({}).expect(202);
    expect(retried.body).toMatchObject({ kind: "infer", spec: { model: ref } });
    expect((await app().admin.post(`/v1/jobs/${id}/retry`).send({ epochs: 3 })).body.pointer).toBe("/epochs");
  });

  it("is not estimated", async () => {
    const { body } = await app().admin.post("/v1/jobs/estimate").send({ version: 1, kind: "infer" }).expect(422);
    expect(body.pointer).toBe("/kind");
  });
});

describe("a training that starts from a kept model", () => {
  const train = (changes: object) =>
    app()
      .admin.post("/v1/jobs")
      .send({ version: 1, kind: "train", dataset, task: { target: "label" }, ...changes });

  it("names its version for good, gives its weights to the train stage and is told on the model's card", async () => {
    const { id, artifactId } = await keptModel("begun");
    const { body } = await train({ startFrom: { model: "begun" } }).expect(202);
    expect(body.spec.startFrom).toEqual({ model: "begun@1", layers: "all", freeze: [] });
    const { prisma } = app().services;
    const job = await prisma.job.findUniqueOrThrow({ where: { id: body.id }, include: { stages: true } });
    expect(job.modelArtifactId).toBe(artifactId);
    expect(job.stages.find(({ kind }) => kind === "train")?.options).toMatchObject({ startLayers: "all" });
    expect((await app().admin.get(`/v1/model-versions/${id}`).expect(200)).body.usedBy).toEqual([body.id]);
  });

  it.each<[string, object, string, RegExp]>([
    ["another model", { model: { type: "gcn" } }, "/model/type", /those of sage, not of gcn/],
    [
      "another width",
      { model: { type: "sage", options: { hiddenFeats: 7 } } },
      "/model/options/hiddenFeats",
      /has 256/,
    ],
    ["other transforms", { features: { transforms: ["standardize"] } }, "/features/transforms", /trained with \[\]/],
    ["another task", { task: { type: "deepGraphInfomax" } }, "/startFrom/layers", /trained for nodeClassification/],
  ])("is refused with its place for %s, and so is its estimate", async (_what, changes, pointer, message) => {
    await keptModel("refused");
    const spec = { ...changes, startFrom: { model: "refused" } };
    const { body } = await train(spec).expect(422);
    expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer });
    expect(body.detail).toMatch(message);
    const asked = { version: 1, kind: "train", dataset, task: { target: "label" }, ...spec };
    expect((await app().admin.post("/v1/jobs/estimate").send(asked).expect(422)).body.detail).toBe(body.detail);
  });

  describe("that freezes layers", () => {
    const weights = [
      { name: "layers.0.weight", shape: [3, 1000] },
      { name: "layers.0.bias", shape: [1000] },
      { name: "layers.1.weight", shape: [1000, 2] },
    ];
    const withWeights = async (name: string) => {
      const { artifactId } = await keptModel(name);
      const { prisma } = app().services;
      const { info } = await prisma.artifact.findUniqueOrThrow({ where: { id: artifactId } });
      await prisma.artifact.update({ where: { id: artifactId }, data: { info: { ...(info as object), weights } } });
    };

    it("tells the train stage, and the estimate has no gradient and no moments of them", async () => {
      await withWeights("frozen");
      const startFrom = { model: "frozen", freeze: ["layers.0"] };
      const { body } = await train({ startFrom }).expect(202);
      const job = await app().services.prisma.job.findUniqueOrThrow({
        where: { id: body.id },
        include: { stages: true },
      });
      expect(job.stages.find(({ kind }) => kind === "train")?.options).toMatchObject({ startFreeze: ["layers.0"] });
      const bytesOf = async (freeze: string[]) => {
        const asked = { version: 1, kind: "train", dataset, task: { target: "label" } };
        const spec = { ...asked, startFrom: { model: "frozen", freeze } };
        const { explanation } = (await app().admin.post("/v1/jobs/estimate").send(spec).expect(200)).body;
        return explanation.find(({ what }: { what: string }) => what.startsWith("weights, gradients")).amount;
      };
      // Gradient, two moments and a place in the bucket: four float32 of each of 3 × 1,000 + 1,000 numbers.
      expect((await bytesOf([])) - (await bytesOf(["layers.0"]))).toBe(4 * 4 * 4000);
    });

    it.each<[string, string[], object, string, RegExp]>([
      [
        "one that is not there",
        ["layers.0", "layers.7"],
        {},
        "/startFrom/freeze/1",
        /"layers\.7"; there are layers\.0/,
      ],
      ["all there are", ["layers.0", "layers.1.weight"], {}, "/startFrom/freeze", /nothing to learn/],
    ])("is refused with its place for %s", async (what, freeze, changes, pointer, message) => {
      const name = `frozen-${what.replaceAll(" ", "-")}`;
      await withWeights(name);
      const { body } = await train({ ...changes, startFrom: { model: name, freeze } }).expect(422);
      expect(body).toMatchObject({ code: "JOB_SPEC_INVALID", pointer });
      expect(body.detail).toMatch(message);
    });
  });

  it("is refused for other classes, unless the last layer begins anew", async () => {
    const { id } = await keptModel("classes");
    const { prisma } = app().services;
    const { trainedOn } = await prisma.modelVersion.findUniqueOrThrow({ where: { id } });
    const giveClasses = (classes: string[]) =>
      prisma.modelVersion.update({ where: { id }, data: { trainedOn: { ...(trainedOn as object), classes } } });
    await giveClasses(["a", "c"]);
    const { body } = await train({ startFrom: { model: "classes" } }).expect(422);
    expect(body.detail).toMatch(/has the class "c" where the graph has "b"\. .*"layers": "hidden"/);
    await giveClasses(["a", "b", "c"]);
    expect((await train({ startFrom: { model: "classes" } })).body.detail).toMatch(
      /has 3 outputs, and the job needs 2/,
    );
    await train({ startFrom: { model: "classes", layers: "hidden" } }).expect(202);
  });

  it("is refused where there is no such version", async () => {
    await train({ startFrom: { model: "nobody@3" } }).expect(404);
    expect((await train({ startFrom: { model: "no body" } })).body.pointer).toBe("/startFrom/model");
  });
});
