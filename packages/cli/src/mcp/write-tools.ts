import { randomUUID } from "node:crypto";
import { succeededJob } from "@hopwise/client";
import { download, openFile } from "@hopwise/client/node";
import { datasetRef, modelVersion } from "../commands/find.ts";
import { mappingBefore } from "../commands/ingest.ts";
import { intoDataset } from "../commands/into-dataset.ts";
import { offeredTasks } from "../commands/tasks.ts";
import { nameOfFile } from "../commands/upload.ts";
import { type Arguments, type Tool, type ToolScope, textIn } from "./tool.ts";

const key = () => `mcp/${randomUUID()}`;

/** What changes something. Nothing deletes: that is for people. */
export const writeTools: readonly Tool[] = [
  {
    name: "upload_files",
    description:
      "Uploads files of this machine and has a graph built of them, as a new dataset or a new version of one.",
    isReadOnly: false,
    required: ["paths"],
    arguments: {
      paths: { type: "array", description: "Paths of files of nodes and edges", items: { type: "string" } },
      name: { type: "string", description: "Name of a new dataset" },
      dataset: { type: "string", description: "Id or name of a dataset that gets another version" },
      mapping: { type: "object", description: "A DatasetSpec; left out: as in the version before, else as proposed" },
    },
    run: uploadFiles,
  },
  {
    name: "train",
    description: "Submits a training job, and answers with it; wait_for_job follows it.",
    isReadOnly: false,
    required: ["dataset"],
    arguments: {
      dataset: { type: "string", description: "Id or name, with @version if it is not the newest" },
      task: { type: "object", description: "What is learnt, as list_tasks says; left out: the first of these" },
      spec: { type: "object", description: "Further fields of the job spec: model, sampling, train, outputs …" },
    },
    run: async (given, { client }) => {
      const dataset = await datasetRef(client, textIn(given, "dataset"));
      const task = given["task"] ?? (await offeredTasks(client, dataset))[0];
      const body = { version: 1, kind: "train", ...(given["spec"] as object | undefined), dataset, task };
      return client.call("POST /v1/jobs", { body, idempotencyKey: key() });
    },
  },
  {
    name: "apply_model",
    description: "Submits a job that applies a kept model to a dataset, and answers with it.",
    isReadOnly: false,
    required: ["model", "dataset"],
    arguments: {
      model: { type: "string", description: "name@version, or a name for the one in production" },
      dataset: { type: "string", description: "Id or name, with @version if it is not the newest" },
    },
    run: async (given, { client }) => {
      const dataset = await datasetRef(client, textIn(given, "dataset"));
      const body = { version: 1, kind: "infer", model: textIn(given, "model"), dataset };
      return client.call("POST /v1/jobs", { body, idempotencyKey: key() });
    },
  },
  {
    name: "cancel_job",
    description: "Has a job stopped; what its finished stages made is kept.",
    isReadOnly: false,
    required: ["job"],
    arguments: { job: { type: "string", description: "Id of a job" } },
    run: (given, { client }) => client.call("POST /v1/jobs/:id/cancel", { params: { id: textIn(given, "job") } }),
  },
  {
    name: "keep_model",
    description: "Keeps the model of a job as the next version under a name.",
    isReadOnly: false,
    required: ["job", "name"],
    arguments: {
      job: { type: "string", description: "Id of a training job that has succeeded" },
      name: { type: "string", description: "Name of the model" },
      note: { type: "string", description: "Kept with the version" },
    },
    run: (given, { client }) =>
      client.call("POST /v1/models", {
        body: { name: textIn(given, "name"), job: textIn(given, "job"), note: textIn(given, "note") },
      }),
  },
  {
    name: "promote_model",
    description: "Moves a version of a model to production; the one that was there is archived.",
    isReadOnly: false,
    required: ["model"],
    arguments: { model: { type: "string", description: "name@version" } },
    run: async (given, { client }) => {
      const { id } = await modelVersion(client, textIn(given, "model"));
      return client.call("PUT /v1/model-versions/:id", { params: { id }, body: { stage: "production" } });
    },
  },
  {
    name: "download_results",
    description: "Downloads embeddings or predictions of a job to a file of this machine.",
    isReadOnly: false,
    required: ["job", "path"],
    arguments: {
      job: { type: "string", description: "Id of a job that has succeeded" },
      path: { type: "string", description: "Path of the file" },
      what: { type: "string", description: "Left out: embeddings", enum: ["embeddings", "predictions"] },
      format: { type: "string", description: "Left out: parquet", enum: ["parquet", "csv", "arrow", "jsonl"] },
    },
    run: downloadResults,
  },
];

async function uploadFiles(given: Arguments, { client, signal, progress }: ToolScope): Promise<unknown> {
  const { paths, mapping, ...target } = given as {
    paths: string[];
    mapping?: object;
    name?: string;
    dataset?: string;
  };
  const files = await Promise.all(paths.map(openFile));
  const { id, earlier, previewJob } = await intoDataset(client, target, nameOfFile(paths[0]), async (id) => {
    const earlier = target.dataset === undefined ? null : await mappingBefore(client, id);
    const sent = await client.upload("POST /v1/datasets/:id/files", { params: { id }, files, signal });
    return { id, earlier, previewJob: sent.previewJob };
  });
  progress(1, "The files are there.");
  await succeededJob(client, previewJob ?? "", { signal });
  const { proposed, warnings } = await client.call("GET /v1/datasets/:id/preview", { params: { id } });
  progress(2, "The files have been looked at.");
  const spec = mapping ?? earlier ?? proposed;
  if (!spec) throw new Error("How the columns are meant cannot be told; give mapping, a DatasetSpec.");
  const ingest = await client.call("PUT /v1/datasets/:id/spec", { params: { id }, body: spec });
  await succeededJob(client, ingest.id, { signal });
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id } });
  const info = versions[0]?.graph?.info;
  return { ref: versions[0]?.ref, numNodes: info?.numNodes, numEdges: info?.numEdges, spec, warnings };
}

async function downloadResults(given: Arguments, { client, signal }: ToolScope): Promise<unknown> {
  const { what = "embeddings", format = "parquet" } = given as { what?: "embeddings"; format?: "parquet" };
  const asked = { params: { id: textIn(given, "job") }, query: { format } };
  const { ready, job } = await client.call(`POST /v1/jobs/:id/${what}` as const, asked);
  if (!ready && job !== null) await succeededJob(client, job, { signal });
  return download(client, `GET /v1/jobs/:id/${what}` as const, textIn(given, "path"), { ...asked, signal });
}
