import { finishedJob } from "@hopwise/client";
import { datasetRef, modelVersion } from "../commands/find.ts";
import { offeredTasks } from "../commands/tasks.ts";
import { progressLine } from "../output/progress.ts";
import { questionTools } from "./question-tools.ts";
import { type ArgumentSchema, type Arguments, countIn, type Tool, type ToolScope, textIn } from "./tool.ts";

const job: ArgumentSchema = { type: "string", description: "Id of a job, job_…" };
const dataset: ArgumentSchema = { type: "string", description: "Id or name of a dataset" };
const first: ArgumentSchema = { type: "integer", description: "How many, the newest first", minimum: 1, maximum: 200 };

const datasets: Tool[] = [
  {
    name: "list_datasets",
    description: "The datasets, newest first.",
    isReadOnly: true,
    arguments: { first },
    run: (given, { client }) => client.call("GET /v1/datasets", { query: { first: countIn(given, "first", 50) } }),
  },
  {
    name: "show_dataset",
    description: "A dataset with its versions: files, state, numbers of nodes and edges, how columns are read.",
    isReadOnly: true,
    required: ["dataset"],
    arguments: { dataset },
    run: async (given, { client }) =>
      client.call("GET /v1/datasets/:id", { params: { id: await idOf(given, client) } }),
  },
  {
    name: "list_published_datasets",
    description: "Data sets that others have published, which import_files fetches by their names.",
    isReadOnly: true,
    arguments: {},
    run: (_, { client }) => client.call("GET /v1/published-datasets"),
  },
  {
    name: "list_tasks",
    description: "What can be learnt on a dataset: values for `task` of a job spec, the likeliest first.",
    isReadOnly: true,
    required: ["dataset"],
    arguments: { dataset },
    run: async (given, { client }) => ({
      tasks: await offeredTasks(client, await datasetRef(client, textIn(given, "dataset"))),
    }),
  },
  {
    name: "propose_preset",
    description: "A job spec that suits a dataset by its figures and what is to be learnt, with the reason.",
    isReadOnly: true,
    required: ["dataset"],
    arguments: { dataset, task: { type: "object", description: "What is to be learnt, as offered_tasks has it" } },
    run: async (given, { client }) => {
      const params = { id: await idOf(given, client) };
      const query = given["task"] === undefined ? {} : { task: JSON.stringify(given["task"]) };
      const { reason, preset } = await client.call("GET /v1/datasets/:id/preset", { params, query });
      return { reason, preset };
    },
  },
];

const jobs: Tool[] = [
  {
    name: "list_jobs",
    description: "The newest jobs with their state, spec and result.",
    isReadOnly: true,
    arguments: {
      first,
      kind: {
        type: "string",
        description: "Left out: all",
        enum: ["train", "infer", "map", "ingest", "export", "adopt"],
      },
      search: { type: "string", description: "Text in the name" },
    },
    run: async (given, { client }) => {
      const { kind, search } = given as { kind?: string; search?: string };
      const query = { first: countIn(given, "first", 20), ...(kind && { kind }), ...(search && { search }) };
      return client.call("GET /v1/jobs", { query });
    },
  },
  {
    name: "show_job",
    description: "A job with its stages, metrics, spec and, if it has failed, its problem.",
    isReadOnly: true,
    required: ["job"],
    arguments: { job },
    run: (given, { client }) => client.call("GET /v1/jobs/:id", { params: { id: textIn(given, "job") } }),
  },
  {
    name: "wait_for_job",
    description: "Follows a job to its end, or as long as `seconds` says, and tells how it is then.",
    isReadOnly: true,
    required: ["job"],
    arguments: {
      job,
      seconds: { type: "integer", description: "At most; left out: 45", minimum: 1, maximum: 600 },
    },
    run: waitForJob,
  },
  {
    name: "read_log",
    description: "The newest lines of a job's log.",
    isReadOnly: true,
    required: ["job"],
    arguments: {
      job,
      last: { type: "integer", description: "How many; left out: 50", minimum: 1, maximum: 200 },
      level: { type: "string", description: "And graver ones", enum: ["debug", "info", "warn", "error"] },
    },
    run: (given, { client }) => {
      const { level } = given as { level?: "info" };
      const query = { last: countIn(given, "last", 50), ...(level && { level }) };
      return client.call("GET /v1/jobs/:id/logs", { params: { id: textIn(given, "job") }, query });
    },
  },
  {
    name: "read_metrics",
    description: "What a job has measured over its epochs, by name, such as train/loss.",
    isReadOnly: true,
    required: ["job"],
    arguments: { job, names: { type: "string", description: "Comma-separated; left out: all" } },
    run: async (given, { client }) => {
      const { names } = given as { names?: string };
      const query = { maxPoints: 100, ...(names && { names }) };
      return { series: await client.call("GET /v1/jobs/:id/series", { params: { id: textIn(given, "job") }, query }) };
    },
  },
  {
    name: "estimate_job",
    description: "What a job would need and whether it fits, without submitting it.",
    isReadOnly: true,
    required: ["spec"],
    arguments: { spec: { type: "object", description: "A job spec, as show_job and propose_preset have it" } },
    run: (given, { client }) => client.call("POST /v1/jobs/estimate", { body: given["spec"] }),
  },
];

const others: Tool[] = [
  {
    name: "list_models",
    description: "The kept models with their versions, stages and metrics.",
    isReadOnly: true,
    arguments: { first },
    run: (given, { client }) => client.call("GET /v1/models", { query: { first: countIn(given, "first", 50) } }),
  },
  {
    name: "show_model",
    description: "The card of a kept model: data, spec, metrics, files.",
    isReadOnly: true,
    required: ["model"],
    arguments: { model: { type: "string", description: "name@version, or a name for the one in production" } },
    run: async (given, { client }) => {
      const { id } = await modelVersion(client, textIn(given, "model"));
      return client.call("GET /v1/model-versions/:id", { params: { id } });
    },
  },
  {
    name: "show_sweep",
    description: "A sweep: each setting with mean and deviation over its seeds, the best of them, and why.",
    isReadOnly: true,
    required: ["sweep"],
    arguments: { sweep: { type: "string", description: "Id of a sweep" } },
    run: (given, { client }) => client.call("GET /v1/sweeps/:id", { params: { id: textIn(given, "sweep") } }),
  },
  {
    name: "list_workers",
    description: "The workers: what they are, and what they run.",
    isReadOnly: true,
    arguments: {},
    run: (_, { client }) => client.call("GET /v1/workers"),
  },
  {
    name: "list_components",
    description: "The models, samplers, tasks and partitioners that a job spec may name, with their options.",
    isReadOnly: true,
    arguments: {
      kind: { type: "string", description: "One kind alone", enum: ["model", "sampler", "task", "partitioner"] },
    },
    run: async (given, { client }) => {
      const { components } = await client.call("GET /v1/catalog");
      return { components: components.filter(({ kind }) => given["kind"] === undefined || kind === given["kind"]) };
    },
  },
];

export const readTools: readonly Tool[] = [...datasets, ...jobs, ...others, ...questionTools];

async function idOf(given: Arguments, client: ToolScope["client"]): Promise<string> {
  const [id = ""] = (await datasetRef(client, textIn(given, "dataset"))).split("@");
  return id;
}

async function waitForJob(given: Arguments, { client, signal, progress }: ToolScope): Promise<unknown> {
  const id = textIn(given, "job");
  const isOver = AbortSignal.timeout(1000 * countIn(given, "seconds", 45));
  let steps = 0;
  const onEvent: NonNullable<Parameters<typeof finishedJob>[2]>["onEvent"] = (event) => {
    steps += 1;
    if (event.type === "StageProgressed") progress(steps, progressLine(event.body));
  };
  return finishedJob(client, id, { signal: AbortSignal.any([signal, isOver]), onEvent }).catch((error: unknown) => {
    if (!isOver.aborted || signal.aborted) throw error;
    return client.call("GET /v1/jobs/:id", { params: { id } });
  });
}
