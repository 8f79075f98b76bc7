import { keyOfTask, redisKeys, type StageTask } from "@hopwise/contracts";
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Database } from "../../src/database/open-database.ts";
import { cancelJob } from "../../src/jobs/cancel-job.ts";
import { submitJob } from "../../src/jobs/submit-job.ts";
import { gate } from "./support/gate.ts";
import { succeedAtOnce } from "./support/scripted-worker.ts";
import { waitOptions } from "./support/story.ts";
import { openTestDatabase, World } from "./support/world.ts";

/** More than one reading takes in. */
const tooLong = 96 * 1024 ** 2;

interface Attack {
  readonly redis: Redis;
  readonly workerId: string;
  readonly task: StageTask;
}

const streamOf = ({ workerId, task }: Attack) => redisKeys.events(workerId, keyOfTask(task));

/** Made within Redis, as a worker's own script could. */
const addEntry = (attack: Attack, numFields: number, bytes: number) =>
  attack.redis.eval(
    `local fields = {}
     for i = 1, ARGV[1] do fields[2 * i - 1] = "event"; fields[2 * i] = string.rep("x", ARGV[2]) end
     redis.call("XADD", KEYS[1], "2-0", unpack(fields))`,
    1,
    streamOf(attack),
    numFields,
    bytes,
  );

/**
 * What may be written with one worker's user of Redis, each of which the service reads together with what others wrote.
 */
const attacks: Record<string, (attack: Attack) => Promise<unknown>> = {
  "an event of one long value": (attack) => addEntry(attack, 1, tooLong),
  "an event of many values": (attack) => addEntry(attack, 100, tooLong / 100),
  "a string in place of its stream": (attack) => attack.redis.set(streamOf(attack), "x"),
};

/** What no column of the database takes, in an announcement that is well-formed otherwise. */
const announcements: Record<string, (announcement: string) => string> = {
  "with a NUL in a text": (text) => text.replace('"host-of-honest"', String.raw`"host\u0000"`),
  "of a contract that is no 32-bit number": (text) => text.replace(/"contract":\d+/, '"contract":1e300'),
  "of more slots than a 32-bit number": (text) => text.replace(/"slots":\d+/, '"slots":9007199254740991'),
  "nested without end": (text) => text.replace(/}$/, `,"deep":${"[".repeat(30_000)}${"]".repeat(30_000)}}`),
};

describe("the scheduler and a worker that writes what no worker writes", () => {
  let database: Database;
  let world: World;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    world = await World.open(database);
  });
  afterEach(() => world.close());

  it.each(Object.entries(attacks))(
    "goes on with other jobs beside %s, and cancels its own",
    async (_, attack) => {
      const scheduler = world.startScheduler();
      const hold = gate();
      const redis = world.redis.client();
      await redis.config("SET", "appendonly", "no");
      let stream = "";
      let busyId: string | null = null;
      const worker = world.startWorker(
        async (stage) => {
          busyId ??= stage.task.jobId;
          if (stage.task.step !== "train" || stage.task.jobId !== busyId) return stage.succeed();
          const at = { redis, workerId: worker.id, task: stage.task };
          stream = streamOf(at);
          await attack(at);
          void hold.pass();
          await stage.stopped;
          await redis.del(stream);
          await stage.emit({ type: "stageCancelled" });
        },
        { slots: 8 },
      );
      const busy = await submitJob(world.services(scheduler), world.viewer, world.spec());
      await hold.arrived;
      const quick = await submitJob(world.services(scheduler), world.viewer, world.spec());
      await world.reach(scheduler, quick.id, "SUCCEEDED");
      // What cannot be read takes no memory of Redis for long.
      const sizeOf = async () => (await redis.memory("USAGE", stream)) ?? 0;
      await vi.waitFor(async () => expect(await sizeOf()).toBeLessThan(1_000_000), waitOptions);

      await cancelJob(world.services(scheduler), world.viewer, busy.id);
      await world.reach(scheduler, busy.id, "CANCELLED");
      // Nor was it taken in: the job's log would say that an event was left out.
      expect((await world.persisted(busy.id)).logs).toEqual([]);
      redis.disconnect();
    },
    120_000,
  );

  it.each(Object.entries(announcements))("goes on with other workers beside an announcement %s", async (_, change) => {
    const scheduler = world.startScheduler();
    const redis = world.redis.client();
    const hostile = world.startWorker(succeedAtOnce, { id: "hostile", isPaused: true });
    const worker = world.startWorker(succeedAtOnce, { id: "honest" });
    const said = await vi.waitFor(async () => {
      const text = await redis.get(redisKeys.worker(worker.id));
      expect(text).not.toBeNull();
      return text ?? "";
    }, waitOptions);
    await hostile.die();
    await redis.set(redisKeys.worker(hostile.id), change(said.replaceAll('"honest"', '"hostile"')));
    const job = await submitJob(world.services(scheduler), world.viewer, world.spec());
    await world.reach(scheduler, job.id, "SUCCEEDED");
    redis.disconnect();
  });
});
