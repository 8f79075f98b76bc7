import { join } from "node:path";
import { prepareFirstStart } from "../../apps/api/src/auth/first-start.ts";
import { openDatabase } from "../../apps/api/src/database/open-database.ts";

interface Stored {
  readonly id: string;
  readonly kind: string;
  readonly prefix: string;
  readonly digest: string;
}

const owner = { projectId: "default", createdBy: "admin" };
export const [jobId, modelId] = ["job_bench", "mod_bench"];

/** Writes the rows of a job that succeeded, and of a model kept of it, into the database of a new data folder. */
export async function seedApi(data: string, source: { graph: Stored; remapped: Stored }): Promise<void> {
  const place = { dir: join(data, "pglite"), cacheDir: join(data, "templates") };
  const database = await openDatabase({ ...place, url: process.env["DATABASE_URL"] });
  const { prisma } = database;
  await prepareFirstStart(prisma, join(data, "secrets"), "http://127.0.0.1");
  const model = { id: "model", kind: "model", prefix: "made/model", digest: "1" };
  const artifacts = [source.graph, source.remapped, model];
  await prisma.artifact.createMany({
    data: artifacts.map((artifact) => ({ ...artifact, ...owner, bytes: 8n, info: {}, blobs: [] })),
  });
  await prisma.dataset.create({ data: { id: "ds_bench", name: "bench", ...owner } });
  const version = { id: "dsv_bench", datasetId: "ds_bench", number: 1, graphId: source.graph.id } as const;
  await prisma.datasetVersion.create({ data: { ...version, ...owner, state: "READY" } });
  const ended = { state: "SUCCEEDED", finishedAt: new Date() } as const;
  const job = { id: jobId, kind: "train", name: "bench", spec: {}, datasetVersionId: version.id };
  await prisma.job.create({ data: { ...job, ...owner, ...ended } });
  const stage = { id: "stage_bench", jobId, index: 0, kind: "remap", options: {}, outputId: source.remapped.id };
  await prisma.stage.create({ data: { ...stage, ...owner, ...ended } });
  await prisma.registeredModel.create({ data: { id: modelId, name: "bench", ...owner } });
  const kept = {
    id: "mv_bench",
    modelId,
    number: 1,
    artifactId: model.id,
    jobId,
    dataset: "ds_bench@1",
    datasetName: "",
  };
  await prisma.modelVersion.create({ data: { ...kept, ...owner, stage: "PRODUCTION", trainedOn: {}, spec: {} } });
  await database.close();
}
