import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { keyFor, readyDataset } from "../support/fixtures.ts";

const app = useApp();
const content = Buffer.from("0123456789");
const sha256 = createHash("sha256").update(content).digest("hex");
let job = "";

/** Float32 or Int32 as .npy version 1, by hand. */
function npy(descr: string, shape: string, data: Float32Array | Int32Array): Buffer {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117) + "\n";
  const size = Buffer.alloc(2);
  size.writeUInt16LE(header.length);
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    size,
    Buffer.from(header),
    Buffer.from(data.buffer),
  ]);
}

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
    await store.put(`made/${kind}/manifest.json`, Buffer.from(JSON.stringify({ kind })));
    const id = `art_${kind}`;
    await prisma.artifact.create({
      data: { id, ...owner, kind, prefix: `made/${kind}`, digest: sha256, bytes: 1n, info, blobs: rows },
    });
    await prisma.stage.updateMany({
      where: { jobId: job, kind: { exports: "export", remapped: "remap", projection: "project" }[kind] ?? kind },
      data: { outputId: id, state: "SUCCEEDED" },
    });
  };
  await made("exports", { "embeddings.parquet": content, "predictions.parquet": content });
  await made("remapped", { "embeddings.npy": content }, {}, { "embeddings.npy": [4, 2] });
  await made(
    "projection",
    {
      "projection.npy": npy("<f4", "4, 2", new Float32Array([1, 2, 3, 4, 5, 6, 7, 8])),
      "rows.npy": npy("<i4", "4,", new Int32Array([0, 1, 2, 3])),
    },
    { method: "pca", explained: [0.6, 0.3] },
  );
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

it("queues one export job for a format that is not made yet, however often it is asked for", async () => {
  const url = `/v1/jobs/${job}/embeddings?format=npy`;
  expect((await app().admin.get(url)).body).toMatchObject({ status: 409, code: "REQUEST_CONFLICT" });
  await app().services.prisma.job.update({ where: { id: job }, data: { state: "SUCCEEDED" } });
  const first = await app().admin.get(url);
  expect(first.status).toBe(202);
  expect(first.headers.location).toBe(`/v1/jobs/${first.body.job}`);
  expect((await app().admin.get(url)).body.job).toBe(first.body.job);
  const making = await app().admin.get(first.headers.location ?? "");
  expect(making.body).toMatchObject({ kind: "export", state: "QUEUED", sourceJobId: job });
  expect((await app().admin.get(`/v1/jobs/${job}/embeddings?format=xlsx`)).body).toMatchObject({
    code: "REQUEST_INVALID",
    field: "format",
  });
});

it("lets a viewer ask for a further format: downloading is reading", async () => {
  const authorization = await keyFor(app(), "viewer");
  expect((await app().anonymous.get(`/v1/jobs/${job}/embeddings`).set({ authorization })).status).toBe(200);
  const answer = await app().anonymous.get(`/v1/jobs/${job}/embeddings?format=csv`).set({ authorization });
  expect(answer.status).toBe(202);
});

it("gives an artifact's manifest, and 404 for a blob that it does not name", async () => {
  expect((await app().admin.get("/v1/artifacts/art_exports")).body).toEqual({ kind: "exports" });
  for (const blob of ["nope", "../../secrets/admin-api-key", "manifest.json"]) {
    const answer = await app().admin.get(`/v1/artifacts/art_exports?blob=${encodeURIComponent(blob)}`);
    expect(answer.body).toMatchObject({ status: 404, code: "REQUEST_NOT_FOUND" });
  }
});

it("shows embeddings, their map and every download by GraphQL", async () => {
  const query = `query($id: ID!) { job(id: $id) {
    embeddings { numRows dim layer projection(maxPoints: 2) { method explained numRows x y ids labels classes } downloads { format ready bytes } }
    predictionDownloads { kind format ready url }
  } }`;
  const { body } = await app()
    .admin.post("/graphql")
    .send({ query, variables: { id: job } });
  expect(body.data.job.embeddings).toMatchObject({
    numRows: 4,
    dim: 2,
    layer: "lastHidden",
    // Two of four points, evenly: rows 0 and 2.
    projection: {
      method: "pca",
      numRows: 4,
      x: [1, 5],
      y: [2, 6],
      ids: ["0", "2"],
      labels: [-1, -1],
      classes: ["a", "b"],
    },
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
