import { randomUUID } from "node:crypto";
import { succeededJob, uploadModel } from "@hopwise/client";
import { download, openFileWithDigest } from "@hopwise/client/node";
import { datasetRef, modelVersion } from "../commands/find.ts";
import { offeredTasks } from "../commands/tasks.ts";
import { fileWithin, newFileWithin } from "./bounded-path.ts";
import { dataTools } from "./data-tools.ts";
import { type Arguments, type Tool, type ToolScope, textIn } from "./tool.ts";

const key = () => `mcp/${randomUUID()}`;

/** What changes something. Nothing deletes: that is for people. */
export const writeTools: readonly Tool[] = [
  ...dataTools,
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
    name: "end_training",
    description: "Has a training end where it is; the best model so far is its result.",
    isReadOnly: false,
    required: ["job"],
    arguments: { job: { type: "string", description: "Id of a job that trains" } },
    run: (given, { client }) => client.call("POST /v1/jobs/:id/end-training", { params: { id: textIn(given, "job") } }),
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
    name: "upload_model",
    description:
      "Uploads a model as a download gives it (card.json, model.safetensors …), and keeps it as the next version.",
    isReadOnly: false,
    required: ["paths", "name"],
    arguments: {
      paths: {
        type: "array",
        description: "Its files, from the folder that this server may read on",
        items: { type: "string" },
      },
      name: { type: "string", description: "Name of the model" },
      note: { type: "string", description: "Kept with the version" },
    },
    run: uploadModelFiles,
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
    description: "Downloads embeddings or predictions of a job to a file of the folder that this server may use.",
    isReadOnly: false,
    required: ["job", "path"],
    arguments: {
      job: { type: "string", description: "Id of a job that has succeeded" },
      path: { type: "string", description: "Path of the file, from that folder on or whole" },
      what: { type: "string", description: "Left out: embeddings", enum: ["embeddings", "predictions"] },
      format: { type: "string", description: "Left out: parquet", enum: ["parquet", "csv", "arrow", "jsonl"] },
    },
    run: downloadResults,
  },
];

async function uploadModelFiles(given: Arguments, { client, signal, folder, progress }: ToolScope): Promise<unknown> {
  const { paths } = given as { paths: readonly string[] };
  const found = await Promise.all(paths.map((path) => fileWithin(folder, path)));
  const files = await Promise.all(found.map((path) => openFileWithDigest(path)));
  let steps = 0;
  const onProgress = (file: string, sent: number, total: number) => {
    steps += 1;
    progress(steps, `${file}: ${sent} of ${total} bytes`);
  };
  const told = { name: textIn(given, "name"), note: textIn(given, "note") };
  const { id } = await uploadModel(client, { ...told, files, signal, onProgress });
  await succeededJob(client, id, { signal });
  const { items } = await client.call("GET /v1/models", { query: { name: told.name } });
  return items.flatMap(({ versions }) => versions).find(({ jobId }) => jobId === id);
}

async function downloadResults(given: Arguments, { client, signal, folder }: ToolScope): Promise<unknown> {
  const { what = "embeddings", format = "parquet" } = given as { what?: "embeddings"; format?: "parquet" };
  const path = await newFileWithin(folder, textIn(given, "path"));
  const asked = { params: { id: textIn(given, "job") }, query: { format } };
  const { ready, job } = await client.call(`POST /v1/jobs/:id/${what}` as const, asked);
  if (!ready && job !== null) await succeededJob(client, job, { signal });
  return download(client, `GET /v1/jobs/:id/${what}` as const, path, { ...asked, signal });
}
