import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { S3Server } from "../../packages/artifacts/test/support/s3-server.ts";
import { Stack } from "../support/stack.ts";
import { until } from "../support/until.ts";

const numNodes = 120;
const dir = mkdtempSync(join(tmpdir(), "hopwise-bucket-"));
const server = new S3Server();
let stack: Stack;

beforeAll(async () => {
  server.buckets.set("graphs", new Map());
  server.pageSize = 100;
  await server.start();
  stack = await Stack.startOnServer({
    ARTIFACTS_URL: `s3://graphs/team/hopwise?endpoint=${encodeURIComponent(server.endpoint)}`,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  });
});
afterAll(async () => {
  await stack?.stop();
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

function writeTable(name: string, header: string, rows: readonly string[]): string {
  const path = join(dir, name);
  writeFileSync(path, `${[header, ...rows].join("\n")}\n`);
  return path;
}

const keys = () => [...(server.buckets.get("graphs")?.keys() ?? [])];

it("keeps everything in a bucket: uploads, graphs, models and embeddings, and nothing on the disk of the API", async () => {
  const ids = Array.from({ length: numNodes }, (_, i) => i);
  const nodes = ids.map((i) => `n${i},${i % 2 === 0 ? "even" : "odd"},${["train", "val", "test"][i % 3]},${i % 2}.5`);
  const edges = ids.map((i) => `n${i},n${(i + 2) % numNodes}`);
  const files = [writeTable("nodes.csv", "id,label,split,f0", nodes), writeTable("edges.csv", "src,dst", edges)];
  const { client } = stack;
  const dataset = await client.makeDataset("rings", files);
  const train = { epochs: 3, batchSize: 64 };
  const job = await client.finished(await client.submit({ dataset, task: { target: "label" }, train }));
  expect(job.problem).toBeNull();
  const stored = keys();
  expect(stored.length).toBeGreaterThan(10);
  expect(stored.every((key) => key.startsWith("team/hopwise/"))).toBe(true);
  expect(existsSync(join(stack.dir, "artifacts"))).toBe(false);
  expect(job.artifacts.map(({ kind }) => kind)).toContain("model");
  for (const { kind, blobs } of job.artifacts) {
    const [blob] = blobs;
    const bytes = await client.blob(job, kind, blob?.name ?? "");
    expect(createHash("sha256").update(bytes).digest("hex"), kind).toBe(blob?.sha256);
  }

  await client.api.call("DELETE /v1/jobs/:id", { params: { id: job.id } });
  await client.api.call("DELETE /v1/datasets/:id", { params: { id: dataset } });
  await until("the upload to be swept", async () => keys().every((key) => !key.includes("/uploads/")));
});
