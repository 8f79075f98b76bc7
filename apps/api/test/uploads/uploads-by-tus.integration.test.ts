import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { HopwiseClient, type UploadFile } from "@hopwise/client";
import { Upload } from "tus-js-client";
import { describe, expect, it, vi } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { NotYet } from "../../src/uploads/finish-upload.ts";
import { receiveBytes } from "../../src/uploads/receive-bytes.ts";
import { UploadFinisher } from "../../src/uploads/upload-finisher.ts";
import { describeEachDatabase, useApp } from "../support/each-database.ts";
import { createDataset, keyFor } from "../support/fixtures.ts";
import type { TestApp } from "../support/start-app.ts";
import { cutPatch } from "./support/cut-request.ts";

const base64 = (value: string) => Buffer.from(value).toString("base64");
const metadata = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(",");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const content = Buffer.from("src,dst\na,b\nb,c\n");

function urlOf({ server }: TestApp): string {
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

async function keysBelow(app: TestApp, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of app.services.store.list(prefix)) keys.push(key);
  return keys;
}

describeEachDatabase("resumable uploads", { HOPWISE_UPLOAD_BYTES: "40000000" }, (app) => {
  const begin = (dataset: string, bytes: number, pairs: Record<string, string>) =>
    app()
      .admin.post(`/v1/datasets/${dataset}/uploads`)
      .set({ "tus-resumable": "1.0.0", "upload-length": String(bytes), "upload-metadata": metadata(pairs) });
  const patch = (id: string, offset: number, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    app()
      .admin.patch(`/v1/uploads/${id}`)
      .set({ "content-type": "application/offset+octet-stream", "upload-offset": String(offset), ...headers })
      .send(Buffer.from(bytes));
  const sources = async (dataset: string) =>
    (await app().admin.get(`/v1/datasets/${dataset}`)).body.versions[0].sources as { name: string; sha256: string }[];

  it("take a file in pieces, and make it one of the dataset once all of it is there", async () => {
    const dataset = await createDataset(app());
    const made = await begin(dataset, content.byteLength, { filename: "kanten – größe.csv", sha256: sha256(content) });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: "kanten – größe.csv", state: "RECEIVING", bytesDone: 0, bytesTotal: 16 });
    const { id } = made.body;
    expect(made.headers["location"]).toBe(`/v1/uploads/${id}`);
    const first = await patch(id, 0, content.subarray(0, 5));
    expect([first.status, first.headers["upload-offset"]]).toEqual([204, "5"]);
    expect(await sources(dataset)).toEqual([]);
    const head = await app().admin.head(`/v1/uploads/${id}`);
    expect(head.headers).toMatchObject({
      "upload-offset": "5",
      "upload-length": "16",
      "tus-resumable": "1.0.0",
      "cache-control": "no-store",
    });
    expect((await patch(id, 5, content.subarray(5))).headers["upload-offset"]).toBe("16");
    expect(await sources(dataset)).toMatchObject([{ name: "kanten – größe.csv", sha256: sha256(content) }]);
    const done = (await app().admin.get(`/v1/uploads/${id}`)).body;
    expect(done).toMatchObject({
      state: "DONE",
      sha256: sha256(content),
      bytesDone: 16,
      bytesFinished: 16,
      problem: null,
    });
    expect(await keysBelow(app(), `projects/default/uploads/${id}`)).toEqual([]);
  });

  it("are understood by tus's own client, which finds its upload again after it was stopped", async () => {
    const dataset = await createDataset(app());
    const bytes = randomBytes(3_000_000);
    const common = {
      endpoint: `${urlOf(app())}/v1/datasets/${dataset}/uploads`,
      headers: { authorization: `Bearer ${app().adminKey}` },
      metadata: { filename: "big.bin" },
      chunkSize: 1_000_000,
    };
    const url = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        ...common,
        onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? "")),
        onError: reject,
      });
      upload.start();
    });
    const offset = Number((await app().admin.head(new URL(url).pathname)).headers["upload-offset"]);
    expect(offset).toBeGreaterThanOrEqual(1_000_000);
    expect(offset).toBeLessThan(3_000_000);
    await new Promise<void>((resolve, reject) => {
      new Upload(bytes, { ...common, uploadUrl: url, onSuccess: () => resolve(), onError: reject }).start();
    });
    expect(await sources(dataset)).toMatchObject([{ name: "big.bin", sha256: sha256(bytes) }]);
  });

  it("keep every byte that had come when a connection was cut", async () => {
    const dataset = await createDataset(app());
    const bytes = randomBytes(200_000);
    const { id } = (await begin(dataset, bytes.byteLength, { filename: "cut.bin", sha256: sha256(bytes) })).body;
    const viewer = { userId: "admin", name: "admin", role: "ADMIN", projectId: null, via: "key" } as const;
    const body = async function* () {
      yield bytes.subarray(0, 1);
      yield bytes.subarray(1, 70_001);
      throw new Error("aborted");
    };
    const incoming = { offset: 0, body: body(), length: bytes.byteLength, checksum: null, stop: () => undefined };
    await expect(receiveBytes(app().services, viewer, id, incoming)).rejects.toThrow("aborted");
    expect((await app().admin.head(`/v1/uploads/${id}`)).headers["upload-offset"]).toBe("70001");
    expect((await patch(id, 70_001, bytes.subarray(70_001))).status).toBe(204);
    expect(await sources(dataset)).toMatchObject([{ name: "cut.bin", sha256: sha256(bytes) }]);
  });

  it("keep the bytes of a request with a checksum only if they have it", async () => {
    const dataset = await createDataset(app());
    const { id } = (await begin(dataset, content.byteLength, { filename: "edges.csv" })).body;
    const digest = (algorithm: string, bytes: Uint8Array) =>
      `${algorithm} ${createHash(algorithm).update(bytes).digest("base64")}`;
    const wrong = await patch(id, 0, content.subarray(0, 5), { "upload-checksum": digest("sha256", content) });
    expect([wrong.status, wrong.body.code]).toEqual([460, "UPLOAD_CHECKSUM"]);
    expect((await app().admin.head(`/v1/uploads/${id}`)).headers["upload-offset"]).toBe("0");
    const [start, end] = [content.subarray(0, 5), content.subarray(5)];
    expect((await patch(id, 0, start, { "upload-checksum": digest("sha256", start) })).status).toBe(204);
    expect((await patch(id, 5, end, { "upload-checksum": digest("sha1", end) })).status).toBe(204);
    expect(await sources(dataset)).toMatchObject([{ sha256: sha256(content) }]);
  });

  it("of another digest than was announced become no file, and say so", async () => {
    const dataset = await createDataset(app());
    const { id } = (await begin(dataset, 16, { filename: "edges.csv", sha256: "0".repeat(64) })).body;
    const answer = await patch(id, 0, content);
    expect(answer.body).toMatchObject({ status: 460, code: "UPLOAD_CHECKSUM", file: "edges.csv" });
    expect(await sources(dataset)).toEqual([]);
    const { state, problem } = (await app().admin.get(`/v1/uploads/${id}`)).body;
    expect([state, problem.code]).toEqual(["FAILED", "UPLOAD_CHECKSUM"]);
    expect((await patch(id, 16, content)).body.code).toBe("REQUEST_CONFLICT");
  });

  it("that were whole when their process was killed become files at the next look, of any process", async () => {
    const dataset = await createDataset(app());
    const { id } = (await begin(dataset, content.byteLength, { filename: "left.csv" })).body;
    const { prisma, store, uploads } = app().services;
    await store.put(`projects/default/uploads/${id}/${"0".padStart(16, "0")}`, content);
    await prisma.upload.update({ where: { id }, data: { state: "FINISHING" } });
    uploads.finisher.wake();
    await until("the file", async () => (await sources(dataset)).length === 1);
  });

  it("say how much of a file is put together, and the client tells it", async () => {
    const dataset = await createDataset(app());
    const digest = sha256(content);
    const { id } = (await begin(dataset, content.byteLength, { filename: "long.csv", sha256: digest })).body;
    const { prisma, store, uploads, log } = app().services;
    await store.put(`projects/default/uploads/${id}/${"0".padStart(16, "0")}`, content);
    // Another process makes the file; this one does not look, which would take it from that process on PGlite.
    const looks = vi.spyOn(uploads.finisher, "wake").mockImplementation(() => undefined);
    const enough = new AbortController();
    const other = new UploadFinisher({ prisma, store, log, isSoleClient: false }, async (_upload, { onBytes }) => {
      onBytes(7);
      await once(enough.signal, "abort");
      throw new NotYet("It is stopped.");
    });
    const finishing = other.finish(id);
    await until(
      "the share",
      async () => (await prisma.upload.findUniqueOrThrow({ where: { id } })).bytesFinished === 7n,
    );
    const told: number[][] = [];
    const onFinishing = (...bytes: number[]) => {
      told.push(bytes);
      enough.abort();
    };
    const client = new HopwiseClient({ url: urlOf(app()), key: app().adminKey });
    const sending = client.uploadFile({
      dataset,
      file: { ...breakingFile(content, 0), name: "long.csv" },
      onFinishing,
    });
    await finishing;
    looks.mockRestore();
    uploads.finisher.wake();
    expect(await sending).toMatchObject({ id, state: "DONE", bytesFinished: 16 });
    expect(told[0]).toEqual([7, 16]);
  });

  it("that nobody goes on with are removed when their time is over", async () => {
    const dataset = await createDataset(app());
    const { id } = (await begin(dataset, content.byteLength, { filename: "old.csv" })).body;
    await patch(id, 0, content.subarray(0, 5));
    const { prisma, uploads } = app().services;
    await prisma.upload.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect((await app().admin.get(`/v1/uploads/${id}`)).status).toBe(404);
    uploads.finisher.wake();
    await until("the row to go", async () => (await prisma.upload.count({ where: { id } })) === 0);
    expect(await keysBelow(app(), `projects/default/uploads/${id}`)).toEqual([]);
  });

  it("are refused, before a byte is read, from who may not write, too large, too many, or elsewhere", async () => {
    const dataset = await createDataset(app());
    const refused = async (bytes: number, pairs: Record<string, string>) => {
      const { body } = await begin(dataset, bytes, pairs);
      return [body.status, body.code];
    };
    expect(await refused(40_000_001, { filename: "a.csv" })).toEqual([413, "REQUEST_TOO_LARGE"]);
    expect(await refused(0, { filename: "a.csv" })).toEqual([422, "DATASET_FILE_EMPTY"]);
    expect(await refused(1, { filename: "../a.csv" })).toEqual([422, "DATASET_FILE_NAME"]);
    expect(await refused(1, { filename: "a.csv", sha256: "x" })).toEqual([400, "REQUEST_INVALID"]);
    expect(await refused(1, { name: "a.csv" })).toEqual([400, "REQUEST_INVALID"]);
    const { id } = (await begin(dataset, 16, { filename: "a.csv" })).body;
    expect((await patch(id, 3, content)).body).toMatchObject({ code: "REQUEST_CONFLICT", field: "upload-offset" });
    expect((await patch(id, 0, Buffer.alloc(17))).body.code).toBe("REQUEST_TOO_LARGE");
    expect((await patch(id, 0, content, { "upload-checksum": "md5 AAAA" })).body.code).toBe("REQUEST_INVALID");
    expect((await patch(id, 0, content, { "tus-resumable": "0.2.2" })).body.code).toBe("UPLOAD_VERSION");
    expect((await patch(id, 0, content, { "content-type": "text/csv" })).body.code).toBe("REQUEST_FORMAT");
    const authorization = await keyFor(app(), "viewer");
    expect((await patch(id, 0, content, { authorization })).body.code).toBe("AUTH_FORBIDDEN");
    expect((await patch("up_nobody", 0, content)).body.code).toBe("REQUEST_NOT_FOUND");
    expect((await app().admin.delete(`/v1/uploads/${id}`)).status).toBe(204);
    expect((await app().admin.get(`/v1/uploads/${id}`)).status).toBe(404);
  });

  it("are told alike by REST and GraphQL", async () => {
    const dataset = await createDataset(app());
    const { body: made } = await begin(dataset, 16, { filename: "a.csv", fingerprint: "a 16", replace: "true" });
    await patch(made.id, 0, content.subarray(0, 7));
    const fields =
      "id datasetId name state bytesDone bytesTotal expectedSha256 fingerprint replaces sha256 version createdBy createdAt expiresAt problem { code }";
    const query = `{ uploads(dataset: "${dataset}") { ${fields} } upload(id: "${made.id}") { ${fields} } }`;
    const { data } = (await app().admin.post("/graphql").send({ query })).body;
    const { items } = (await app().admin.get(`/v1/datasets/${dataset}/uploads`)).body;
    expect(items).toMatchObject([{ id: made.id, bytesDone: 7, fingerprint: "a 16", replaces: true }]);
    // How much is put together changes by the second, and is for the page of the upload: REST alone tells it.
    const { bytesFinished, ...alike } = items[0];
    expect(bytesFinished).toBe(0);
    expect(data).toEqual({ uploads: [alike], upload: alike });
    const end = `mutation { endUpload(id: "${made.id}") { id } }`;
    expect((await app().admin.post("/graphql").send({ query: end })).body.data.endUpload.id).toBe(made.id);
  });
});

/** A file whose reading fails once, `failsAt` bytes from its beginning, with the connection that it is sent on. */
function breakingFile(bytes: Uint8Array, failsAt: number): UploadFile & { readonly starts: number[] } {
  const starts: number[] = [];
  const slice = (start: number, end = bytes.byteLength) => ({
    stream: () => {
      starts.push(start);
      const isFirst = starts.length === 1;
      return ReadableStream.from(
        (async function* () {
          yield bytes.subarray(start, isFirst ? failsAt : end);
          if (isFirst) throw new Error("The connection is cut.");
        })(),
      );
    },
  });
  return { name: "big.bin", size: bytes.byteLength, sha256: sha256(bytes), stream: slice(0).stream, slice, starts };
}

describe("the client", () => {
  const app = useApp();

  it("goes on with an upload that was cut, and finds one again that another program had begun", async () => {
    const dataset = await createDataset(app());
    const client = new HopwiseClient({ url: urlOf(app()), key: app().adminKey });
    const bytes = randomBytes(500_000);
    const file = breakingFile(bytes, 300_000);
    const waits: (string | null)[] = [];
    const given = { dataset, file, onWaiting: (reason: string | null) => void waits.push(reason) };
    expect(await client.uploadFile(given)).toMatchObject({ state: "DONE", sha256: sha256(bytes) });
    expect(waits.some((reason) => reason !== null)).toBe(true);

    const begun = { filename: "other.bin", sha256: sha256(bytes) };
    const { body: made } = await app()
      .admin.post(`/v1/datasets/${dataset}/uploads`)
      .set({ "upload-length": "500000", "upload-metadata": metadata(begun) });
    await app()
      .admin.patch(`/v1/uploads/${made.id}`)
      .set({ "content-type": "application/offset+octet-stream", "upload-offset": "0" })
      .send(bytes.subarray(0, 123_456));
    const other = { ...breakingFile(bytes, 0), name: "other.bin" };
    other.starts.push(-1);
    const done = await client.uploadFile({ dataset, file: other });
    expect(done).toMatchObject({ id: made.id, state: "DONE", sha256: sha256(bytes) });
    expect(other.starts).toEqual([-1, 123_456]);
  });
});

describe("an upload that is cut at 50 random bytes", () => {
  const app = useApp();

  it("has the digest of what was sent in the end", async () => {
    const dataset = await createDataset(app());
    const bytes = randomBytes(3_000_000);
    const announced = metadata({ filename: "cut.bin", sha256: sha256(bytes) });
    const { body: made } = await app()
      .admin.post(`/v1/datasets/${dataset}/uploads`)
      .set({ "upload-length": String(bytes.byteLength), "upload-metadata": announced });
    const path = `/v1/uploads/${made.id}`;
    const offset = async () => Number((await app().admin.head(path)).headers["upload-offset"]);
    const target = { url: urlOf(app()) + path, headers: { authorization: `Bearer ${app().adminKey}` } };
    // What a cut request had brought may be stored a moment after the next one asks where to go on.
    let sent = 0;
    for (let cut = 0; cut < 50; cut++) {
      const from = await offset();
      // 50 of these never reach the end of the file.
      const cutAfter = Math.floor(Math.random() * 59_000);
      await cutPatch({ ...target, offset: from, bytes: bytes.subarray(from), cutAfter });
      sent = Math.max(sent, from + cutAfter);
      const now = await offset();
      expect(now).toBeGreaterThanOrEqual(from);
      expect(now).toBeLessThanOrEqual(sent);
    }
    const sendRest = async () => {
      const from = await offset();
      const type = { "content-type": "application/offset+octet-stream", "upload-offset": String(from) };
      return (await app().admin.patch(path).set(type).send(bytes.subarray(from))).status;
    };
    // 409: the last cut request was still being stored. A client asks again, and so does this.
    expect([204, 409]).toContain(await sendRest());
    if ((await app().admin.get(path)).body.state !== "DONE") expect(await sendRest()).toBe(204);
    expect((await app().admin.get(path)).body).toMatchObject({ state: "DONE", sha256: sha256(bytes) });
  });
});
