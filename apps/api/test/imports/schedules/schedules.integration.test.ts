import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { until } from "../../../../../test/support/until.ts";
import { HoldLost } from "../../../src/holds/row-holds.ts";
import { Leadership } from "../../../src/leader/leadership.ts";
import { useApp } from "../../support/each-database.ts";
import { createDataset, keyFor } from "../../support/fixtures.ts";
import { dueTime, lookAtSchedules, runSchedule } from "../support/run-schedule.ts";
import { accessKeyId, region, S3Server, secretAccessKey } from "../support/s3-server.ts";
import { SourceServer } from "../support/source-server.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1" });
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const edges = Buffer.from("src,dst\na,b\nb,c\n");
const spec = { version: 1, edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
let source: SourceServer;
let dataset: string;

beforeAll(async () => {
  source = await SourceServer.start();
});
afterAll(() => source.close());
beforeEach(async () => {
  source.files.clear();
  source.handlers.clear();
  source.requests.length = 0;
  await app().services.prisma.importSchedule.deleteMany();
  dataset = await createDataset(app());
});

const read = async (path: string) => (await app().admin.get(path).expect(200)).body;

/** An import that has succeeded, and whose graph is as good as built. */
async function imported(files: readonly object[] = [{ url: source.url("/edges.csv") }], more: object = { spec }) {
  const { body } = await app()
    .admin.post(`/v1/datasets/${dataset}/imports`)
    .send({ files, ...more });
  const done = await until("the import", async () => {
    const found = await read(`/v1/imports/${body.id}`);
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
  if (done.version !== null) await makeReady(done.version);
  return done;
}

const makeReady = (id: string) =>
  app().services.prisma.datasetVersion.update({ where: { id }, data: { state: "READY" } });

async function scheduled(importId: string, request: object = { every: "daily" }) {
  const { body, status } = await app().admin.post(`/v1/imports/${importId}/schedules`).send(request);
  expect([status, body.detail]).toEqual([201, undefined]);
  return body.id as string;
}

const later = dueTime;
const look = (now: Date, who?: Pick<Leadership, "assert">) => lookAtSchedules(app(), now, who);
const ran = (id: string) => runSchedule(app(), id);

const numbers = async () => ({
  versions: (await read(`/v1/datasets/${dataset}`)).versions.length,
  imports: (await read(`/v1/datasets/${dataset}/imports`)).items.length,
});

describe("a schedule", () => {
  it("makes a new version where the source has changed, and leaves nothing where it has not", async () => {
    source.files.set("/edges.csv", { bytes: edges, etag: '"1"' });
    const first = await imported();
    const id = await scheduled(first.id);
    source.requests.length = 0;
    expect(await ran(id)).toMatchObject({
      lastResult: "UNCHANGED",
      importId: first.id,
      state: "ACTIVE",
      problem: null,
    });
    expect(await numbers()).toEqual({ versions: 1, imports: 1 });
    expect(source.requests.map(({ headers }) => headers["if-none-match"])).toEqual(['"1"']);
    const newer = Buffer.from("src,dst\na,c\n");
    source.files.set("/edges.csv", { bytes: newer, etag: '"2"' });
    const changed = await ran(id);
    expect(changed).toMatchObject({ lastResult: "CHANGED", failures: 0 });
    expect(await numbers()).toEqual({ versions: 2, imports: 2 });
    const run = await read(`/v1/imports/${changed.importId}`);
    expect(run).toMatchObject({ version: changed.version, files: [{ sha256: digest(newer) }] });
    expect((await read(`/v1/jobs/${run.jobId}`)).kind).toBe("ingest");
    await makeReady(changed.version);
    expect(await ran(id)).toMatchObject({ lastResult: "UNCHANGED", importId: changed.importId });
  });

  it("knows files again by their digests where the source does not tell, and keeps no parts of them", async () => {
    source.files.set("/edges.csv", { bytes: edges, isPlain: true });
    const id = await scheduled((await imported()).id, { cron: "0 6 * * 1", timeZone: "Europe/Berlin" });
    const { changes } = app().services;
    const follower = changes.follow({ userId: "usr_somebody", projectId: null });
    await follower.next();
    expect(await ran(id)).toMatchObject({ lastResult: "UNCHANGED", cron: "0 6 * * 1", timeZone: "Europe/Berlin" });
    // Its import has come and gone: pages learn of it by the schedule.
    expect((await follower.next()).value).toContain("DATASETS");
    await follower.return();
    expect(await numbers()).toEqual({ versions: 1, imports: 1 });
    const parts: string[] = [];
    for await (const key of app().services.store.list("projects/default/imports")) parts.push(key);
    expect(parts).toEqual([]);
  });

  it("takes nothing for what it fetched when its process dies after the parts of an unchanged run are gone", async () => {
    source.files.set("/edges.csv", { bytes: edges, isPlain: true });
    const id = await scheduled((await imported()).id);
    const { store } = app().services;
    const remove = store.delete.bind(store);
    const struck: string[] = [];
    const spy = vi.spyOn(store, "delete").mockImplementation(async (key) => {
      await remove(key);
      const { runId } = await read(`/v1/import-schedules/${id}`);
      if (struck.length > 0 || runId === null || !key.endsWith(runId)) return;
      struck.push(key);
      throw new HoldLost("This is where the process is killed.");
    });
    try {
      expect(await ran(id)).toMatchObject({ lastResult: "UNCHANGED" });
    } finally {
      spy.mockRestore();
    }
    expect(struck).toHaveLength(1);
    expect(await numbers()).toEqual({ versions: 1, imports: 1 });
  });

  it("starts one run for all times that were missed, and none while one goes on", async () => {
    let open = () => {};
    source.files.set("/edges.csv", { bytes: edges, etag: '"1"' });
    const id = await scheduled((await imported()).id, { every: "hourly" });
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    source.files.set("/edges.csv", { bytes: Buffer.from("src,dst\nx,y\n"), etag: '"2"', gate: () => gate });
    const { nextAt } = await read(`/v1/import-schedules/${id}`);
    const late = new Date(new Date(nextAt).getTime() + 5.5 * 3_600_000);
    await Promise.all([look(late), look(late)]);
    await look(new Date(late.getTime() + 2 * 3_600_000));
    const going = await read(`/v1/import-schedules/${id}`);
    expect(new Date(going.nextAt).getTime() - new Date(nextAt).getTime()).toBe(6 * 3_600_000);
    expect(await numbers()).toEqual({ versions: 1, imports: 2 });
    open();
    await until("the end", async () => {
      await look(late);
      return (await read(`/v1/import-schedules/${id}`)).lastResult === "CHANGED";
    });
    expect(await numbers()).toEqual({ versions: 2, imports: 2 });
  });

  it("is written by the leader alone: what a deposed one decides is undone", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const id = await scheduled((await imported()).id);
    const { prisma } = app().services;
    const [old, next] = ["old", "next"].map((holder) => new Leadership({ prisma, holder, isSoleClient: true }));
    await old?.campaign();
    await next?.campaign();
    const before = await read(`/v1/import-schedules/${id}`);
    await expect(look(later(before), old)).rejects.toThrow("Another API process leads now");
    expect(await read(`/v1/import-schedules/${id}`)).toEqual(before);
    expect(await numbers()).toEqual({ versions: 1, imports: 1 });
    await look(later(before), next);
    expect((await read(`/v1/import-schedules/${id}`)).runId).not.toBeNull();
    await next?.resign();
  });

  it("tells why a run failed, is paused after three in a row, and goes on when it is resumed", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const id = await scheduled((await imported()).id);
    source.files.clear();
    for (const failures of [1, 2])
      expect(await ran(id)).toMatchObject({ state: "ACTIVE", failures, problem: { code: "IMPORT_NOT_FOUND" } });
    expect(await ran(id)).toMatchObject({ state: "PAUSED", pauseReason: "FAILURES", nextAt: null, failures: 3 });
    source.files.set("/edges.csv", { bytes: Buffer.from("src,dst\nx,y\n") });
    const { body } = await app().admin.post(`/v1/import-schedules/${id}/resume`).expect(200);
    expect(body).toMatchObject({ state: "ACTIVE", pauseReason: null, failures: 0 });
    expect(await ran(id)).toMatchObject({ lastResult: "CHANGED", problem: null });
  });

  it("tries again after longer and longer what may pass, and is paused later for it", async () => {
    const server = await new S3Server().start();
    const hosts = [new URL(server.endpoint).host];
    const credential = { name: "away", kind: "s3", hosts, secret: `${accessKeyId}:${secretAccessKey}` };
    await app().admin.post("/v1/source-credentials").send(credential).expect(201);
    const url = `s3://graphs/papers/?region=${region}&endpoint=${encodeURIComponent(server.endpoint)}`;
    server.objects.set("papers/edges.csv", edges);
    const id = await scheduled((await imported([{ url, credential: "away" }], {})).id);
    await server.close();
    const waits: number[] = [];
    for (let failures = 1; failures < 12; failures++) {
      const now = later(await read(`/v1/import-schedules/${id}`));
      await look(now);
      const found = await read(`/v1/import-schedules/${id}`);
      expect(found).toMatchObject({ state: "ACTIVE", failures, problem: { code: "IMPORT_SOURCE" } });
      waits.push((new Date(found.nextAt).getTime() - now.getTime()) / 60_000);
    }
    expect(waits.slice(0, 6)).toEqual([15, 30, 60, 120, 240, 480]);
    expect(Math.max(...waits)).toBeLessThanOrEqual(24 * 60);
    await look(later(await read(`/v1/import-schedules/${id}`)));
    expect(await read(`/v1/import-schedules/${id}`)).toMatchObject({ state: "PAUSED", pauseReason: "FAILURES" });
  });

  it("is paused for a credential that is gone, a role that was lost and a user who is not there", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const { host } = new URL(source.url("/"));
    const credential = { name: "archive", kind: "bearer", hosts: [host], secret: "s3cret" };
    const { body } = await app().admin.post("/v1/source-credentials").send(credential).expect(201);
    const { id: importId } = await imported([{ url: source.url("/edges.csv"), credential: "archive" }]);
    const id = await scheduled(importId);
    await app().admin.delete(`/v1/source-credentials/${body.id}`).expect(204);
    const reasonOf = async () => {
      await look(later(await read(`/v1/import-schedules/${id}`)));
      const { state, pauseReason, runId } = await read(`/v1/import-schedules/${id}`);
      expect([state, runId]).toEqual(["PAUSED", null]);
      await app().admin.post(`/v1/import-schedules/${id}/resume`).expect(200);
      return pauseReason;
    };
    expect(await reasonOf()).toBe("CREDENTIAL");
    const { prisma } = app().services;
    await prisma.user.create({ data: { id: "usr_reader", name: "reader of schedules", role: "VIEWER" } });
    for (const [createdBy, reason] of [
      ["usr_reader", "ROLE"],
      ["usr_nobody", "USER"],
    ] as const) {
      await prisma.importSchedule.update({ where: { id }, data: { createdBy } });
      expect(await reasonOf()).toBe(reason);
    }
    expect(await numbers()).toEqual({ versions: 1, imports: 1 });
  });

  it("lists a prefix of S3 anew, and so does Fetch again", async () => {
    const server = await new S3Server().start();
    try {
      const hosts = [new URL(server.endpoint).host];
      const credential = { name: "bucket", kind: "s3", hosts, secret: `${accessKeyId}:${secretAccessKey}` };
      await app().admin.post("/v1/source-credentials").send(credential).expect(201);
      const url = `s3://graphs/papers/?region=${region}&endpoint=${encodeURIComponent(server.endpoint)}`;
      server.objects.set("papers/edges.csv", edges);
      const first = await imported([{ url, credential: "bucket" }], {});
      const id = await scheduled(first.id);
      expect(await ran(id)).toMatchObject({ lastResult: "UNCHANGED" });
      server.objects.set("papers/nodes.csv", Buffer.from("id,y\na,1\n"));
      const { importId } = await ran(id);
      const names = ({ files }: { files: { name: string }[] }) => files.map(({ name }) => name);
      expect(names(await read(`/v1/imports/${importId}`))).toEqual(["edges.csv", "nodes.csv"]);
      expect(names((await app().admin.post(`/v1/imports/${first.id}/again`).expect(202)).body)).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  it("is told alike by REST and GraphQL, paused and deleted by both, and goes with its dataset", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const { id: importId } = await imported();
    const graphql = async (query: string) => {
      const { body } = await app().admin.post("/graphql").send({ query });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const make = `mutation { createImportSchedule(import: "${importId}", input: { every: "6h", cron: null }) { id } }`;
    const { id } = (await graphql(make)).createImportSchedule;
    const fields = `id projectId datasetId importId sources everyMinutes cron timeZone state pauseReason nextAt runId
      failures lastAt lastResult version problem { code } createdBy createdAt`;
    const { items } = await read(`/v1/import-schedules?dataset=${dataset}`);
    expect(items).toMatchObject([{ id, everyMinutes: 360, sources: [source.url("/edges.csv")] }]);
    // What is said of rows that are added, REST alone has.
    const shared = structuredClone(items);
    for (const item of shared) delete item.adds;
    expect((await graphql(`{ importSchedules(dataset: "${dataset}") { ${fields} } }`)).importSchedules).toEqual(shared);
    const paused = await graphql(`mutation { pauseImportSchedule(id: "${id}") { state pauseReason nextAt } }`);
    expect(paused.pauseImportSchedule).toEqual({ state: "PAUSED", pauseReason: "REQUESTED", nextAt: null });
    expect((await graphql(`mutation { resumeImportSchedule(id: "${id}") { state } }`)).resumeImportSchedule.state).toBe(
      "ACTIVE",
    );
    expect(await graphql(`mutation { deleteImportSchedule(id: "${id}") }`)).toEqual({ deleteImportSchedule: true });
    await app().admin.get(`/v1/import-schedules/${id}`).expect(404);
    const other = await scheduled(importId);
    await app().services.prisma.job.updateMany({ data: { state: "CANCELLED" } });
    await app().admin.delete(`/v1/datasets/${dataset}`).expect(204);
    await app().admin.get(`/v1/import-schedules/${other}`).expect(404);
    await look(new Date());
    expect(await app().services.prisma.importSchedule.count({ where: { id: other } })).toBe(0);
  });

  it("is one of its addresses in a dataset, also where it is asked for an older import of them", async () => {
    source.files.set("/edges.csv", { bytes: edges, etag: '"1"' });
    const { id: older } = await imported();
    const id = await scheduled(older);
    source.files.set("/edges.csv", { bytes: Buffer.from("src,dst\na,c\n"), etag: '"2"' });
    const { importId, version } = await ran(id);
    expect(importId).not.toBe(older);
    await makeReady(version);
    const second = await app().admin.post(`/v1/imports/${older}/schedules`).send({ every: "daily" });
    expect([second.status, second.body.code]).toEqual([409, "REQUEST_CONFLICT"]);
    expect(second.body.detail).toContain(id);
    source.files.set("/nodes.csv", { bytes: Buffer.from("id\na\n") });
    const { id: other } = await imported([{ url: source.url("/nodes.csv") }], {});
    const told = async () => {
      const query = `{ imports(dataset: "${dataset}") { id repeatedBy } import(id: "${older}") { repeatedBy } }`;
      const { data, errors } = (await app().admin.post("/graphql").send({ query })).body;
      expect(errors).toBeUndefined();
      const { imports, import: one } = data as {
        imports: { id: string; repeatedBy: string | null }[];
        import: { repeatedBy: string | null };
      };
      return [...new Map(imports.map((row) => [row.id, row.repeatedBy])), ["alone", one.repeatedBy]];
    };
    expect(Object.fromEntries(await told())).toEqual({ [older]: id, [importId]: id, [other]: null, alone: id });
    const beside = await scheduled(other);
    expect(Object.fromEntries(await told())).toMatchObject({ [older]: id, [other]: beside });
  });

  it("makes no second version of what somebody has fetched by hand, or what a schedule before it had brought", async () => {
    source.files.set("/edges.csv", { bytes: edges, etag: '"1"' });
    const { id: older } = await imported();
    const id = await scheduled(older);
    source.files.set("/edges.csv", { bytes: Buffer.from("src,dst\na,c\n"), etag: '"2"' });
    const { body } = await app().admin.post(`/v1/imports/${older}/again`).expect(202);
    const byHand = await until("the import", async () => {
      const found = await read(`/v1/imports/${body.id}`);
      return found.state === "SUCCEEDED" ? found : null;
    });
    await makeReady(byHand.version);
    expect(await ran(id)).toMatchObject({ lastResult: "UNCHANGED" });
    await app().admin.delete(`/v1/import-schedules/${id}`).expect(204);
    expect(await ran(await scheduled(older))).toMatchObject({ lastResult: "UNCHANGED" });
    expect((await numbers()).versions).toBe(2);
  });

  it("is an editor's to make, at most twenty in a project and one of an import", async () => {
    source.files.set("/edges.csv", { bytes: edges });
    const { id: importId } = await imported();
    const authorization = await keyFor(app(), "viewer");
    const asViewer = (path: string) => app().anonymous.post(path).set({ authorization });
    await asViewer(`/v1/imports/${importId}/schedules`).send({ every: "daily" }).expect(403);
    const id = await scheduled(importId);
    await asViewer(`/v1/import-schedules/${id}/pause`).expect(403);
    const again = () => app().admin.post(`/v1/imports/${importId}/schedules`).send({ every: "daily" });
    expect((await again()).body.detail).toContain(id);
    const { prisma } = app().services;
    const { id: _, problem: __, ...one } = await prisma.importSchedule.findUniqueOrThrow({ where: { id } });
    const copies = Array.from({ length: 19 }, (_, i) => ({
      ...one,
      id: `isch_${i}`,
      importId: `imp_${i}`,
    }));
    await prisma.importSchedule.createMany({ data: copies });
    expect((await again()).body).toMatchObject({ code: "REQUEST_CONFLICT", detail: expect.stringContaining("20") });
    await prisma.importSchedule.deleteMany();
    await prisma.import.update({ where: { id: importId }, data: { published: "cora" } });
    expect((await again()).body.detail).toContain("does not change");
  });

  it("is not made of an import that has not ended", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    source.files.set("/edges.csv", { bytes: edges, gate: () => gate });
    const files = [{ url: source.url("/edges.csv") }];
    const { body } = await app().admin.post(`/v1/datasets/${dataset}/imports`).send({ files }).expect(202);
    const refused = await app().admin.post(`/v1/imports/${body.id}/schedules`).send({ every: "daily" });
    open();
    expect([refused.status, refused.body.detail]).toEqual([409, "The import has not ended; wait for that."]);
    await until("its end", async () => (await read(`/v1/imports/${body.id}`)).state === "SUCCEEDED");
  });
});
