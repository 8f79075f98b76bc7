import { createHash } from "node:crypto";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { manifest } from "@hopwise/gnn-core/spec";
import { describe, expect, it, vi } from "vitest";
import { describeEachDatabase, useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { halfWritten } from "../support/half-written.ts";
import { multipartOf } from "../support/multipart.ts";
import type { TestApp } from "../support/start-app.ts";

const sha256 = (content: string) => createHash("sha256").update(content).digest("hex");

function filesOf(artifact: { info: unknown } | null): readonly { name: string; blob: string }[] {
  if (artifact === null) throw new Error("The set of files is not closed.");
  return (artifact.info as { files: { name: string; blob: string }[] }).files;
}

async function storedKeys(app: TestApp): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of app.services.store.list("")) keys.push(key);
  return keys;
}

describeEachDatabase("uploading", { HOPWISE_UPLOAD_BYTES: "100000" }, (app) => {
  it("stores each file with its digest, under names that are data and never paths", async () => {
    const id = await createDataset(app());
    const content = "src,dst\n007,7\n";
    const answer = await app()
      .admin.post(`/v1/datasets/${id}/files`)
      .set(multipartOf.headers)
      .send(
        multipartOf([
          { name: "kanten 🕸 – größe.csv", content },
          { name: "b", content: "x" },
        ]),
      );
    expect(answer.status).toBe(201);
    expect(answer.body.files).toMatchObject([
      { name: "kanten 🕸 – größe.csv", bytes: 14, sha256: sha256(content) },
      { name: "b", bytes: 1, sha256: sha256("x") },
    ]);
    const version = await app().services.prisma.datasetVersion.findUniqueOrThrow({
      where: { id: answer.body.version },
      include: { files: true, jobs: { include: { stages: true } } },
    });
    expect(version.state).toBe("MAPPING");
    expect(version.jobs).toMatchObject([{ kind: "map", state: "QUEUED", stages: [{ kind: "map" }] }]);
    const { store } = app().services;
    const made = manifest.parse(JSON.parse(await text(await store.get(`${version.files?.prefix}/manifest.json`))));
    expect(made.info).toEqual({
      files: [
        { name: "kanten 🕸 – größe.csv", blob: "files/0", bytes: 14, sha256: sha256(content) },
        { name: "b", blob: "files/1", bytes: 1, sha256: sha256("x") },
      ],
    });
    expect(await text(await store.get(`${version.files?.prefix}/files/0`))).toBe(content);
  });

  it("gathers files of several requests into one artifact", async () => {
    const id = await createDataset(app());
    for (const [name, query] of [
      ["a.csv", "?preview=false"],
      ["b.csv", ""],
      ["c.csv", ""],
    ]) {
      const answer = await app()
        .admin.post(`/v1/datasets/${id}/files${query}`)
        .attach("file", Buffer.from(name ?? ""), name);
      expect(answer.status).toBe(201);
    }
    const version = await app().services.prisma.datasetVersion.findFirstOrThrow({
      where: { datasetId: id },
      include: { files: true },
    });
    const names = filesOf(version.files).map(({ name }) => name);
    expect(names).toEqual(["a.csv", "b.csv", "c.csv"]);
    expect(await text(await app().services.store.get(`${version.files?.prefix}/files/0`))).toBe("a.csv");
  });

  it("takes several requests at the same time", async () => {
    const id = await createDataset(app());
    const names = ["a.csv", "b.csv", "c.csv", "d.csv"];
    const answers = await Promise.all(
      names.map((name) => app().admin.post(`/v1/datasets/${id}/files`).attach("file", Buffer.from(name), name)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const version = await app().services.prisma.datasetVersion.findFirstOrThrow({
      where: { datasetId: id },
      include: { files: true },
    });
    const files = filesOf(version.files);
    expect(files.map(({ name }) => name).toSorted()).toEqual(names);
    for (const { name, blob } of files) {
      expect(await text(await app().services.store.get(`${version.files?.prefix}/${blob}`))).toBe(name);
    }
  });

  it("starts version 2 once version 1 is READY, and leaves version 1 as it is", async () => {
    const id = await createDataset(app());
    await app().services.prisma.datasetVersion.updateMany({ where: { datasetId: id }, data: { state: "READY" } });
    const answer = await app().admin.post(`/v1/datasets/${id}/files`).attach("file", Buffer.from("x"), "a.csv");
    expect(answer.body).toMatchObject({ number: 2 });
    const dataset = await app().admin.get(`/v1/datasets/${id}`);
    expect(dataset.body.versions).toMatchObject([
      { number: 2, state: "MAPPING" },
      { number: 1, state: "READY", sources: [] },
    ]);
  });

  it("keeps the folders before the names of files, so that two of one name are two files", async () => {
    const id = await createDataset(app());
    const names = ["a/part-0.csv", "b/part-0.csv"];
    await app()
      .admin.post(`/v1/datasets/${id}/files`)
      .set(multipartOf.headers)
      .send(multipartOf(names.map((name) => ({ name, content: "src,dst\n1,2\n" }))))
      .expect(({ status }) => expect(status).toBeLessThan(300));
    const { sources } = await app().services.prisma.datasetVersion.findFirstOrThrow({
      where: { datasetId: id },
      include: { sources: true },
    });
    expect(sources.map(({ name }) => name).toSorted()).toEqual(names);
  });

  const hostile = [
    "../../etc/passwd",
    "a/../b.csv",
    "a//b.csv",
    "a/.b.csv",
    "a/",
    "a\\b.csv",
    "/etc/passwd",
    ".hidden",
    "..",
    "x".repeat(121),
    " a.csv",
    "a\u0001.csv",
  ];
  it.each(hostile)("refuses the file name %j and keeps nothing of the request", async (name) => {
    const id = await createDataset(app());
    const before = await storedKeys(app());
    const answer = await app()
      .admin.post(`/v1/datasets/${id}/files`)
      .set(multipartOf.headers)
      .send(
        multipartOf([
          { name: "good.csv", content: "a,b\n" },
          { name, content: "a,b\n" },
        ]),
      );
    expect(answer.body).toMatchObject({ status: 422, code: "DATASET_FILE_NAME", file: name });
    expect(await storedKeys(app())).toEqual(before);
    expect(await app().services.prisma.sourceFile.count({ where: { version: { datasetId: id } } })).toBe(0);
  });

  it("refuses a second file of the same name", async () => {
    const id = await createDataset(app());
    const two = multipartOf([
      { name: "a.csv", content: "1" },
      { name: "a.csv", content: "2" },
    ]);
    const answer = await app().admin.post(`/v1/datasets/${id}/files`).set(multipartOf.headers).send(two);
    expect(answer.body).toMatchObject({ status: 409, code: "REQUEST_CONFLICT", file: "a.csv" });
  });

  it("puts a corrected file in the place of the one of its name when asked to, and says how when not", async () => {
    const id = await createDataset(app());
    const url = `/v1/datasets/${id}/files`;
    const send = (query: string, content: string) =>
      app()
        .admin.post(`${url}${query}`)
        .set(multipartOf.headers)
        .send(multipartOf([{ name: "a.csv", content }]));
    expect((await send("", "src,dst\n1\n")).status).toBe(201);
    const refused = await send("", "src,dst\n1,2\n");
    expect(refused.body).toMatchObject({ status: 409, detail: expect.stringMatching(/\?replace=true/) });
    const answer = await send("?replace=true", "src,dst\n1,2\n");
    expect(answer.status).toBe(201);
    const { prisma, store } = app().services;
    const version = await prisma.datasetVersion.findUniqueOrThrow({
      where: { id: answer.body.version },
      include: { files: true, sources: true },
    });
    expect(version.sources.map(({ name }) => name)).toEqual(["a.csv"]);
    const [only, ...others] = filesOf(version.files);
    expect(others).toEqual([]);
    expect(await text(await store.get(`${version.files?.prefix}/${only?.blob}`))).toBe("src,dst\n1,2\n");
  });

  it("refuses an empty file, a request without files and another content type", async () => {
    const url = `/v1/datasets/${await createDataset(app())}/files`;
    const empty = await app().admin.post(url).attach("file", Buffer.alloc(0), "a.csv");
    expect(empty.body).toMatchObject({ status: 422, code: "DATASET_FILE_EMPTY", file: "a.csv" });
    const none = await app().admin.post(url).set(multipartOf.headers).send(multipartOf([]));
    expect(none.body).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
    const json = await app().admin.post(url).send({ a: 1 });
    expect(json.body).toMatchObject({ status: 415, code: "REQUEST_FORMAT" });
  });

  it("stops at the size limit and keeps nothing of the file", async () => {
    const id = await createDataset(app());
    const before = await storedKeys(app());
    const answer = await app()
      .admin.post(`/v1/datasets/${id}/files`)
      .attach("file", Buffer.alloc(100_001, 97), "big.csv");
    expect(answer.body).toMatchObject({ status: 413, code: "REQUEST_TOO_LARGE", file: "big.csv" });
    expect(await storedKeys(app())).toEqual(before);
  });
});

/** Sends headers only, then whatever `go` writes; resolves with the answer's status and body. */
function raw(
  app: TestApp,
  path: string,
  headers: Record<string, string>,
  go: (req: ReturnType<typeof request>) => void,
) {
  const { port } = app.server.server.address() as AddressInfo;
  const authorization = `Bearer ${app.adminKey}`;
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const req = request({ port, path, method: "POST", headers: { authorization, ...headers } }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
    });
    req.on("error", reject);
    go(req);
  });
}

const app = useApp();

it("refuses a declared size of 10 GB before reading a byte", async () => {
  const id = await createDataset(app());
  const headers = { ...multipartOf.headers, "content-length": String(10 * 1024 ** 3) };
  const answer = await raw(app(), `/v1/datasets/${id}/files`, headers, (req) => req.flushHeaders());
  expect(answer.status).toBe(413);
  expect(JSON.parse(answer.body)).toMatchObject({ code: "REQUEST_TOO_LARGE" });
});

it("keeps nothing of an upload whose connection breaks", async () => {
  const id = await createDataset(app());
  const before = await storedKeys(app());
  const begun = multipartOf([{ name: "a.csv", content: "x".repeat(200_000) }]).subarray(0, 150_000);
  const headers = { ...multipartOf.headers, "content-length": "200300" };
  const hasEnded = new Promise((resolve) => app().server.server.once("request", (req) => req.once("close", resolve)));
  const broken = raw(app(), `/v1/datasets/${id}/files`, headers, (req) => {
    req.write(begun, () => req.destroy());
  });
  await expect(broken).rejects.toThrow();
  await hasEnded;
  expect(await storedKeys(app())).toEqual(before);
  expect(await app().services.prisma.sourceFile.count({ where: { version: { datasetId: id } } })).toBe(0);
});

describe("an upload that is cut off", () => {
  const app = useApp();

  it("leaves nothing half-written behind, however far it had come", async () => {
    const id = await createDataset(app());
    const store = join(app().dataDir, "artifacts");
    const whole = multipartOf([
      { name: "first.csv", content: "x".repeat(100_000) },
      { name: "second.csv", content: "y".repeat(200_000) },
    ]);
    const { port } = app().server.server.address() as AddressInfo;
    const headers = {
      ...multipartOf.headers,
      authorization: `Bearer ${app().adminKey}`,
      "content-length": whole.byteLength,
    };
    for (const sent of [50_000, 250_000]) {
      const upload = request({ port, method: "POST", path: `/v1/datasets/${id}/files`, headers });
      upload.on("error", () => {});
      upload.write(whole.subarray(0, sent));
      await vi.waitFor(async () => expect(await halfWritten(store)).toHaveLength(1));
      upload.destroy();
      await vi.waitFor(async () => expect(await halfWritten(store)).toEqual([]));
    }
    await vi.waitFor(async () => expect(await storedKeys(app())).toEqual([]));
    expect(await app().services.prisma.sourceFile.count()).toBe(0);
  });
});
