import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDataset, readyDataset } from "../support/fixtures.ts";
import { startApp, type TestApp } from "../support/start-app.ts";

const page = `<!doctype html><title>page</title>${" ".repeat(3000)}`;
const script = `console.log(1);${"/".repeat(3000)}`;
let app: TestApp;
let webDist: string;

beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), "hopwise-web-dist-"));
  await mkdir(join(webDist, "assets"));
  for (const [name, text] of [
    ["index.html", page],
    ["assets/index-1a2b.js", script],
  ] as const) {
    await writeFile(join(webDist, name), text);
    await writeFile(join(webDist, `${name}.br`), brotliCompressSync(text));
    await writeFile(join(webDist, `${name}.gz`), gzipSync(text));
  }
  app = await startApp({ HOPWISE_WEB_DIST: webDist });
  for (let i = 0; i < 12; i++) await createDataset(app, `dataset ${i}`);
});

afterAll(async () => {
  await app?.close();
  await rm(webDist, { recursive: true, force: true });
});

interface Sent {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The answer as it came over the wire. */
function ask(path: string, encoding: string, { body }: { body?: object } = {}) {
  const { port } = app.server.server.address() as AddressInfo;
  const headers = {
    "accept-encoding": encoding,
    authorization: `Bearer ${app.adminKey}`,
    accept: "text/html, */*",
    ...(body && { "content-type": "application/json" }),
  };
  return new Promise<Sent>((resolve, reject) => {
    const asked = request({ port, path, headers, method: body ? "POST" : "GET" }, (answer) => {
      const { statusCode: status = 0 } = answer;
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => resolve({ status, headers: answer.headers, body: Buffer.concat(chunks) }));
    });
    asked.on("error", reject);
    asked.end(body && JSON.stringify(body));
  });
}

it("the dashboard's files come as the build compressed them, hashed ones for good", async () => {
  const asBrotli = await ask("/assets/index-1a2b.js", "gzip, br");
  expect(asBrotli.headers).toMatchObject({ "content-encoding": "br" });
  expect(asBrotli.headers["content-type"]).toContain("javascript");
  expect(asBrotli.headers["vary"]).toMatch(/accept-encoding/i);
  expect(asBrotli.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  expect(brotliDecompressSync(asBrotli.body).toString()).toBe(script);
  const asGzip = await ask("/assets/index-1a2b.js", "gzip");
  expect(gunzipSync(asGzip.body).toString()).toBe(script);
  const plain = await ask("/assets/index-1a2b.js", "identity");
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers["vary"]).toMatch(/accept-encoding/i);
  expect(plain.body.toString()).toBe(script);
});

it("every address of the dashboard is the compressed page, which is asked for again", async () => {
  for (const path of ["/", "/jobs/new"]) {
    const { headers, body } = await ask(path, "br");
    expect(headers).toMatchObject({ "content-encoding": "br", "cache-control": "no-cache" });
    expect(headers["content-type"]).toContain("text/html");
    expect(brotliDecompressSync(body).toString()).toBe(page);
  }
});

it("JSON that is only read is compressed, by REST and by GraphQL", async () => {
  const query = "{ datasets { edges { node { id name createdAt project { id name } } } } }";
  for (const asking of [["/v1/datasets"], ["/graphql", { query }]] as const) {
    const [path, body] = asking;
    const read = async (encoding: string) => ask(path, encoding, body ? { body } : {});
    const plain = await read("identity");
    const brotli = await read("gzip, br");
    const gzip = await read("gzip");
    expect([plain, brotli, gzip].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "br", "gzip"]);
    for (const { headers, body: sent } of [plain, brotli, gzip]) {
      expect(headers["vary"]).toMatch(/accept-encoding/i);
      expect(headers["content-length"]).toBe(String(sent.byteLength));
    }
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
  }
});

it("an answer that fits into one packet is sent as it is", async () => {
  expect((await ask("/v1/projects", "br")).headers["content-encoding"]).toBeUndefined();
  expect((await ask("/graphql", "br", { body: { query: "{ me { role } }" } })).headers["content-encoding"]).toBe(
    undefined,
  );
});

it("an answer that shows a secret beside text of somebody's choice is never compressed", async () => {
  const names = Array.from({ length: 80 }, (_, i) => `name${i}: name`).join(" ");
  const query = `mutation($input: ApiKeyInput!) { createApiKey(input: $input) { secret key { ${names} } } }`;
  const variables = { input: { name: "chosen by somebody", role: "VIEWER" } };
  const made = await ask("/graphql", "br, gzip", { body: { query, variables } });
  expect(made.body.toString()).toContain('"secret":"hw_');
  expect(made.body.byteLength).toBeGreaterThan(2000);
  expect(made.headers["content-encoding"]).toBeUndefined();
  const link = await ask("/v1/sign-in-links", "br, gzip", { body: {} });
  expect(link.headers["content-encoding"]).toBeUndefined();
});

it("a stream of events is never held back to be compressed", async () => {
  const spec = { version: 1, kind: "train", dataset: await readyDataset(app), task: { target: "label" } };
  const { body: job } = await app.admin.post("/v1/jobs").send(spec).expect(202);
  await app.admin.post(`/v1/jobs/${job.id}/cancel`).expect(202); // the stream ends with the job
  const { status, headers, body } = await ask(`/v1/jobs/${job.id}/events`, "br, gzip");
  expect(status).toBe(200);
  expect(body.toString()).toContain("CANCELLED");
  expect(headers["content-type"]).toContain("text/event-stream");
  expect(headers["content-encoding"]).toBeUndefined();
});
