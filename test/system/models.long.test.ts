import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeCitationGraph } from "@hopwise/gnn-core";
import { loadRegistry } from "@hopwise/gnn-core/spec";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../support/client.ts";
import { Stack } from "../support/stack.ts";

const models = (await loadRegistry()).list("model").filter(({ readsFeatures }) => readsFeatures !== false);
/** `full` feeds every model below; what needs times of links has none here, and is tried beside the tasks of links. */
const samplings = (await loadRegistry())
  .list("sampler")
  .filter(({ name, needsTimes }) => name !== "full" && !needsTimes);

/** The edges with a column of types, which some models need and the others leave aside. */
function withTypes(edgesFile: string): string {
  const [head = "", ...rows] = readFileSync(edgesFile, "utf8").trimEnd().split("\n");
  const typed = rows.map((row, i) => `${row},${i % 3 === 0 ? "extends" : "cites"}`);
  writeFileSync(edgesFile, [`${head},relation`, ...typed, ""].join("\n"));
  return edgesFile;
}

/** One job of each kind that the catalogue offers, on two ranks, from the spec to the exported rows. */
describe("every component of the catalogue in a job", () => {
  const dir = mkdtempSync(join(tmpdir(), "hw-models-"));
  let stack: Stack;
  let client: Client;
  let dataset: string;

  beforeAll(async () => {
    const { edgesFile, nodesFile } = await writeCitationGraph(dir, { numNodes: 400, numEdges: 2000, featureDim: 16 });
    stack = await Stack.startOnServer();
    client = stack.client;
    dataset = await client.makeDataset("models", [withTypes(edgesFile), nodesFile]);
  });
  afterAll(async () => {
    await stack?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  async function trained(sections: Record<string, unknown>) {
    const spec = { dataset, task: { target: "label" }, train: { epochs: 2 }, resources: { ranks: 2 }, ...sections };
    const job = await client.finished(await client.submit(spec));
    expect(job.state, JSON.stringify(job.problem) + stack.logOf("worker").slice(-2000)).toBe("SUCCEEDED");
    return job;
  }

  it.each(models.map(({ name }) => name))("the model %s trains and gives every node an embedding", async (name) => {
    const job = await trained({ model: { type: name }, sampling: { type: "full" } });
    const inferred = job.artifacts.find(({ kind }) => kind === "inferred");
    expect(inferred?.blobs.map((blob) => blob.name).toSorted()).toEqual(["embeddings.npy", "logits.npy"]);
    expect((await client.embeddings(job.id, "parquet")).byteLength).toBeGreaterThan(0);
  });

  it("the model that reads learned rows alone takes them from random walks", async () => {
    const dim = 16;
    const features = { embedding: { dim } };
    const job = await trained({ task: { type: "node2vec", dim }, model: { type: "shallow" }, features });
    expect((await client.embeddings(job.id, "parquet")).byteLength).toBeGreaterThan(0);
  });

  it("the model that reads random rows gives them without a step", async () => {
    const job = await trained({ task: { type: "fastRp", dim: 16 }, train: {} });
    const model = job.artifacts.find(({ kind }) => kind === "model");
    expect(model?.info).toMatchObject({ steps: 0, metrics: { "test/probeAccuracy": expect.any(Number) } });
    expect((await client.embeddings(job.id, "parquet")).byteLength).toBeGreaterThan(0);
  });

  it.each(samplings.map(({ name }) => name))("the sampler %s feeds a model", async (name) => {
    await trained({ model: { type: "sage", options: { hiddenFeats: 16 } }, sampling: { type: name } });
  });
});
