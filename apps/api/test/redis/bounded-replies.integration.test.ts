import type { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readText } from "../../src/redis/read-text.ts";
import { connectRedis, patient } from "../../src/redis/redis-connection.ts";
import { ReplyBound, ReplyTooLong } from "../../src/redis/reply-bound.ts";
import { PrivateRedis } from "../scheduler/support/private-redis.ts";

let server: PrivateRedis;
let redis: Redis;
beforeAll(async () => {
  server = await PrivateRedis.start();
  redis = connectRedis(server.url, patient);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

test("a reply of many short parts is given up at the bound, and the connection serves the next command", async () => {
  const bound = new ReplyBound(redis, 1_000_000);
  for (let i = 1; i <= 300; i++) await redis.xadd("long", `${i}-0`, "event", "x".repeat(10_000));
  for (let round = 0; round < 3; round++) {
    await expect(bound.within(() => redis.xrange("long", "-", "+"))).rejects.toThrow(ReplyTooLong);
    expect(await bound.within(() => redis.xrange("long", "-", "+", "COUNT", 50))).toHaveLength(50);
  }
});

test("a reply that stays below the bound is counted from its own beginning", async () => {
  const bound = new ReplyBound(redis, 1_000_000);
  await redis.set("text", "x".repeat(600_000));
  for (let round = 0; round < 5; round++) expect(await bound.within(() => redis.get("text"))).toHaveLength(600_000);
});

test("a text is cut at its bound, and anything else under its key is none", async () => {
  await redis.set("text", "x".repeat(2000));
  await redis.lpush("list", "x");
  expect(await readText(redis, "text", 1000)).toHaveLength(1000);
  expect(await readText(redis, "text", 3000)).toHaveLength(2000);
  expect([await readText(redis, "list", 1000), await readText(redis, "nothing", 1000)]).toEqual([null, null]);
});

test("an ordinary command cannot bring Redis one value of more than 16 MB", async () => {
  const client = server.client();
  await client.set("fits", "x".repeat(16 * 1024 ** 2));
  await expect(client.set("large", "x".repeat(16 * 1024 ** 2 + 1))).rejects.toThrow(/invalid bulk length/);
  client.disconnect();
});
