import { limits, redisKeys, type WorkerLogLine, workerLogMs } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { PrivateRedis } from "../scheduler/support/private-redis.ts";
import { keyFor } from "../support/fixtures.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

let redis: PrivateRedis;
let client: Redis;
let app: TestApp;
const [first, second] = [redisKeys.workerLog("w1", 0), redisKeys.workerLog("w1", 1)];

beforeAll(async () => {
  redis = await PrivateRedis.start();
  client = redis.client();
  app = await startApp({ REDIS_URL: redis.url });
  const about = { bootId: "b", host: "h", version: "0", build: "0", contract: 1, compatible: true, announcement: {} };
  await app.services.prisma.worker.create({ data: { id: "w1", ...about, lastSeen: new Date() } });
});
afterAll(async () => {
  client?.disconnect();
  await app?.close();
  await redis?.stop();
});
beforeEach(() => client.del(first, second));

const now = Date.now();
const lineOf = (cursor: number, change: Partial<WorkerLogLine> = {}): string =>
  `${JSON.stringify({ cursor, at: new Date(now + cursor).toISOString(), level: "info", message: `line ${cursor}`, fields: {}, ...change })}\n`;

async function cursors(query = ""): Promise<number[]> {
  const { body } = await app.admin.get(`/v1/workers/w1/log${query}`).expect(200);
  return body.lines.map(({ cursor }: WorkerLogLine) => cursor);
}

it("is both halves in the order of the lines, from a cursor on, of a level and with a text, over GraphQL alike", async () => {
  await client.set(first, lineOf(4, { level: "error", fields: { why: "the Disk is full" } }) + lineOf(5));
  await client.set(second, lineOf(1, { level: "debug" }) + lineOf(2) + lineOf(3, { level: "warn" }));
  expect(await cursors()).toEqual([1, 2, 3, 4, 5]);
  expect(await cursors("?after=3")).toEqual([4, 5]);
  expect(await cursors("?level=warn")).toEqual([3, 4]);
  expect(await cursors("?search=disk")).toEqual([4]);
  const query = `{ workerLog(id: "w1", after: 3, level: INFO) { cursor at level message fields } }`;
  const { data } = (await app.admin.post("/graphql").send({ query })).body;
  const { body } = await app.admin.get("/v1/workers/w1/log?after=3");
  expect(data.workerLog).toEqual(
    body.lines.map((line: WorkerLogLine) => ({ ...line, level: line.level.toUpperCase() })),
  );
});

it("is for admins of all projects alone, and of workers that there are", async () => {
  await client.set(first, lineOf(1));
  for (const authorization of [await keyFor(app, "editor"), await keyFor(app, "admin", "default")]) {
    await app.anonymous.get("/v1/workers/w1/log").set({ authorization }).expect(403);
    const query = '{ workerLog(id: "w1") { cursor } }';
    const { body } = await app.anonymous.post("/graphql").set({ authorization }).send({ query });
    expect(body.errors[0].extensions.code).toBe("AUTH_FORBIDDEN");
  }
  await app.admin.get("/v1/workers/nobody/log").expect(404);
});

it("has no line that is older than seven days", async () => {
  const old = new Date(now - workerLogMs - 1000).toISOString();
  await client.set(first, lineOf(1, { at: old }) + lineOf(2));
  expect(await cursors()).toEqual([2]);
});

it("leaves out what a worker writes that is no line, and shows the others", async () => {
  const nested = `${"[".repeat(4000)}${"]".repeat(4000)}`;
  const bad = [
    "no JSON",
    "null",
    "[]",
    nested,
    lineOf(90, { message: "x".repeat(limits.workerLogLine) }),
    lineOf(91, { at: "yesterday" }),
    lineOf(92, { level: "loud" as "info" }),
    lineOf(93, { fields: { deep: { er: 1 } } as never }),
    lineOf(-1),
    lineOf(1.5),
    '{"cursor":1e400}',
  ];
  await client.set(first, `${lineOf(1)}${bad.join("\n")}\n${lineOf(2)}`);
  const hostile = { __proto__: null, constructor: "c", message: "m\u0000\u001b[31m<script>" };
  await client.set(second, lineOf(3, { message: "<img onerror=x>\u0000", fields: hostile }));
  expect(await cursors()).toEqual([1, 2, 3]);
});

it("is read to a fixed length, whatever lies there", async () => {
  const long = "x".repeat(1024 * 1024);
  await client.set(first, lineOf(1) + long.repeat(8));
  await client.lpush(second, lineOf(2));
  expect(await cursors()).toEqual([1]);
  await client.del(second);
  const many = Array.from({ length: 20_000 }, (_, i) => lineOf(i + 10));
  await client.set(second, many.join(""));
  const found = await cursors();
  expect(found.length).toBeGreaterThan(1000);
  expect(found.length * lineOf(10).length).toBeLessThan(2 * limits.workerLogBytes);
});
