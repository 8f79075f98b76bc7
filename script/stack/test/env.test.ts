import { expect, test } from "vitest";
import { readLayout } from "../env.ts";

test("the private Redis listens on a socket beside its data", () => {
  const layout = readLayout({ HOPWISE_DATA: "/srv/hopwise" });
  expect(layout.redisSocket).toBe("/srv/hopwise/redis/redis.sock");
  expect(layout.environment.REDIS_URL).toBe("unix:///srv/hopwise/redis/redis.sock");
  expect(layout.url).toBe("http://127.0.0.1:4680");
});

test("a data folder with a path too long for a socket gets one in the temporary folder, always the same", () => {
  const deep = `/srv/${"deep/".repeat(30)}`;
  const socket = readLayout({ HOPWISE_DATA: deep }).redisSocket ?? "";
  expect(Buffer.byteLength(socket)).toBeLessThanOrEqual(107);
  expect(readLayout({ HOPWISE_DATA: deep }).redisSocket).toBe(socket);
});

test("a Redis of the operator's own is used as it is", () => {
  const layout = readLayout({ REDIS_URL: "redis://elsewhere:6379" });
  expect(layout.redisSocket).toBeNull();
  expect(layout.environment.REDIS_URL).toBe("redis://elsewhere:6379");
});

test("a service that listens everywhere is reached at the loopback address", () => {
  expect(readLayout({ HOPWISE_HOST: "0.0.0.0", HOPWISE_PORT: "8080" }).url).toBe("http://127.0.0.1:8080");
});

test("what the API prints, which goes into a log, has no sign-in link in it", () => {
  expect(readLayout({ HOPWISE_SIGN_IN_LINK: "print" }).environment.HOPWISE_SIGN_IN_LINK).toBe("file");
});

test("a worker of a stack whose store is a bucket asks the API for blobs, and has no key to the bucket", () => {
  const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };
  const layout = readLayout({ ARTIFACTS_URL: "s3://graphs", ...keys });
  expect(layout.environment).toMatchObject({ ARTIFACTS_URL: "s3://graphs", ...keys });
  expect(layout.workerEnvironment.ARTIFACTS_URL).toBe("http://127.0.0.1:4680");
  expect(Object.keys(layout.workerEnvironment).filter((name) => name.startsWith("AWS_"))).toEqual([]);
  const local = readLayout({ ARTIFACTS_URL: "file:///srv/artifacts" });
  expect(local.workerEnvironment).toEqual(local.environment);
});

test("a port that is none is refused", () => {
  expect(() => readLayout({ HOPWISE_PORT: "http" })).toThrow("HOPWISE_PORT");
});
