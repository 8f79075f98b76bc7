import { randomUUID } from "node:crypto";
import { succeededJob } from "@hopwise/client";
import { download } from "@hopwise/client/node";
import { datasetRef, modelVersion } from "../commands/find.ts";
import { offeredTasks } from "../commands/tasks.ts";
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

async function downloadResults(given: Arguments, { client, signal }: ToolScope): Promise<unknown> {
  const { what = "embeddings", format = "parquet" } = given as { what?: "embeddings"; format?: "parquet" };
  const asked = { params: { id: textIn(given, "job") }, query: { format } };
  const { ready, job } = await client.call(`POST /v1/jobs/:id/${what}` as const, asked);
  if (!ready && job !== null) await succeededJob(client, job, { signal });
  return download(client, `GET /v1/jobs/:id/${what}` as const, textIn(given, "path"), { ...asked, signal });
}
