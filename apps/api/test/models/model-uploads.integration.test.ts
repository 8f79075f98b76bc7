import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dropDeletedDatasets, dropModelUploads } from "../../src/artifacts/drop-references.ts";
import { changeJob } from "../../src/job-state/job-store.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";

const app = useApp();

const card = {
  spec: { task: { target: "label" }, model: { type: "gcn", options: { numLayers: 1 } } },
  trainedOn: {
    features: { kind: "dense", dim: 3, columns: null },
    classes: ["a", "b"],
    targets: [],
    directed: false,
    hasWeights: false,
    nodeTypes: ["node"],
    edgeTypes: ["edge"],
    numNodes: 4,
    numEdges: 6,
  },
  datasetName: "people",
};
const weights = "the worker looks at these";

async function begun(name = "brought"): Promise<string> {
  return (await app().admin.post("/v1/model-uploads").send({ name }).expect(201)).body.id;
}

async function send(id: string, name: string, text: string): Promise<void> {
  await app().admin.post(`/v1/datasets/${id}/files?replace=true`).attach("file", Buffer.from(text), name).expect(201);
}

const adopt = (id: string, body: object = { name: "brought" }) =>
  app().admin.post(`/v1/model-uploads/${id}`).send(body);

/** What a worker does: the stage has an artifact, and the job succeeds. */
async function succeed(jobId: string): Promise<void> {
  const { prisma } = app().services;
  const id = `art_${jobId}`;
  const info = { model: { type: "gcn", options: {} }, metrics: {}, epochs: 0 };
  const owner = { projectId: "default", createdBy: "admin", jobId, kind: "model", prefix: id };
  await prisma.artifact.create({ data: { id, ...owner, digest: "1".repeat(64), bytes: 8n, info, blobs: [] } });
  await prisma.stage.updateMany({ where: { jobId }, data: { state: "SUCCEEDED", outputId: id } });
  const at = new Date();
  await changeJob(prisma, jobId, (run) => {
    run.changeJob({ state: "SUCCEEDED", finishedAt: at });
    run.record({ type: "JobStateChanged", body: { state: "SUCCEEDED", problem: null } }, at);
  });
}

describe("a model that is uploaded", () => {
  it("becomes the next version under its name once its job has succeeded, and says that it came from elsewhere", async () => {
    const id = await begun();
    await send(id, "card.json", JSON.stringify(card));
    await send(id, "model.safetensors", weights);
    expect((await app().admin.get("/v1/datasets").expect(200)).body.items).toEqual([]);
    const { body: job } = await adopt(id, { name: "brought", note: "by train" }).expect(202);
    expect(job).toMatchObject({ kind: "adopt", name: "Upload of brought", modelType: "gcn", state: "QUEUED" });
    const list = async () => (await app().admin.get("/v1/models?name=brought").expect(200)).body.items;
    expect(await list()).toEqual([]);
    await succeed(job.id);
    const [{ versions }] = await list();
    expect(versions).toMatchObject([
      { ref: "brought@1", isUploaded: true, note: "by train", jobId: job.id, dataset: "", datasetName: "people" },
    ]);
    const { body } = await app().admin.get(`/v1/model-versions/${versions[0].id}`).expect(200);
    expect(body).toMatchObject({ trainedOn: { classes: ["a", "b"] }, spec: { model: { type: "gcn" } } });
    const query = '{ registeredModels(name: "brought") { nodes { versions { ref note isUploaded } } } }';
    const { data } = (await app().admin.post("/graphql").send({ query })).body;
    expect(data.registeredModels.nodes[0].versions).toEqual([{ ref: "brought@1", note: "by train", isUploaded: true }]);
    expect((await app().admin.post("/v1/model-uploads").send({ name: "a/b" })).body.pointer).toBe("/name");
    await app().admin.get(`/v1/datasets/${id}`).expect(404);
    await app().services.prisma.$transaction((tx) => dropDeletedDatasets(tx, new Date()));
    await app().admin.get(`/v1/jobs/${job.id}`).expect(200);
    expect((await app().admin.post("/v1/models").send({ name: "x", job: job.id })).body.code).toBe(
      "JOB_WITHOUT_RESULTS",
    );
  });

  it("is refused with the place of what is wrong in its card, and can be mended", async () => {
    const id = await begun();
    expect((await adopt(id)).body).toMatchObject({ code: "DATASET_FILE_MISSING", file: "card.json" });
    await send(id, "model.safetensors", weights);
    await send(id, "card.json", "{");
    expect((await adopt(id)).body).toMatchObject({ code: "MODEL_INVALID", status: 422, file: "card.json" });
    await send(id, "card.json", JSON.stringify({ ...card, spec: { ...card.spec, model: { type: "gcm" } } }));
    expect((await adopt(id)).body).toMatchObject({ code: "MODEL_INVALID", pointer: "/spec/model/type" });
    await send(id, "card.json", " ".repeat(8 * 1024 ** 2 + 1));
    expect((await adopt(id)).body).toMatchObject({
      code: "MODEL_INVALID",
      detail: expect.stringContaining("may have"),
    });
    const listed = (sha256: string) => JSON.stringify({ ...card, files: [{ name: "model.safetensors", sha256 }] });
    await send(id, "card.json", listed("0".repeat(64)));
    expect((await adopt(id)).body).toMatchObject({
      code: "MODEL_INVALID",
      pointer: "/files",
      file: "model.safetensors",
    });
    await send(id, "card.json", listed(createHash("sha256").update(weights).digest("hex")));
    await adopt(id).expect(202);
  });

  it("takes no dataset for its files, and none of another project", async () => {
    const dataset = await createDataset(app());
    expect((await adopt(dataset)).body).toMatchObject({ code: "REQUEST_CONFLICT" });
    const id = await begun();
    await app().admin.post("/v1/projects").send({ name: "strangers" }).expect(201);
    const { prisma } = app().services;
    const { id: project } = await prisma.project.findUniqueOrThrow({ where: { name: "strangers" } });
    const ask = async (role: string, bound?: string) => {
      const headers = { authorization: await keyFor(app(), role, bound) };
      const payload = { name: "brought" };
      const url = `/v1/model-uploads/${id}`;
      return (await app().server.inject({ method: "POST", url, headers, payload })).statusCode;
    };
    expect(await ask("editor", project)).toBe(404);
    expect(await ask("viewer")).toBe(403);
  });

  it("leaves no files behind when nobody goes on with them for a day", async () => {
    const [id, dataset] = [await begun(), await createDataset(app())];
    const { prisma } = app().services;
    const dropAt = async (hours: number) => {
      await prisma.$transaction((tx) => dropModelUploads(tx, new Date(Date.now() + hours * 3_600_000)));
      return (await prisma.dataset.findUniqueOrThrow({ where: { id } })).deletedAt !== null;
    };
    expect(await dropAt(1)).toBe(false);
    expect(await dropAt(24 * 30)).toBe(true);
    expect((await prisma.dataset.findUniqueOrThrow({ where: { id: dataset } })).deletedAt).toBeNull();
  });
});
