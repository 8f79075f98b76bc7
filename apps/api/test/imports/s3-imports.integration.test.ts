import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../../../test/support/until.ts";
import { useApp } from "../support/each-database.ts";
import { createDataset } from "../support/fixtures.ts";
import { accessKeyId, region, S3Server, secretAccessKey } from "./support/s3-server.ts";

const app = useApp({ HOPWISE_IMPORT_NETWORKS: "127.0.0.1" });
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
let server: S3Server;

beforeAll(async () => {
  server = await new S3Server().start();
  const { host } = new URL(server.endpoint);
  for (const [name, secret] of [
    ["bucket", `${accessKeyId}:${secretAccessKey}`],
    ["wrong", `${accessKeyId}:another`],
  ]) {
    const body = { name, kind: "s3", hosts: [host], secret };
    expect((await app().admin.post("/v1/source-credentials").send(body)).status).toBe(201);
  }
});
afterAll(() => server.close());
beforeEach(() => {
  server.objects.clear();
  server.ranges.length = 0;
  server.refusals.length = 0;
});

const s3 = (key: string) => `s3://graphs/${key}?region=${region}&endpoint=${encodeURIComponent(server.endpoint)}`;

async function ask(files: readonly object[]) {
  const dataset = await createDataset(app());
  return app().admin.post(`/v1/datasets/${dataset}/imports`).send({ files });
}

async function ended(files: readonly object[]) {
  const { body, status } = await ask(files);
  expect([status, body.detail]).toEqual([202, undefined]);
  return until("the end", async () => {
    const found = (await app().admin.get(`/v1/imports/${body.id}`)).body;
    return ["SUCCEEDED", "FAILED"].includes(found.state) ? found : null;
  });
}

describe("an import from S3", () => {
  it("fetches an object by signed requests, and goes on where it was cut off", async () => {
    const bytes = randomBytes(300_000);
    server.objects.set("year=2026/größe & more+.csv", bytes);
    server.cutAfter = 100_000;
    const url = s3("year=2026/größe%20&%20more+.csv");
    const done = await ended([{ url, name: "edges.csv", credential: "bucket" }]);
    expect(server.refusals).toEqual([]);
    expect(done).toMatchObject({ state: "SUCCEEDED", files: [{ name: "edges.csv", sha256: digest(bytes) }] });
    expect(server.ranges.length).toBeGreaterThan(1);
    expect(server.ranges.at(-1)).toMatch(/^bytes=\d+-$/);
    expect(JSON.stringify(done)).not.toContain(secretAccessKey);
  });

  it("takes all objects below a prefix, without empty ones", async () => {
    for (const name of ["edges.csv", "nodes & more.csv"])
      server.objects.set(`papers/${name}`, Buffer.from("a,b\n1,2\n"));
    server.objects.set("papers/", Buffer.alloc(0));
    server.objects.set("other.csv", Buffer.from("x"));
    const done = await ended([{ url: s3("papers/"), credential: "bucket" }]);
    expect(server.refusals).toEqual([]);
    expect(done.files.map(({ name }: { name: string }) => name)).toEqual(["edges.csv", "nodes & more.csv"]);
  });

  it("asks for the list again where the service is busy for a moment, and says how often it did", async () => {
    server.objects.set("busy/edges.csv", Buffer.from("a,b\n1,2\n"));
    server.busyLists = 2;
    const done = await ended([{ url: s3("busy/"), credential: "bucket" }]);
    expect(done.files.map(({ name }: { name: string }) => name)).toEqual(["edges.csv"]);
    server.busyLists = 3;
    const { body } = await ask([{ url: s3("busy/"), credential: "bucket" }]);
    expect([body.code, body.detail]).toEqual(["IMPORT_SOURCE", expect.stringMatching(/answers 503.*tried 3 times/)]);
    server.busyLists = 0;
  });

  it("reads names that are not encoded as they are, and says which one is not what it says", async () => {
    for (const name of ["100%.csv", "a+b & é.csv"]) server.objects.set(`plain/${name}`, Buffer.from("a,b\n1,2\n"));
    server.names = "xml";
    const done = await ended([{ url: s3("plain/"), credential: "bucket" }]);
    expect(done.files.map(({ name }: { name: string }) => name)).toEqual(["100%.csv", "a+b & é.csv"]);
    server.names = "damaged";
    const { body } = await ask([{ url: s3("plain/"), credential: "bucket" }]);
    expect([body.code, body.detail]).toEqual(["IMPORT_SOURCE", expect.stringContaining("100%.csv%zz")]);
    server.names = "url";
  });

  it("says what is wrong: no object, no right to it, no bucket, a private address, and what it does not know", async () => {
    server.objects.set("edges.csv", Buffer.from("a,b\n"));
    const missing = await ended([{ url: s3("nobody.csv"), credential: "bucket" }]);
    expect(missing.problem.code).toBe("IMPORT_NOT_FOUND");
    const refused = await ended([{ url: s3("edges.csv"), credential: "wrong" }]);
    expect(refused.problem.code).toBe("IMPORT_REFUSED");
    const codeOf = async (url: string, more: object = {}) => {
      const { body } = await ask([{ url, ...more }]);
      return [body.code, body.pointer];
    };
    expect(await codeOf(s3("nothing/"), { credential: "bucket" })).toEqual(["IMPORT_NOT_FOUND", "/files/0/url"]);
    expect(await codeOf(s3("papers/"), { name: "a.csv" })).toEqual(["REQUEST_INVALID", "/files/0/name"]);
    expect(await codeOf("s3://X/edges.csv")).toEqual(["IMPORT_ADDRESS", "/files/0/url"]);
    expect(await codeOf("s3://graphs/edges.csv?acl=1")).toEqual(["IMPORT_ADDRESS", "/files/0/url"]);
    const metadata = encodeURIComponent("http://169.254.169.254");
    for (const key of ["edges.csv", "papers/"])
      expect(await codeOf(`s3://graphs/${key}?endpoint=${metadata}`)).toEqual(["IMPORT_ADDRESS", "/files/0/url"]);
  });
});
