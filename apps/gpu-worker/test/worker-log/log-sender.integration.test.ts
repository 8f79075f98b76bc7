import { redisKeys, workerLogLine, workerLogMs } from "@hopwise/contracts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LogSender } from "../../src/worker-log/log-sender.ts";
import { LogTail } from "../../src/worker-log/log-tail.ts";
import { Redaction } from "../../src/worker-log/redaction.ts";
import { RedisServer } from "../support/redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis.stop());
beforeEach(() => redis.client.flushall());

const keys = [redisKeys.workerLog("w1", 0), redisKeys.workerLog("w1", 1)] as const;
const say = (tail: LogTail, msg: string, padding = "") =>
  tail.write(`${JSON.stringify({ level: 30, msg, padding })}\n`);

/** What a reader finds, in the order of the cursors. */
async function messages(): Promise<string[]> {
  const texts = await redis.client.mget(...keys);
  const lines = texts.flatMap((text) => text?.split("\n").filter(Boolean) ?? []);
  return lines
    .map((line) => workerLogLine.parse(JSON.parse(line)))
    .toSorted((a, b) => a.cursor - b.cursor)
    .map(({ message }) => message);
}

/** A life of a worker: its log, sent when the test says so. */
async function life() {
  const tail = new LogTail(new Redaction([]));
  const sender = new LogSender({ redis: redis.client, workerId: "w1", tail, everyMs: 3_600_000 });
  return { tail, sender };
}

test("lines come to lie in Redis, new ones behind the others, for seven days", async () => {
  const { tail, sender } = await life();
  say(tail, "one");
  await sender.flush();
  say(tail, "two");
  say(tail, "three");
  await sender.flush();
  expect(await messages()).toEqual(["one", "two", "three"]);
  const ttl = await redis.client.pttl(keys[0]);
  expect(ttl).toBeGreaterThan(workerLogMs - 60_000);
  expect(ttl).toBeLessThanOrEqual(workerLogMs);
});

test("what was lost or doubled there is written again as it should be", async () => {
  const { tail, sender } = await life();
  say(tail, "one");
  await sender.flush();
  await redis.client.flushall();
  say(tail, "two");
  await sender.flush();
  expect(await messages()).toEqual(["one", "two"]);
  await redis.client.append(keys[0], "half of a line whose answer was lost");
  say(tail, "three");
  await sender.flush();
  expect(await messages()).toEqual(["one", "two", "three"]);
});

test("the next life goes on behind the one before, whose newest lines stay", async () => {
  for (const name of ["first", "second", "third"]) {
    const { tail, sender } = await life();
    say(tail, `${name} begins`);
    await sender.start();
    say(tail, `${name} ends`);
    await sender.close();
  }
  expect(await messages()).toEqual(["second begins", "second ends", "third begins", "third ends"]);
});

test("a life that fills both halves keeps its newest lines there, and no more", async () => {
  const { tail, sender } = await life();
  for (let i = 0; i < 3000; i++) {
    say(tail, `line ${i}`, "x".repeat(250));
    if (i % 100 === 0) await sender.flush();
  }
  await sender.flush();
  const found = await messages();
  expect(found.at(-1)).toBe("line 2999");
  expect(found).toEqual(found.map((_, i) => `line ${3000 - found.length + i}`));
  const [a, b] = await Promise.all(keys.map((key) => redis.client.strlen(key)));
  expect((a ?? 0) + (b ?? 0)).toBeLessThanOrEqual(512 * 1024);
});
