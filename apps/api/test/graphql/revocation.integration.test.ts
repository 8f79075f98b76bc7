import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useApp } from "../support/each-database.ts";
import { createDataset, readyDataset } from "../support/fixtures.ts";
import { type FreshDatabase, freshDatabase } from "../support/fresh-database.ts";
import { addressOf, openSocket } from "../support/graphql-socket.ts";
import { startApp, type TestApp } from "../support/start-app.ts";
import { isPostgresInstalled } from "../support/start-postgres.ts";

const mintsKey = `mutation { createApiKey(input: { name: "kept", role: ADMIN }) { secret } }`;
const follows = `subscription ($jobId: ID!) { jobEvents(jobId: $jobId) { cursor } }`;
const isClosed = { code: 4401, reason: expect.stringContaining("AUTH_INVALID") };

async function adminKey(app: TestApp): Promise<{ id: string; authorization: string }> {
  const { body } = await app.admin.post("/v1/api-keys").send({ name: "revoked soon", role: "admin" }).expect(201);
  return { id: body.id, authorization: `Bearer ${body.secret}` };
}

async function signIn(app: TestApp): Promise<string> {
  const { body } = await app.admin.post("/v1/sign-in-links").expect(201);
  const token = new URL(body.url).searchParams.get("token");
  const answer = await app.anonymous.post("/v1/session").send({ token }).expect(204);
  return answer.get("Set-Cookie")?.[0]?.split(";")[0] ?? "";
}

async function queuedJob(app: TestApp): Promise<string> {
  const spec = { version: 1, kind: "train", dataset: await readyDataset(app), task: { target: "label" } };
  return (await app.admin.post("/v1/jobs").send(spec).expect(202)).body.id;
}

/** Reads until the server ends it. */
async function readToEnd(response: Response): Promise<"whole" | "cut off"> {
  try {
    for await (const _chunk of response.body ?? []);
    return "whole";
  } catch {
    return "cut off";
  }
}

describe("what is revoked is revoked", () => {
  const app = useApp();

  it("for the next operation on a socket that is open already", async () => {
    const { id, authorization } = await adminKey(app());
    const socket = await openSocket(app(), { authorization });
    expect(await socket.run("{ me { role } }")).toEqual({ data: { me: { role: "ADMIN" } } });
    await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    const minted = await socket.run(mintsKey).catch(() => "refused");
    expect(minted).toBe("refused");
    expect(await socket.closed).toMatchObject(isClosed);
    expect(await app().services.prisma.apiKey.count({ where: { name: "kept" } })).toBe(0);
  });

  it.each(["by REST", "by itself over the socket"])("for a socket on which nothing happens, %s", async (how) => {
    const { id, authorization } = await adminKey(app());
    const socket = await openSocket(app(), { authorization });
    if (how === "by REST") await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    else await socket.run(`mutation { revokeApiKey(id: "${id}") }`);
    expect(await socket.closed).toMatchObject(isClosed);
  });

  it("for a running subscription and an event stream", async () => {
    const { id, authorization } = await adminKey(app());
    const jobId = await queuedJob(app());
    const socket = await openSocket(app(), { authorization });
    const events = socket.client.iterate({ query: follows, variables: { jobId } });
    await events.next();
    const headers = { authorization };
    const stream = await fetch(`http://${addressOf(app())}/v1/jobs/${jobId}/events`, { headers });
    const streamEnd = readToEnd(stream);
    await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    await expect(events.next()).rejects.toMatchObject(isClosed);
    await streamEnd;
    const again = await fetch(`http://${addressOf(app())}/v1/jobs/${jobId}/events`, { headers });
    expect(again.status).toBe(401);
  });

  it("for a key that expires while its socket is open", async () => {
    const { id, authorization } = await adminKey(app());
    const socket = await openSocket(app(), { authorization });
    const expiresAt = new Date(Date.now() + 600);
    await app().services.prisma.apiKey.update({ where: { id }, data: { expiresAt } });
    expect(await socket.closed).toMatchObject(isClosed);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it("for a session that is ended, and one whose user has another role now", async () => {
    const { prisma } = app().services;
    const ended = await signIn(app());
    const endedSocket = await openSocket(app(), { cookie: ended });
    await app().anonymous.delete("/v1/session").set("cookie", ended).expect(204);
    expect(await endedSocket.closed).toMatchObject(isClosed);
    const demoted = await openSocket(app(), { cookie: await signIn(app()) });
    await prisma.user.update({ where: { id: "admin" }, data: { role: "VIEWER" } });
    expect(await demoted.closed).toMatchObject(isClosed);
    // A key is not worth more than its maker.
    const { body } = await app().admin.post("/graphql").send({ query: "{ me { role } }" });
    expect(body.data.me.role).toBe("VIEWER");
    await prisma.user.update({ where: { id: "admin" }, data: { role: "ADMIN" } });
  });

  it("for the next request, though many have just been let in", async () => {
    const { id, authorization } = await adminKey(app());
    const reads = (header: "authorization" | "cookie", value: string) =>
      app().anonymous.get("/v1/projects").set(header, value);
    await Promise.all(Array.from({ length: 5 }, () => reads("authorization", authorization).expect(200)));
    await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    await reads("authorization", authorization).expect(401);
    const session = await signIn(app());
    await reads("cookie", session).expect(200);
    await app().anonymous.delete("/v1/session").set("cookie", session).expect(204);
    await reads("cookie", session).expect(401);
  });

  it("for a download that is under way", async () => {
    const { id, authorization } = await adminKey(app());
    const { prisma, store } = app().services;
    const bytes = 64 * 1024 ** 2;
    const content = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(bytes / 64)));
    const { sha256 } = await store.put("long/blob.bin", content);
    const blob = { name: "blob.bin", bytes, sha256 };
    const owner = { projectId: "default", createdBy: "admin" };
    await prisma.artifact.create({
      data: { ...owner, id: "art_long", kind: "exports", prefix: "long", digest: "d", bytes, info: {}, blobs: [blob] },
    });
    const url = `http://${addressOf(app())}/v1/artifacts/art_long?blob=blob.bin`;
    // A connection of its own, whose end the service tells: nobody reads on, so the reader would not hear of it.
    const accepted = once(app().server.server, "connection");
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { headers: { authorization }, agent: false }, resolve).on("error", reject);
    });
    expect(response.statusCode).toBe(200);
    const [connection] = (await accepted) as [Socket];
    const closed = once(connection, "close");
    await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    await closed;
    await expect(buffer(response)).rejects.toThrow(/aborted/);
  });

  it("for an upload that is under way", async () => {
    const { id, authorization } = await adminKey(app());
    const dataset = await createDataset(app(), "slow");
    const boundary = "slow-upload";
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nid\r\n`;
        controller.enqueue(Buffer.from(head));
      },
    });
    const headers = { authorization, "content-type": `multipart/form-data; boundary=${boundary}` };
    const url = `http://${addressOf(app())}/v1/datasets/${dataset}/files`;
    const arrived = once(app().server.server, "request");
    const upload = fetch(url, { method: "POST", headers, body, duplex: "half" }).catch(() => "cut off");
    await arrived;
    await app().admin.delete(`/v1/api-keys/${id}`).expect(204);
    expect(await upload).toBe("cut off");
  });
});

describe.skipIf(!isPostgresInstalled)("what one process revokes", () => {
  let database: FreshDatabase | null = null;
  let one: TestApp;
  let other: TestApp;
  beforeAll(async () => {
    database = await freshDatabase();
    const shared = { DATABASE_URL: database?.url ?? "" };
    one = await startApp(shared);
    other = await startApp(shared);
  });
  afterAll(async () => {
    await other?.close();
    await one?.close();
    await database?.drop();
  });

  it("is revoked in the others as well", async () => {
    const { id, authorization } = await adminKey(one);
    const socket = await openSocket(other, { authorization });
    await one.admin.delete(`/v1/api-keys/${id}`).expect(204);
    expect(await socket.closed).toMatchObject(isClosed);
  });

  it("changes nothing any more in the others, and reads nothing that is asked for a second later", async () => {
    const { id, authorization } = await adminKey(one);
    const read = () => other.anonymous.get("/v1/projects").set("authorization", authorization);
    await read().expect(200);
    await one.admin.delete(`/v1/api-keys/${id}`).expect(204);
    const revokedAt = performance.now();
    const write = other.anonymous.post("/v1/datasets").set("authorization", authorization).send({ name: "late" });
    await write.expect(401);
    await untilRefused(revokedAt, async () => (await read()).status);
  });

  it("and what expires or has another role is so in every process alike", async () => {
    const { prisma } = one.services;
    const { id, authorization } = await adminKey(one);
    // Only admins see the keys.
    const statusIn = async (app: TestApp) =>
      (await app.anonymous.get("/v1/api-keys").set("authorization", authorization)).status;
    for (const app of [one, other]) expect(await statusIn(app)).toBe(200);
    await prisma.apiKey.update({ where: { id }, data: { role: "VIEWER" } });
    let changedAt = performance.now();
    for (const app of [one, other]) expect(await untilRefused(changedAt, () => statusIn(app))).toBe(403);
    await prisma.apiKey.update({ where: { id }, data: { expiresAt: new Date() } });
    changedAt = performance.now();
    const reads = async (app: TestApp) =>
      (await app.anonymous.get("/v1/projects").set("authorization", authorization)).status;
    for (const app of [one, other]) expect(await untilRefused(changedAt, () => reads(app))).toBe(401);
  });
});

/** Asks until it is refused; what is asked for more than a second after the change must be. @returns the status */
async function untilRefused(changedAt: number, ask: () => Promise<number>): Promise<number> {
  for (;;) {
    const isLate = performance.now() - changedAt > 1000;
    const status = await ask();
    if (status !== 200) return status;
    expect(isLate, "a request let in more than a second after the change").toBe(false);
  }
}
