import { totalmem } from "node:os";
import { resolve } from "node:path";
import { defaultReadingLimits } from "@hopwise/gnn-core/spec";
import { expect, test } from "vitest";
import { readEnv } from "../src/env.ts";

test("without variables the worker finds the embedded stack's Redis and store", () => {
  const env = readEnv({ HOPWISE_DATA: "/data" });
  expect(env.redisUrl).toBe("unix:///data/redis/redis.sock");
  expect(env.artifactsUrl).toBe("file:///data/artifacts");
  expect(env.worker.dir).toBe("/data/worker");
  expect(env.engine.backend).toBe("native");
});

test("labels and component folders are lists of text", () => {
  const env = readEnv({ HOPWISE_WORKER_LABELS: "gpu=no, zone = b", HOPWISE_COMPONENTS: "/a:b" });
  expect(env.worker.labels).toEqual({ gpu: "no", zone: "b" });
  expect(env.engine.components).toEqual(["/a", resolve("b")]);
});

test("a worker with a user of Redis of its own has its name from there, and no other", () => {
  const REDIS_URL = "rediss://hopwise-worker-gpu-2:hww_x@10.0.0.1:6379";
  expect(readEnv({ REDIS_URL }).worker.id).toBe("gpu-2");
  expect(readEnv({ REDIS_URL, HOPWISE_WORKER_ID: "gpu-2" }).worker.id).toBe("gpu-2");
  expect(() => readEnv({ REDIS_URL, HOPWISE_WORKER_ID: "gpu-3" })).toThrow(
    /HOPWISE_WORKER_ID: found "gpu-3".*user of worker "gpu-2".*leave it out, or make a credential for "gpu-3"/,
  );
  expect(readEnv({ REDIS_URL: "redis://:password@10.0.0.1", HOPWISE_WORKER_ID: "w" }).worker.id).toBe("w");
  expect(readEnv({ REDIS_URL: "redis://10.0.0.1" }).worker.id).toBeNull();
});

test("every bad variable is named, and no value is", () => {
  const secret = "hunter2";
  const read = () => readEnv({ REDIS_URL: secret, HOPWISE_BACKEND: secret, HOPWISE_WORKER_SLOTS: "0" });
  expect(read).toThrow(/REDIS_URL[\s\S]*HOPWISE_WORKER_SLOTS[\s\S]*HOPWISE_BACKEND/);
  expect(read).not.toThrow(secret);
});

test("ranks inherit the environment without connection strings and keys", () => {
  const env = readEnv({ PATH: "/bin", REDIS_URL: "redis://h", AWS_SECRET_ACCESS_KEY: "k", DB_PASSWORD: "p" });
  expect(env.rankEnvironment).toEqual({ PATH: "/bin" });
});

test.each([
  ["127.0.0.1", "each host itself"],
  ["0.0.0.0", "every interface"],
  ["no-such-interface", "neither a numeric address nor an interface"],
])("%s is refused as the address for ranks of other hosts", (address, reason) => {
  expect(() => readEnv({ HOPWISE_RANK_ADDRESS: address })).toThrow(new RegExp(`HOPWISE_RANK_ADDRESS: .*${reason}`));
});

test("an address and ports for ranks of other hosts", () => {
  const env = readEnv({ HOPWISE_RANK_ADDRESS: "10.1.2.3", HOPWISE_RANK_PORTS: "41000-41999" });
  expect(env.network).toEqual({ address: "10.1.2.3", ports: { first: 41000, last: 41999 } });
  expect(readEnv({}).network).toBeNull();
  expect(() => readEnv({ HOPWISE_RANK_PORTS: "5-1" })).toThrow(/HOPWISE_RANK_PORTS/);
});

test("an empty variable, which compose passes on for one that nobody set, is one that is not set", () => {
  const env = readEnv({
    HOPWISE_RANK_ADDRESS: "",
    HOPWISE_WORKER_ID: "",
    HOPWISE_WORKER_SLOTS: "",
    HOPWISE_RANK_PORTS: "",
  });
  expect(env.network).toBeNull();
  expect(env.worker).toEqual(readEnv({}).worker);
});

test("limits of reading are those of the engine, and an operator's, by the names of the variables", () => {
  const { limits } = readEnv({ HOPWISE_INGEST_ROWS: "12", HOPWISE_STEP_MEMORY_BYTES: "1000000000" });
  expect(limits.reading).toMatchObject({
    rows: { most: 12, setting: "HOPWISE_INGEST_ROWS" },
    columns: { most: defaultReadingLimits.columns.most, setting: "HOPWISE_INGEST_COLUMNS" },
    memoryBytes: { most: 700_000_000 },
  });
  expect(limits.stepMemoryBytes).toBe(1e9);
  expect(readEnv({}).limits.stepMemoryBytes).toBeLessThan(totalmem());
  expect(() => readEnv({ HOPWISE_INGEST_ROWS: "0", HOPWISE_STEP_MEMORY_BYTES: "1" })).toThrow(
    /HOPWISE_INGEST_ROWS[\s\S]*HOPWISE_STEP_MEMORY_BYTES/,
  );
});
