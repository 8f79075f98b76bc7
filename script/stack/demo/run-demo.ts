import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type DatasetSpec, datasetSpec, defaultReadingLimits, loadRegistry } from "@hopwise/gnn-core/spec";
import type { ApiClient } from "../api-client.ts";
import { type GraphFacts, trainingSpec } from "./job-spec.ts";
import { showJob } from "./show-job.ts";
import { ProgressLine, say, seconds } from "./terminal.ts";
import { uploadFiles } from "./upload.ts";

export interface DemoOptions {
  readonly api: ApiClient;
  readonly name: string;
  readonly files: readonly string[];
  /** null: chosen by the graph. */
  readonly preset: string | null;
  /** Where the results are written. */
  readonly outDir: string;
}

/**
 * The main job through the public API: upload, preview, ingest, train on two ranks, download.
 *
 * @throws Error, ApiError when any part of it does not succeed
 */
export async function runDemo({ api, name, files, preset, outDir }: DemoOptions): Promise<void> {
  const { id: datasetId } = await api.send<{ id: string }>("POST", "/v1/datasets", { name });
  await upload(api, datasetId, files);
  const spec = await confirmPreview(api, datasetId);
  const { ref, graph } = await ingested(api, datasetId);
  say(`  ${graph.numNodes.toLocaleString("en")} nodes, ${graph.numEdges.toLocaleString("en")} stored edges`);
  const jobId = await submit(api, trainingSpec(ref, spec, graph, preset));
  say(`Training (job ${jobId})`);
  await showJob(api, jobId);
  await report(api, jobId, outDir);
}

async function upload(api: ApiClient, datasetId: string, files: readonly string[]): Promise<void> {
  say("Uploading");
  const line = new ProgressLine();
  const start = Date.now();
  const { previewJob } = await uploadFiles(api, datasetId, files, (sent, total) =>
    line.update("upload", sent / total, `${(sent / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`),
  );
  line.done(`✓ ${files.map((file) => basename(file)).join(", ")}  ${seconds(start)}`);
  if (previewJob) await showJob(api, previewJob);
}

/** Takes the proposed spec as it is, as a user would who finds nothing to change in the preview. */
async function confirmPreview(api: ApiClient, datasetId: string): Promise<DatasetSpec> {
  const preview = await api.get<{ proposed: unknown; warnings: string[] }>(`/v1/datasets/${datasetId}/preview`);
  for (const warning of preview.warnings) say(`  ! ${warning}`);
  if (!preview.proposed) throw new Error("The preview proposes no dataset spec; map the columns in the browser.");
  const spec = datasetSpec.parse(preview.proposed);
  say("Ingesting");
  const job = await api.send<{ id: string }>("PUT", `/v1/datasets/${datasetId}/spec`, spec);
  await showJob(api, job.id);
  return spec;
}

async function ingested(api: ApiClient, datasetId: string) {
  const query = `query ($id: ID!) { dataset(id: $id) { latest {
    ref graph { numNodes numEdges splits { split count } } } } }`;
  type Found = { dataset: { latest: { ref: string; graph: GraphFacts & { numEdges: number } } } };
  return (await api.graphql<Found>(query, { id: datasetId })).dataset.latest;
}

async function submit(api: ApiClient, spec: object): Promise<string> {
  const query = "mutation ($spec: JobSpecInput!) { submitJob(spec: $spec) { id } }";
  return (await api.graphql<{ submitJob: { id: string } }>(query, { spec })).submitJob.id;
}

async function report(api: ApiClient, jobId: string, outDir: string): Promise<void> {
  const query = `query ($id: ID!) { job(id: $id) { model { metrics } embeddings { numRows dim } } }`;
  type Found = {
    job: { model: { metrics: Record<string, number> }; embeddings: { numRows: number; dim: number } };
  };
  const { model, embeddings } = (await api.graphql<Found>(query, { id: jobId })).job;
  await mkdir(outDir, { recursive: true });
  const path = join(outDir, "embeddings.parquet");
  const { body } = await api.fetch(`/v1/jobs/${jobId}/embeddings?format=parquet`);
  if (!body) throw new Error("The download has no body.");
  await pipeline(Readable.fromWeb(body), createWriteStream(path));
  say("");
  say(`Test accuracy (GraphSAGE): ${model.metrics["test/accuracy"]?.toFixed(4)}`);
  say(`Embeddings:                ${path}  (${embeddings.numRows} × ${embeddings.dim})`);
  say(`First ids:                 ${(await firstIds(path, 5)).join(", ")}`);
}

/** Reads the first original ids back from the file that a user would open. */
async function firstIds(path: string, count: number): Promise<string[]> {
  const reader = (await loadRegistry()).get("reader", "parquet");
  const source = await reader.open(path, reader.options.parse({}), "embeddings.parquet", defaultReadingLimits);
  try {
    for await (const { columns } of source.read([{ name: "id", as: "text" }])) {
      return Array.from(columns[0] ?? [], String).slice(0, count);
    }
    return [];
  } finally {
    await source.close();
  }
}
