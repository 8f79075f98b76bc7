import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publishArtifact } from "@hopwise/artifacts";
import { writeNpy } from "@hopwise/gnn-core";
import { buildManifest } from "@hopwise/gnn-core/spec";
import type { TestApp } from "../../support/start-app.ts";

const owner = { projectId: "default", createdBy: "admin" };
/** Ids of the nodes are their numbers plus this */
export const firstId = 100;

/** Stores an artifact as a step leaves it, with its row. @returns its id */
async function stored(app: TestApp, kind: string, dir: string, info: object, names: readonly string[]) {
  const draft = { info: info as Record<string, unknown>, blobs: names.map((name) => ({ name })) };
  const context = { kind, step: kind, stepVersion: 1, engine: "test", inputs: {}, options: {} };
  const manifest = await buildManifest(dir, draft, context);
  const id = `art_${kind}_${manifest.digest.slice(0, 12)}`;
  const { bytes } = await publishArtifact(app.services.store, `made/${id}`, dir, manifest);
  const { digest, blobs } = manifest;
  const row = { id, ...owner, kind, prefix: `made/${id}`, digest, bytes: BigInt(bytes), info, blobs: [...blobs] };
  await app.services.prisma.artifact.create({ data: row as never });
  return id;
}

/** Gives a dataset version a graph of so many nodes, of which only the ids are stored. */
export async function storeGraph(app: TestApp, dataset: string, numNodes: number): Promise<void> {
  const { prisma } = app.services;
  const version = await prisma.datasetVersion.findFirstOrThrow({ where: { datasetId: dataset } });
  const graph = await prisma.artifact.findUniqueOrThrow({ where: { id: version.graphId ?? "" } });
  const dir = await mkdtemp(join(tmpdir(), "hopwise-graph-"));
  const ids = BigInt64Array.from({ length: numNodes }, (_, node) => BigInt(firstId + node));
  await writeNpy(join(dir, "nodes/ids.npy"), "int64", [numNodes], ids);
  const info = { ...(graph.info as object), numNodes, idType: "int64" };
  const graphId = await stored(app, "graph", dir, info, ["nodes/ids.npy"]);
  await prisma.datasetVersion.update({ where: { id: version.id }, data: { graphId } });
}

/** Leaves a job with rows: every node's class is `winner`, and its embedding its number. */
export async function storeRows(app: TestApp, jobId: string, numNodes: number, winner: 0 | 1): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "hopwise-remapped-"));
  const rows = <T>(make: (node: number) => T[]) => Array.from({ length: numNodes }, (_, node) => make(node)).flat();
  const logits = Float32Array.from(rows(() => (winner === 0 ? [1, 0] : [0, 1])));
  await writeNpy(join(dir, "embeddings.npy"), "float32", [numNodes, 2], Float32Array.from(rows((node) => [node, 1])));
  await writeNpy(join(dir, "logits.npy"), "float32", [numNodes, 2], logits);
  await writeNpy(join(dir, "labels.npy"), "int32", [numNodes], new Int32Array(numNodes));
  await writeNpy(join(dir, "split.npy"), "int8", [numNodes], new Int8Array(numNodes));
  const task = { type: "nodeClassification", target: "label" };
  const info = { numNodes, dim: 2, layer: "lastHidden", classes: ["a", "b"], temperature: null, metrics: {}, task };
  const names = ["embeddings.npy", "logits.npy", "labels.npy", "split.npy"];
  const outputId = await stored(app, "remapped", dir, info, names);
  const { prisma } = app.services;
  await prisma.stage.updateMany({ where: { jobId, kind: "remap" }, data: { state: "SUCCEEDED", outputId } });
  await prisma.job.update({ where: { id: jobId }, data: { state: "SUCCEEDED", finishedAt: new Date() } });
}

/** Keeps a job's model as a version of a model, though no model is stored. @returns id of the model */
export async function storeVersion(app: TestApp, jobId: string, number: number, stage: "PRODUCTION" | "CANDIDATE") {
  const { prisma } = app.services;
  const blobs = [{ name: "model.safetensors", bytes: 8, sha256: "2".repeat(64) }];
  const model = { kind: "model", digest: "1".repeat(64), bytes: 8n, info: {}, blobs };
  const artifactId = `art_model_${jobId}`;
  await prisma.artifact.create({ data: { id: artifactId, ...owner, prefix: `models/${jobId}`, ...model } });
  const registered = await prisma.registeredModel.upsert({
    where: { projectId_name: { projectId: "default", name: "served" } },
    create: { id: "mod_served", ...owner, name: "served" },
    update: {},
  });
  const facts = { dataset: "ds@1", datasetName: "", trainedOn: {}, spec: {} };
  const version = { id: `mv_${jobId}`, ...owner, modelId: registered.id, number, stage, artifactId, jobId, ...facts };
  await prisma.modelVersion.create({ data: version });
  return registered.id;
}
