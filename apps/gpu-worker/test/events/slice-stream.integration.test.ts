import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyName, leadRank, redisChannels, redisKeys, type WorkerEventBody } from "@hopwise/contracts";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Outbox } from "../../src/events/outbox.ts";
import { SliceStream, streamWindow } from "../../src/events/slice-stream.ts";
import { StageOutbox } from "../../src/events/stage-outbox.ts";
import { connected, connectRedis, failFast } from "../../src/redis.ts";
import { RedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";

const workerId = "w1";
const key = { jobId: "job1", attempt: 1, stageIndex: 0, slice: 0 };
const name = keyName(key);
const stream = redisKeys.events(workerId, key);
const limits = { soft: 100_000, hard: 100_000, maxBytes: 2 ** 30 };
const log = (message: string): WorkerEventBody => ({
  type: "step",
  event: { type: "log", level: "info", member: leadRank, message },
});

let server: RedisServer;
let dir: string;
let redis: ReturnType<typeof connectRedis>;
beforeEach(async () => {
  server = await RedisServer.start();
  dir = mkdtempSync(join(tmpdir(), "hws-"));
  redis = connectRedis(server.url, failFast);
  redis.on("error", () => undefined); // refused while it is down
  await connected(redis);
});
afterEach(async () => {
  vi.useRealTimers();
  redis.disconnect();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

const seqs = async () => (await server.client.xrange(stream, "-", "+")).map(([id]) => Number.parseInt(id, 10));
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const acknowledge = (seq: number) => server.client.hset(redisKeys.acked, name, seq);

describe("the stream of one slice", () => {
  let box: StageOutbox;
  let slice: SliceStream;
  beforeEach(() => {
    box = StageOutbox.create(join(dir, "box.ndjson"), key, limits);
    slice = new SliceStream({ redis, workerId, box });
  });
  const append = (count: number) => {
    for (let i = 0; i < count; i++) box.append(log(`${box.lastSeq + 1}`));
  };
  const sendAll = async () => {
    while (await slice.send());
  };

  test("gets each event once, whatever gives reason to doubt that it has them", async () => {
    append(700);
    await sendAll();
    for (let i = 0; i < 5; i++) {
      slice.doubt();
      await sendAll();
      append(10);
      await sendAll();
    }
    expect(await seqs()).toEqual(from(1, 750));
    const again = new SliceStream({ redis, workerId, box }); // in another life of the worker
    while (await again.send());
    expect(await seqs()).toEqual(from(1, 750));
  });

  test("that is lost gets again what has not been acknowledged, from there on, and nothing before", async () => {
    append(700);
    await sendAll();
    await acknowledge(500);
    await server.client.del(stream);
    append(1);
    await sendAll();
    expect(await seqs()).toEqual(from(501, 701));
  });

  test("that lost its last entries with a crash of Redis gets those alone", async () => {
    append(10);
    await sendAll();
    await server.client.xtrim(stream, "MINID", "1000-0");
    await server.client.call("XSETID", stream, "7-0");
    await slice.check();
    await sendAll();
    expect(await seqs()).toEqual([8, 9, 10]);
  });

  test("that is lost again and again gets its events after 1 s, 2 s, 4 s, and at once when some were acknowledged", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    append(3);
    await sendAll();
    const loseAndSend = async () => {
      await server.client.del(stream);
      slice.doubt();
      await sendAll();
      return (await seqs()).length > 0;
    };
    expect(await loseAndSend()).toBe(true);
    for (const wait of [1000, 2000, 4000]) {
      expect(await loseAndSend()).toBe(false);
      vi.advanceTimersByTime(wait - 1);
      await sendAll();
      expect(await seqs()).toEqual([]);
      vi.advanceTimersByTime(1);
      await sendAll();
      expect(await seqs()).toEqual([1, 2, 3]);
    }
    await acknowledge(1);
    slice.doubt();
    expect(await loseAndSend()).toBe(true);
    expect(await seqs()).toEqual([2, 3]);
  });

  test("holds so many events at most, and takes the next as they are acknowledged", async () => {
    append(streamWindow + 1000);
    await sendAll();
    expect(await server.client.xlen(stream)).toBe(streamWindow);
    expect(slice.isBehind).toBe(true);
    box.trim(600);
    await sendAll();
    expect((await seqs()).at(-1)).toBe(streamWindow + 600);
    box.trim(2000);
    await sendAll();
    expect((await seqs()).at(-1)).toBe(streamWindow + 1000);
    expect(slice.isBehind).toBe(false);
  });
});

describe("the outbox", () => {
  let outbox: Outbox;
  let subscriber: ReturnType<typeof connectRedis>;
  beforeEach(async () => {
    subscriber = connectRedis(server.url, { maxRetriesPerRequest: null });
    subscriber.on("error", () => undefined);
    outbox = new Outbox({ dir, workerId, redis, log: pino({ level: "silent" }), host: "h", limits });
    outbox.start();
    await outbox.listen(subscriber);
    await outbox.open(key);
  });
  afterEach(async () => {
    await outbox.close();
    subscriber.disconnect();
  });

  test("sends nothing twice for resend requests, a restart of Redis or a long time without acknowledgement", async () => {
    for (let i = 0; i < 300; i++) outbox.append(key, log(`${i}`));
    await until("300 entries", async () => (await server.client.xlen(stream)) === 300);
    for (let i = 0; i < 5; i++) await server.client.publish(redisChannels.resend, i % 2 ? name : "");
    await server.kill();
    await server.start();
    outbox.append(key, log("after"));
    await until("the last entry", async () => (await seqs()).includes(301));
    const info = (await server.client.xinfo("STREAM", stream)) as unknown[] | Record<string, unknown>;
    const added = Array.isArray(info) ? info[info.indexOf("entries-added") + 1] : info["entries-added"];
    expect(added).toBe(301);
  });

  test("lets the end of a stage that was told to stop go ahead of what its stream has no room for", async () => {
    for (let i = 0; i < streamWindow + 500; i++) outbox.append(key, log(`${i}`));
    await until("a full stream", async () => (await server.client.xlen(stream)) === streamWindow);
    outbox.append(key, { type: "stageCancelled" });
    outbox.hurryEnd(key);
    const last = streamWindow + 501;
    await until("the end", async () => (await seqs()).at(-1) === last);
    expect(await seqs()).toEqual([...from(1, streamWindow), last]);
    await acknowledge(last);
    await until("an empty outbox", () => Promise.resolve(outbox.unacknowledged === 0));
  });

  test("keeps to the order when the stage's events have room enough", async () => {
    for (let i = 0; i < 50; i++) outbox.append(key, log(`${i}`));
    outbox.append(key, { type: "stageCancelled" });
    outbox.hurryEnd(key);
    await until("the end", async () => (await seqs()).includes(51));
    expect(await seqs()).toEqual(from(1, 51));
  });

  test("drops a finished stage when the job has gone on behind it", async () => {
    outbox.append(key, { type: "sliceFinished" });
    await until("the end", async () => (await seqs()).includes(1));
    await server.client.hset(redisKeys.desired, key.jobId, JSON.stringify({ state: "run", attempt: 1, stage: 1 }));
    await until("an empty outbox", () => Promise.resolve(outbox.unacknowledged === 0));
    await until("no stream", async () => (await server.client.exists(stream)) === 0);
  });
});
