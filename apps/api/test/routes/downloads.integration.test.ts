import { createHash } from "node:crypto";
import { manifestDigest } from "@hopwise/gnn-core/spec";
import { beforeAll, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
const content = Buffer.from("0123456789");
const sha256 = createHash("sha256").update(content).digest("hex");
let job = "";

/** The arrays of a map, as bytes that the service has no reason to understand. */
const mapFiles = {
  "projection.npy": Buffer.from("x, y of every point"),
  "labels.npy": Buffer.from("labels"),
  "ids/offsets.npy": Buffer.from("where ids begin"),
  "ids/bytes.npy": Buffer.from("0077Doe, Jane🦉"),
};

beforeAll(async () => {
  const dataset = await readyDataset(app());
  const answer = await app()
    .admin.post("/v1/jobs")
    .send({ version: 1, kind: "train", dataset, task: { target: "label" } });
  job = answer.body.id;
  const { store, prisma } = app().services;
  const owner = { projectId: "default", createdBy: "admin", jobId: job };
  const made = async (
    kind: string,
    blobs: Record<string, Buffer>,
    info = {},
    shapes: Record<string, number[]> = {},
  ) => {
    const rows = [];
    for (const [name, bytes] of Object.entries(blobs)) {
      const stored = await store.put(`made/${kind}/${name}`, bytes);
      rows.push({ name, ...stored, ...(shapes[name] ? { shape: shapes[name] } : {}) });
    }
    const digest = manifestDigest(kind, rows, info);
    const writer = { step: "export", stepVersion: 1, engine: "0.1.0", inputs: {}, options: {} };
    const manifest = { version: 1, kind, ...writer, info, blobs: rows, byteOrder: "little", digest };
    await store.put(`made/${kind}/manifest.json`, Buffer.from(JSON.stringify(manifest)));
    const id = `art_${kind}`;
    await prisma.artifact.create({
      data: { id, ...owner, kind, prefix: `made/${kind}`, digest, bytes: 1n, info, blobs: rows },
    });
    await prisma.stage.updateMany({
      where: { jobId: job, kind: { exports: "export", remapped: "remap", projection: "project" }[kind] ?? kind },
      data: { outputId: id, state: "SUCCEEDED" },
    });
  };
  await made("exports", { "embeddings.parquet": content, "predictions.parquet": content });
  const remapped = { numNodes: 4, dim: 2, classes: ["a", "b"], metrics: {} };
  await made("remapped", { "embeddings.npy": content }, remapped, { "embeddings.npy": [4, 2] });
  await made("projection", mapFiles, { method: "pca", explained: [0.6, 0.3], numPoints: 4, classes: ["a", "b"] });
  // A graph whose ids are larger than anything that the service would hold in its memory.
  const huge = { name: "nodes/ids/bytes.npy", bytes: 2 ** 40, sha256 };
  await prisma.artifact.update({ where: { id: `art_graph_${dataset}` }, data: { blobs: [huge] } });
});

it("streams an export with its digest as ETag and a name of its own", async () => {
  const answer = await app().admin.get(`/v1/jobs/${job}/embeddings?format=parquet`).buffer(true);
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    etag: `"${sha256}"`,
    "accept-ranges": "bytes",
    "content-length": "10",
    "content-disposition": `attachment; filename="${job}-embeddings.parquet"`,
  });
  const repeat = await app().admin.get(`/v1/jobs/${job}/embeddings`).set("if-none-match", `"${sha256}"`);
  expect(repeat.status).toBe(304);
});

const ranges = [
  { range: "bytes=0-3", status: 206, body: "0123", header: "bytes 0-3/10" },
  { range: "bytes=7-", status: 206, body: "789", header: "bytes 7-9/10" },
  { range: "bytes=-2", status: 206, body: "89", header: "bytes 8-9/10" },
  { range: "bytes=8-100", status: 206, body: "89", header: "bytes 8-9/10" },
  { range: "bytes=10-", status: 416, body: "", header: "bytes */10" },
  { range: "bytes=5-2", status: 200, body: "0123456789", header: undefined },
  { range: "bytes=0-1,4-5", status: 200, body: "0123456789", header: undefined },
];

it.each(ranges)("answers $range with $status $header", async ({ range, status, body, header }) => {
  const answer = await app().server.inject({
    url: `/v1/artifacts/art_exports?blob=predictions.parquet`,
    headers: { authorization: `Bearer ${app().adminKey}`, range },
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers["content-range"]).toBe(header);
  if (status === 416) expect(answer.json()).toMatchObject({ code: "REQUEST_RANGE" });
  else expect(answer.body).toBe(body);
});

it("sends the whole file when a range was made for another content", async () => {
  const answer = await app().server.inject({
    url: `/v1/artifacts/art_exports?blob=predictions.parquet`,
    headers: { authorization: `Bearer ${app().adminKey}`, range: "bytes=0-3", "if-range": '"other"' },
  });
  expect(answer.statusCode).toBe(200);
});

const csv = () => `/v1/jobs/${job}/embeddings?format=csv`;
const numExportJobs = () => app().services.prisma.job.count({ where: { kind: "export" } });

it("makes nothing when asked for a file that is not there: it says who can have it made, and how", async () => {
  expect((await app().admin.get(csv())).body).toMatchObject({ status: 409, code: "REQUEST_CONFLICT" });
  await app().services.prisma.job.update({ where: { id: job }, data: { state: "SUCCEEDED" } });
  for (const role of ["viewer", "editor"]) {
    const answer = await app()
      .anonymous.get(csv())
      .set({ authorization: await keyFor(app(), role) });
    expect(answer.body).toMatchObject({
      status: 404,
      code: "EXPORT_NOT_MADE",
      detail: expect.stringContaining(`POST ${csv()}`),
    });
  }
  expect(await numExportJobs()).toBe(0);
});

it("lets a viewer download what is there, but have nothing made", async () => {
  const authorization = await keyFor(app(), "viewer");
  expect((await app().anonymous.get(`/v1/jobs/${job}/embeddings`).set({ authorization })).status).toBe(200);
  expect((await app().anonymous.post(csv()).set({ authorization })).body).toMatchObject({ code: "AUTH_FORBIDDEN" });
  const mutation = `mutation($job: ID!) { requestExport(job: $job, kind: EMBEDDINGS, format: "csv") { url job { id } } }`;
  const refused = await app()
    .anonymous.post("/graphql")
    .set({ authorization })
    .send({ query: mutation, variables: { job } });
  expect(refused.body.errors[0].extensions).toMatchObject({ code: "AUTH_FORBIDDEN" });
  expect(await numExportJobs()).toBe(0);
});

it("queues one export job behind all training for a format that is not made yet, however often and however asked for", async () => {
  const authorization = await keyFor(app(), "editor");
  const both = await Promise.all([1, 2].map(() => app().anonymous.post(csv()).set({ authorization })));
  const [first] = both;
  if (!first) throw new Error("unreachable");
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect(new Set(both.map(({ body }) => body.job)).size).toBe(1);
  expect(first.body).toMatchObject({ ready: false, url: csv(), state: "QUEUED" });
  expect(first.headers.location).toBe(`/v1/jobs/${first.body.job}`);
  const mutation = `mutation($job: ID!) { requestExport(job: $job, kind: EMBEDDINGS, format: "csv") { url job { id } } }`;
  const again = await app().admin.post("/graphql").send({ query: mutation, variables: { job } });
  expect(again.body.data.requestExport).toEqual({ url: csv(), job: { id: first.body.job } });
  const making = await app().admin.get(first.headers.location ?? "");
  expect(making.body).toMatchObject({ kind: "export", state: "QUEUED", sourceJobId: job });
  const training = await app().services.prisma.job.findUniqueOrThrow({ where: { id: job } });
  expect(making.body.priority).toBeLessThan(Math.min(training.priority, 1));
  expect((await app().admin.get(csv())).body).toMatchObject({
    code: "EXPORT_NOT_MADE",
    detail: expect.stringContaining(`${first.body.job}, which makes embeddings.csv, is QUEUED`),
  });
});

it("has a file of its own for other names of columns, and refuses names that are none or that a format lacks", async () => {
  const named = `/v1/jobs/${job}/embeddings?format=parquet&vector=values`;
  const asked = await app().admin.post(named);
  expect(asked.body).toMatchObject({ ready: false, url: named });
  expect((await app().admin.post(named)).body.job).toBe(asked.body.job);
  expect((await app().admin.get(named)).body).toMatchObject({ code: "EXPORT_NOT_MADE" });
  expect((await app().admin.get(`/v1/jobs/${job}/embeddings?format=parquet`)).status).toBe(200);
  const { options } = await app().services.prisma.stage.findFirstOrThrow({ where: { jobId: asked.body.job } });
  expect(options).toMatchObject({ embeddings: { formats: ["parquet"], columns: { id: "id", vector: "values" } } });
  const mutation = `mutation($job: ID!) {
    requestExport(job: $job, kind: EMBEDDINGS, format: "parquet", vectorColumn: "values") { url job { id } } }`;
  const again = await app().admin.post("/graphql").send({ query: mutation, variables: { job } });
  expect(again.body.data.requestExport).toEqual({ url: named, job: { id: asked.body.job } });
  for (const [query, says] of [
    ["format=jsonl&vector=id", /both columns are to be called "id"/],
    ["format=csv&vector=values", /embeddings in the format csv have no names of columns/],
    ["format=pgcopy&id=key", /have no names of columns/],
    ["format=jsonl&vector=a%20b", /vector/],
  ] as const)
    expect((await app().admin.post(`/v1/jobs/${job}/embeddings?${query}`)).body).toMatchObject({
      code: "REQUEST_INVALID",
      detail: expect.stringMatching(says),
    });
  await app().services.prisma.job.delete({ where: { id: asked.body.job } });
});

it("starts another export job after one that has failed, and none for a file that is there", async () => {
  const { prisma } = app().services;
  const failed = (await app().admin.post(csv())).body.job;
  await prisma.job.update({ where: { id: failed }, data: { state: "FAILED" } });
  const next = (await app().admin.post(csv())).body.job;
  expect(next).not.toBe(failed);
  const there = await app().admin.post(`/v1/jobs/${job}/embeddings?format=parquet`);
  expect(there.status).toBe(200);
  expect(there.body).toMatchObject({ ready: true, job: null, url: `/v1/jobs/${job}/embeddings?format=parquet` });
});

it("refuses an export of a job that has nothing to export, and a format that there is not", async () => {
  const { body: dataset } = await app().admin.post("/v1/datasets").send({ name: "not trained on" });
  const versionId = dataset.versions[0].id;
  const map = await app().services.prisma.job.create({
    data: {
      id: "job_map",
      projectId: "default",
      createdBy: "admin",
      kind: "map",
      name: "Preview",
      state: "SUCCEEDED",
      spec: {},
      datasetVersionId: versionId,
    },
  });
  const before = await numExportJobs();
  for (const method of ["get", "post"] as const) {
    expect((await app().admin[method](`/v1/jobs/${map.id}/embeddings?format=csv`)).body).toMatchObject({
      status: 409,
      code: "JOB_WITHOUT_RESULTS",
    });
    expect((await app().admin[method](`/v1/jobs/${job}/embeddings?format=xlsx`)).body).toMatchObject({
      code: "REQUEST_INVALID",
      field: "format",
    });
  }
  expect(await numExportJobs()).toBe(before);
});

it("gives an artifact's manifest, and 404 for a blob that it does not name", async () => {
  expect((await app().admin.get("/v1/artifacts/art_exports")).body).toMatchObject({
    kind: "exports",
    blobs: [{ name: "embeddings.parquet", sha256 }, { name: "predictions.parquet" }],
  });
  for (const blob of ["nope", "../../secrets/admin-api-key", "manifest.json"]) {
    const answer = await app().admin.get(`/v1/artifacts/art_exports?blob=${encodeURIComponent(blob)}`);
    expect(answer.body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
  }
});

it("shows embeddings and every download by GraphQL", async () => {
  const query = `query($id: ID!) { job(id: $id) {
    embeddings { numRows dim layer projection { method explained numPoints classes } downloads { format ready bytes } }
    predictionDownloads { kind format ready url }
  } }`;
  const { body } = await app()
    .admin.post("/graphql")
    .send({ query, variables: { id: job } });
  expect(body.data.job.embeddings).toMatchObject({
    numRows: 4,
    dim: 2,
    layer: "lastHidden",
    projection: { method: "pca", explained: [0.6, 0.3], numPoints: 4, classes: ["a", "b"] },
  });
  expect(body.data.job.embeddings.downloads).toContainEqual({ format: "parquet", ready: true, bytes: 10 });
  expect(body.data.job.embeddings.downloads).toContainEqual({ format: "arrow", ready: false, bytes: null });
  expect(body.data.job.predictionDownloads[0]).toEqual({
    kind: "predictions",
    format: "parquet",
    ready: true,
    url: `/v1/jobs/${job}/predictions?format=parquet`,
  });
});

it("gives the arrays of a map byte for byte, with the user's ids in them however large the graph", async () => {
  const query = `query($id: ID!) { job(id: $id) { embeddings { projection { artifact { url blobs { name } } } } } }`;
  const { body } = await app()
    .admin.post("/graphql")
    .send({ query, variables: { id: job } });
  const { url, blobs } = body.data.job.embeddings.projection.artifact;
  expect(blobs.map(({ name }: { name: string }) => name)).toEqual(Object.keys(mapFiles));
  for (const [name, bytes] of Object.entries(mapFiles)) {
    const answer = await app()
      .admin.get(`${url}?blob=${encodeURIComponent(name)}`)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => done(null, Buffer.concat(chunks)));
      });
    expect(answer.status, name).toBe(200);
    expect(answer.body).toEqual(bytes);
  }
});
