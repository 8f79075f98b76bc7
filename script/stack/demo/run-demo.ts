import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { HopwiseClient, UploadFile } from "@hopwise/client";
import { download, openFile } from "@hopwise/client/node";
import { artifactInfos } from "@hopwise/contracts";
import { type DatasetSpec, datasetSpec, defaultReadingLimits, loadRegistry } from "@hopwise/gnn-core/spec";
import { trainingSpec } from "./job-spec.ts";
import { showJob } from "./show-job.ts";
import { ProgressLine, say, seconds } from "./terminal.ts";

export interface DemoOptions {
  readonly api: HopwiseClient;
  readonly name: string;
  readonly files: readonly string[];
  /** null: the one that the service proposes for the graph. */
  readonly preset: string | null;
  /** Where the results are written. */
  readonly outDir: string;
}

/**
 * The main job through the public API: upload, preview, ingest, train on two ranks, download.
 *
 * @throws Error, ProblemError when any part of it does not succeed
 */
export async function runDemo({ api, name, files, preset, outDir }: DemoOptions): Promise<void> {
  const opened = await Promise.all(files.map(openFile));
  const { id: datasetId } = await api.call("POST /v1/datasets", { body: { name } });
  await upload(api, datasetId, opened);
  const spec = await confirmPreview(api, datasetId);
  const { ref, graph } = await ingested(api, datasetId);
  say(`  ${graph.numNodes.toLocaleString("en")} nodes, ${graph.numEdges.toLocaleString("en")} stored edges`);
  const training = trainingSpec(ref, spec, graph, preset);
  if (preset === null) say(`  ${graph.proposed.preset.title}: ${graph.proposed.reason}`);
  const jobId = await submit(api, training);
  say(`Training (job ${jobId})`);
  await showJob(api, jobId);
  await report(api, jobId, training.model?.type ?? "sage", outDir);
}

async function upload(api: HopwiseClient, datasetId: string, files: readonly UploadFile[]): Promise<void> {
  say("Uploading");
  const line = new ProgressLine();
  const start = Date.now();
  const params = { id: datasetId };
  const onProgress = (sent: number, total: number) =>
    line.update("upload", sent / total, `${(sent / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`);
  const { previewJob } = await api
    .upload("POST /v1/datasets/:id/files", { params, files, onProgress })
    .catch(async (error: unknown) => {
      // Files come into a dataset all or none: this one is empty.
      await api.call("DELETE /v1/datasets/:id", { params }).catch(() => undefined);
      throw error;
    });
  line.done(`✓ ${files.map(({ name }) => name).join(", ")}  ${seconds(start)}`);
  if (previewJob) await showJob(api, previewJob);
}

/** Takes the proposed spec as it is, as a user would who finds nothing to change in the preview. */
async function confirmPreview(api: HopwiseClient, datasetId: string): Promise<DatasetSpec> {
  const params = { id: datasetId };
  const preview = await api.call("GET /v1/datasets/:id/preview", { params });
  for (const warning of preview.warnings) say(`  ! ${warning}`);
  if (!preview.proposed) throw new Error("The preview proposes no dataset spec; map the columns in the browser.");
  const spec = datasetSpec.parse(preview.proposed);
  say("Ingesting");
  const job = await api.call("PUT /v1/datasets/:id/spec", { params, body: spec });
  await showJob(api, job.id);
  return spec;
}

async function ingested(api: HopwiseClient, datasetId: string) {
  const params = { id: datasetId };
  const [latest] = (await api.call("GET /v1/datasets/:id", { params })).versions;
  if (!latest?.graph) throw new Error(`The dataset is ${latest?.state}, and has no graph.`);
  const { numNodes, numEdges, splits } = latest.graph.info;
  const proposed = await api.call("GET /v1/datasets/:id/preset", { params });
  const counts = Object.entries(splits).map(([split, count]) => ({ split, count }));
  return { ref: latest.ref, graph: { numNodes, numEdges, splits: counts, proposed } };
}

async function submit(api: HopwiseClient, body: object): Promise<string> {
  return (await api.call("POST /v1/jobs", { body, idempotencyKey: randomUUID() })).id;
}

async function report(api: HopwiseClient, jobId: string, modelName: string, outDir: string): Promise<void> {
  const params = { id: jobId };
  const { metrics } = await api.call("GET /v1/jobs/:id", { params });
  const { items } = await api.call("GET /v1/jobs/:id/artifacts", { params });
  const { numNodes, dim } = artifactInfos.exports.parse(items.find(({ kind }) => kind === "exports")?.info);
  await mkdir(outDir, { recursive: true });
  const path = join(outDir, "embeddings.parquet");
  await download(api, "GET /v1/jobs/:id/embeddings", path, { params, query: { format: "parquet" } });
  say("");
  const accuracy = metrics?.["test/accuracy"];
  if (typeof accuracy === "number") say(`${`Test accuracy (${modelName}):`.padEnd(26)} ${accuracy.toFixed(4)}`);
  say(`Embeddings:                ${path}  (${numNodes} × ${dim})`);
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
