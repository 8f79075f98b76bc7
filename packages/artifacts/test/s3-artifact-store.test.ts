import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openArtifactStore } from "../src/index.ts";
import { artifactStoreSuite } from "./conformance/artifact-store.suite.ts";
import { S3Server } from "./support/s3-server.ts";

const server = new S3Server();
const urlOf = (bucket: string, prefix = "hopwise/artifacts") =>
  `s3://${bucket}/${prefix}?region=eu-north-7&endpoint=${encodeURIComponent(server.endpoint)}`;

beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", server.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY");
  await server.start();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const openEmpty = () => {
  server.buckets.set(
    "graphs",
    new Map([["hopwise/elsewhere", { bytes: Buffer.from("theirs"), modifiedAt: new Date() }]]),
  );
  return openArtifactStore(urlOf("graphs"));
};

artifactStoreSuite("bucket of S3", openEmpty);

describe("a service that takes no notice of conditions", () => {
  beforeEach(() => {
    server.knowsConditions = false;
  });
  afterEach(() => {
    server.knowsConditions = true;
  });
  artifactStoreSuite("bucket of an older service", openEmpty);
});

describe("an artifact store in a bucket", () => {
  it("sends what is longer than a part in parts, and leaves nothing of one that fails", async () => {
    const store = await openEmpty();
    const large = randomBytes(40 * 1024 * 1024);
    expect((await store.put("p/large", large)).bytes).toBe(large.length);
    expect((await buffer(await store.get("p/large"))).equals(large)).toBe(true);
    expect(server.calls.filter((call) => call.startsWith("PUT") && call.includes("?partNumber"))).toHaveLength(3);
    async function* failing() {
      yield large;
      throw new Error("the upload broke off");
    }
    await expect(store.put("p/half", failing())).rejects.toThrow("the upload broke off");
    expect([await store.stat("p/half"), server.uploads.size]).toEqual([null, 0]);
  });

  it.each([
    ["in one piece", 10],
    ["in parts", 17 * 1024 * 1024],
  ])("lets one of two processes win that put a key at once, %s", async (_, bytes) => {
    const stores = [await openEmpty(), await openArtifactStore(urlOf("graphs"))];
    const puts = await Promise.allSettled(stores.map((store) => store.put("p/a", randomBytes(bytes))));
    const refused = puts.flatMap((put) => (put.status === "rejected" ? [put.reason] : []));
    expect(refused).toMatchObject([{ code: "ARTIFACT_EXISTS" }]);
    expect(server.uploads.size).toBe(0);
  });

  it("keeps below its prefix, and away from what else is in the bucket", async () => {
    const store = await openEmpty();
    await store.put("p/a", Buffer.from("a"));
    expect([...(server.buckets.get("graphs")?.keys() ?? [])]).toEqual(["hopwise/elsewhere", "hopwise/artifacts/p/a"]);
    await store.delete("p");
    expect([...(server.buckets.get("graphs")?.keys() ?? [])]).toEqual(["hopwise/elsewhere"]);
  });

  it("removes uploads that nobody has gone on with for a day, when it is opened", async () => {
    const startedAt = new Date(Date.now() - 25 * 3_600_000);
    server.uploads.set("old", { key: "hopwise/artifacts/p/a", startedAt, parts: new Map() });
    server.uploads.set("new", { key: "hopwise/artifacts/p/b", startedAt: new Date(), parts: new Map() });
    await openEmpty();
    expect([...server.uploads.keys()]).toEqual(["new"]);
    server.uploads.clear();
  });

  it("waits out a service that is busy", async () => {
    const store = await openEmpty();
    server.busy = 2;
    await store.put("p/a", Buffer.from("a"));
    expect((await buffer(await store.get("p/a"))).toString()).toBe("a");
  });

  it("says that there is no room, where a quota is met", async () => {
    const store = await openEmpty();
    server.refuseWrites = { status: 403, code: "QuotaExceeded" };
    await expect(store.put("p/a", Buffer.from("a"))).rejects.toMatchObject({ code: "STORAGE_FULL" });
    server.refuseWrites = null;
  });

  it("says when it is opened that there is no such bucket, or no right to it", async () => {
    await expect(openArtifactStore(urlOf("other"))).rejects.toMatchObject({
      code: "ARTIFACT_REFUSED",
      message: expect.stringMatching(/^There is no bucket other at http/),
    });
    vi.stubEnv("AWS_ACCESS_KEY_ID", "somebody");
    const opened = openArtifactStore(urlOf("graphs"));
    await expect(opened).rejects.toMatchObject({
      code: "ARTIFACT_REFUSED",
      message: expect.stringMatching(/AWS_ACCESS_KEY_ID.*s3:GetObject/),
    });
    vi.stubEnv("AWS_ACCESS_KEY_ID", server.accessKeyId);
  });

  it.each([
    ["s3:///prefix", /no bucket's name/],
    ["s3://graphs/a b", /a prefix that is not/],
    ["s3://graphs/..%2f..", /a prefix that is not/],
    ["s3://key:secret@graphs/p", /a user, a password or a fragment/],
    ["s3://graphs/p?endpoint=ftp://host", /a value that it cannot have/],
    ["s3://graphs/p?acl=public", /another parameter/],
  ])("refuses %s, and repeats nothing of it", async (url, found) => {
    const error = await openArtifactStore(url).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ code: "ARTIFACT_URL_INVALID", message: expect.stringMatching(found) });
    expect(String(error)).not.toContain("secret");
  });
});
