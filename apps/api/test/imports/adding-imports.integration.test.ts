import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";
import { runSchedule } from "./support/run-schedule.ts";
import { reader, SourceDatabase } from "./support/source-database.ts";
import { SourceServer } from "./support/source-server.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1" });
const edges = (rows: string) => Buffer.from(`src,dst\n${rows}\n`);
const spec = { version: 1, edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
let source: SourceServer;
let dataset: string;

beforeAll(async () => {
  source = await SourceServer.start();
});
afterAll(() => source.close());
beforeEach(async () => {
  source.files.clear();
  source.files.set("/edges.csv", { bytes: edges("a,b"), etag: '"1"' });
  await app().services.prisma.importSchedule.deleteMany();
  dataset = await createDataset(app());
});

const read = async (path: string) => (await app().admin.get(path).expect(200)).body;
const url = (path = "/edges.csv") => source.url(path);
const ask = (body: object) => app().admin.post(`/v1/datasets/${dataset}/imports`).send(body);

async function ended(id: string) {
  return until("the import", async () => {
    const found = await read(`/v1/imports/${id}`);
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
}

/** An import that has succeeded, and whose graph is as good as built. */
async function imported(body: object, state: "READY" | "FAILED" | null = "READY") {
  const { body: asked, status } = await ask(body);
  expect([status, asked.detail]).toEqual([202, undefined]);
  const done = await ended(asked.id);
  if (state !== null) await settled(done.version, state);
  return done;
}

async function settled(id: string, state: "READY" | "FAILED"): Promise<void> {
  await app().services.prisma.datasetVersion.update({ where: { id }, data: { state } });
}

const first = () => imported({ files: [{ url: url() }], spec });

interface Source {
  readonly name: string;
  readonly carriedFrom: number | null;
}

/** Files of the newest version, which version each came with, and how it is read */
async function newest() {
  const [version] = (await read(`/v1/datasets/${dataset}`)).versions;
  const { number, addsTo, sources } = version;
  const stored = await app().services.prisma.datasetVersion.findUniqueOrThrow({ where: { id: version.id } });
  const files = Object.fromEntries(sources.map(({ name, carriedFrom }: Source) => [name, carriedFrom]));
  return { number, addsTo, files, spec: stored.spec };
}

const kindOf = async (jobId: string) => (await read(`/v1/jobs/${jobId}`)).kind;

describe("an import that adds", () => {
  it("keeps the files that are there, and reads one of the same name, which is counted on, as that one is", async () => {
    await first();
    source.files.set("/edges.csv", { bytes: edges("b,c") });
    const done = await imported({ files: [{ url: url() }], adds: true });
    expect(done).toMatchObject({ adds: true, files: [{ name: "edges.csv", storedAs: "edges-2.csv" }] });
    expect(await kindOf(done.jobId)).toBe("ingest");
    expect(await newest()).toMatchObject({
      number: 2,
      addsTo: 1,
      files: { "edges.csv": 1, "edges-2.csv": null },
      spec: { edges: { files: ["edges.csv", "edges-2.csv"], src: "src" } },
    });
  });

  it("has a file of another name looked at, and so is one whose like the graph is not read from", async () => {
    await first();
    source.files.set("/people.csv", { bytes: Buffer.from("id,age\na,1\n") });
    const done = await imported({ files: [{ url: url("/people.csv") }, { url: url() }], adds: true }, null);
    expect(await kindOf(done.jobId)).toBe("map");
    expect(await newest()).toMatchObject({ files: { "edges.csv": 1, "people.csv": null, "edges-2.csv": null } });
  });

  it("goes into the open version that adds, beside what it has got", async () => {
    await first();
    await imported({ files: [{ url: url() }], adds: true }, null);
    await app().services.prisma.datasetVersion.updateMany({
      where: { datasetId: dataset, number: 2 },
      data: { state: "MAPPING" },
    });
    const done = await imported({ files: [{ url: url() }], adds: true });
    expect(done.files).toMatchObject([{ storedAs: "edges-2-2.csv" }]);
    expect(await newest()).toMatchObject({ number: 2, files: { "edges-2.csv": null, "edges-2-2.csv": null } });
  });

  it("is added to the newest graph where the version before it has failed, without that one's files", async () => {
    await first();
    await imported({ files: [{ url: url() }], adds: true }, "FAILED");
    await imported({ files: [{ url: url() }], adds: true });
    expect(await newest()).toMatchObject({
      number: 3,
      addsTo: 1,
      files: { "edges.csv": 1, "edges-3.csv": null },
      spec: { edges: { files: ["edges.csv", "edges-3.csv"] } },
    });
  });

  it("adds again when it is fetched again", async () => {
    await first();
    const { id } = await imported({ files: [{ url: url() }], adds: true });
    source.files.set("/edges.csv", { bytes: edges("c,d") });
    const { body } = await app().admin.post(`/v1/imports/${id}/again`).send();
    const again = await ended(body.id);
    expect(again).toMatchObject({ adds: true, files: [{ name: "edges.csv", storedAs: "edges-3.csv" }] });
    expect((await newest()).files).toEqual({ "edges.csv": 1, "edges-2.csv": 2, "edges-3.csv": null });
  });

  it.each([
    ["replace", { replace: true }],
    ["spec", { spec }],
    ["published", { published: "cora", files: undefined }],
  ])("goes without %s, which is that of the version it adds to", async (field, more) => {
    await first();
    const { body, status } = await ask({ files: [{ url: url() }], adds: true, ...more });
    expect([status, body.code, body.pointer]).toEqual([400, "REQUEST_INVALID", `/${field}`]);
  });

  it("is refused where there is no graph, and while another version is open", async () => {
    const { body: empty } = await ask({ files: [{ url: url() }], adds: true });
    expect(empty).toMatchObject({
      code: "REQUEST_CONFLICT",
      detail: expect.stringContaining("import without adds first"),
    });
    await first();
    await app().admin.post(`/v1/datasets/${dataset}/versions`).send({ withFiles: true }).expect(201);
    const { body: open } = await ask({ files: [{ url: url() }], adds: true });
    expect(open).toMatchObject({ code: "REQUEST_CONFLICT", detail: expect.stringContaining("stands alone") });
  });
});

describe("a dataset that was added to for so many nights that another file or few would be too many", () => {
  const rows = (...ends: string[]) => Buffer.from(ends.map((dst) => `{"src":"a","dst":"${dst}"}`).join("\n"));
  const ofSales = { version: 1, edges: { files: ["sales.jsonl"], src: "src", dst: "dst" } };
  const night = async (...ends: string[]) => {
    source.files.set("/sales.jsonl", { bytes: rows(...ends) });
    return imported({ files: [{ url: url("/sales.jsonl") }], adds: true });
  };
  const count = (nextFile: number) =>
    app().services.prisma.datasetVersion.updateMany({ where: { datasetId: dataset }, data: { nextFile } });

  it("has the rows of the nights before in one file, in their order, and goes on", async () => {
    source.files.set("/sales.jsonl", { bytes: rows("b", "c") });
    await imported({ files: [{ url: url("/sales.jsonl") }], spec: ofSales });
    await night("d");
    await count(47);
    await night("e");
    expect((await newest()).files).toEqual({ "sales.jsonl": 1, "sales-2.jsonl": 2, "sales-3.jsonl": null });
    await count(64);
    await night("f");
    expect(await newest()).toMatchObject({
      number: 4,
      addsTo: 3,
      files: { "sales.jsonl": 1, "sales-4.jsonl": null },
      spec: { edges: { files: ["sales.jsonl", "sales-4.jsonl"], src: "src" } },
    });
    const { prisma, store } = app().services;
    const [joined] = await prisma.sourceFile.findMany({
      where: { version: { datasetId: dataset, number: 4 }, name: "sales.jsonl" },
    });
    expect(await text(await store.get(joined?.blobKey ?? ""))).toBe(
      `${["b", "c", "d", "e"].map((dst) => rows(dst).toString()).join("\n")}\n`,
    );
    expect(await kindOf((await night("g")).jobId)).toBe("ingest");
    expect((await newest()).files).toEqual({ "sales.jsonl": 1, "sales-4.jsonl": 4, "sales-5.jsonl": null });
  });

  it("is refused by name where a file of a night is not what was stored", async () => {
    source.files.set("/sales.jsonl", { bytes: rows("b") });
    await imported({ files: [{ url: url("/sales.jsonl") }], spec: ofSales });
    await night("c");
    await count(64);
    const { prisma } = app().services;
    await prisma.sourceFile.updateMany({ where: { name: "sales-2.jsonl" }, data: { sha256: "0".repeat(64) } });
    source.files.set("/sales.jsonl", { bytes: rows("d") });
    const { body } = await ask({ files: [{ url: url("/sales.jsonl") }], adds: true });
    expect(await ended(body.id)).toMatchObject({ state: "FAILED", problem: { code: "ARTIFACT_DAMAGED" } });
  });
});

describe("a schedule that adds", () => {
  it("adds what has come since to each version, and nothing where nothing has", async () => {
    const { id: importId } = await first();
    const path = `/v1/imports/${importId}/schedules`;
    const { body: schedule } = await app().admin.post(path).send({ every: "daily", adds: true }).expect(201);
    expect(schedule.adds).toBe(true);
    expect(await runSchedule(app(), schedule.id)).toMatchObject({ lastResult: "UNCHANGED" });
    for (const number of [2, 3]) {
      source.files.set("/edges.csv", { bytes: edges(`b,${number}`), etag: `"${number}"` });
      const run = await runSchedule(app(), schedule.id);
      expect(run).toMatchObject({ lastResult: "CHANGED", problem: null });
      await settled(run.version, "READY");
    }
    expect(await newest()).toMatchObject({
      addsTo: 2,
      files: { "edges.csv": 1, "edges-2.csv": 2, "edges-3.csv": null },
      spec: { edges: { files: ["edges.csv", "edges-2.csv", "edges-3.csv"] } },
    });
  });

  it("fetches the same rows once more where the version that they came with has failed", async () => {
    const { id: importId } = await first();
    const { body } = await app().admin.post(`/v1/imports/${importId}/schedules`).send({ every: "daily", adds: true });
    source.files.set("/edges.csv", { bytes: edges("b,c"), etag: '"2"' });
    await settled((await runSchedule(app(), body.id)).version, "FAILED");
    expect(await runSchedule(app(), body.id)).toMatchObject({ lastResult: "CHANGED" });
    expect(await newest()).toMatchObject({ number: 3, addsTo: 1, files: { "edges.csv": 1, "edges-3.csv": null } });
  });
});

describe.skipIf(!isPostgresInstalled)("a query for the rows of a day, by schedule", () => {
  let shop: SourceDatabase;
  beforeAll(async () => {
    shop = await SourceDatabase.start();
    await shop.run("CREATE TABLE clock (day int); INSERT INTO clock VALUES (1)");
    await shop.run(
      "CREATE TABLE sales (day int, src text, dst text); INSERT INTO sales VALUES (1, 'a', 'b'), (3, 'b', 'c')",
    );
    const secret = `${reader.user}:${reader.password}`;
    const credential = { name: "shop", kind: "database", hosts: [shop.host], secret };
    await app().admin.post("/v1/source-credentials").send(credential).expect(201);
  });
  afterAll(() => shop?.stop());

  it("adds a file for each day that has rows; a day without any is no failure", async () => {
    const query = "SELECT day, src, dst FROM sales JOIN clock USING (day)";
    const files = [{ url: shop.url, credential: "shop", query, name: "sales" }];
    const ofSales = { version: 1, edges: { files: ["sales.jsonl"], src: "src", dst: "dst" } };
    const { id: importId } = await imported({ files, spec: ofSales });
    const path = `/v1/imports/${importId}/schedules`;
    const { body: schedule } = await app().admin.post(path).send({ every: "daily", adds: true }).expect(201);
    await shop.run("UPDATE clock SET day = 2");
    expect(await runSchedule(app(), schedule.id)).toMatchObject({ lastResult: "UNCHANGED", failures: 0 });
    await shop.run("UPDATE clock SET day = 3");
    const run = await runSchedule(app(), schedule.id);
    expect(run).toMatchObject({ lastResult: "CHANGED", failures: 0 });
    expect(await newest()).toMatchObject({
      number: 2,
      files: { "sales.jsonl": 1, "sales-2.jsonl": null },
      spec: { edges: { files: ["sales.jsonl", "sales-2.jsonl"] } },
    });
    await settled(run.version, "READY");
    await shop.run("UPDATE clock SET day = 4");
    const none = await imported({ files, adds: true }, null);
    expect(none).toMatchObject({ state: "FAILED", problem: { code: "DATASET_FILE_EMPTY" } });
    expect((await newest()).number).toBe(2);
  });
});
