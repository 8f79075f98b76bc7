import { type HopwiseClient, succeededJob } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import { endedImport, importLine } from "../commands/follow-import.ts";
import { nameOfSource } from "../commands/import.ts";
import { mappingBefore } from "../commands/ingest.ts";
import { intoDataset } from "../commands/into-dataset.ts";
import { openAddition } from "../commands/open-addition.ts";
import { sendFiles } from "../commands/send-files.ts";
import { nameOfFile } from "../commands/upload.ts";
import { fileWithin } from "./bounded-path.ts";
import type { ArgumentSchema, Arguments, Tool, ToolScope } from "./tool.ts";

const target: Readonly<Record<string, ArgumentSchema>> = {
  name: { type: "string", description: "Name of a new dataset" },
  dataset: { type: "string", description: "Id or name of a dataset that gets another version" },
  adds: {
    type: "boolean",
    description: "With dataset: the files hold new rows only, which are added to those of its newest graph",
  },
  mapping: { type: "object", description: "A DatasetSpec; left out: as in the version before, else as proposed" },
};

interface Target {
  readonly name?: string;
  readonly dataset?: string;
  readonly adds?: boolean;
  readonly mapping?: object;
}

/** What brings data in. */
export const dataTools: readonly Tool[] = [
  {
    name: "upload_files",
    description:
      "Uploads files of the folder that this server may read, and has a graph built of them, as a new dataset or a new version of one. What an earlier call had begun to send is gone on with.",
    isReadOnly: false,
    required: ["paths"],
    arguments: {
      paths: {
        type: "array",
        description: "Files of nodes and edges: paths from that folder on, or whole ones within it",
        items: { type: "string" },
      },
      ...target,
    },
    run: uploadFiles,
  },
  {
    name: "import_files",
    description:
      "Has the service fetch files from addresses, rows of a database or a published data set, and a graph built of them.",
    isReadOnly: false,
    arguments: {
      addresses: {
        type: "array",
        description: "https:// or s3:// addresses of files, or one of a database with queries",
        items: { type: "string" },
      },
      queries: {
        type: "array",
        description: "What the database is asked, a file of rows for each: SELECT …",
        items: { type: "string" },
      },
      published: { type: "string", description: "In place of addresses: a name as list_published_datasets has it" },
      credential: { type: "string", description: "Name of a credential of the project that the sources are sent" },
      ...target,
    },
    run: importFiles,
  },
];

interface UploadArguments extends Target {
  readonly paths?: readonly string[];
}

async function uploadFiles(given: Arguments, { client, signal, folder, progress }: ToolScope): Promise<unknown> {
  const { paths: asked = [], mapping, ...into } = given as UploadArguments;
  const adds = addsRows(into);
  // Before a dataset is made for them.
  const paths = await Promise.all(asked.map((path) => fileWithin(folder, path)));
  let steps = 0;
  const onStatus = (text: string) => {
    steps += 1;
    progress(steps, text);
  };
  const { id, earlier, previewJob } = await intoDataset(client, into, nameOfFile(paths[0]), async (id) => {
    if (adds) await openAddition(client, id);
    const earlier = await keptMapping(client, id, into);
    return { id, earlier, previewJob: await sendFiles(client, id, paths, { signal, onStatus }) };
  });
  await succeededJob(client, previewJob, { signal });
  onStatus("The files have been looked at.");
  return builtGraph(id, mapping ?? earlier, { client, signal });
}

interface ImportArguments extends Target {
  readonly addresses?: readonly string[];
  readonly queries?: readonly string[];
  readonly published?: string;
  readonly credential?: string;
}

async function importFiles(given: Arguments, { client, signal, progress }: ToolScope): Promise<unknown> {
  const { addresses = [], queries = [], published, credential, mapping, ...into } = given as ImportArguments;
  const adds = addsRows(into);
  if (adds && published !== undefined)
    throw new CliError("usage", "A published data set stands alone: give adds with addresses.");
  if ((published === undefined) === (addresses.length === 0))
    throw new CliError("usage", "Give addresses, or the name of a published data set.");
  if (queries.length > 0 && addresses.length !== 1)
    throw new CliError("usage", `Found ${addresses.length} addresses with queries, expected one of a database.`);
  const sent = credential === undefined ? {} : { credential };
  const files =
    queries.length > 0
      ? queries.map((query) => ({ url: addresses[0] as string, query, ...sent }))
      : addresses.map((url) => ({ url, ...sent }));
  const { id, earlier, done } = await intoDataset(client, into, published ?? nameOfSource(files[0]), async (id) => {
    const earlier = await keptMapping(client, id, into);
    const body = published === undefined ? { files, ...(adds ? { adds } : { replace: true }) } : { published };
    const started = await client.call("POST /v1/datasets/:id/imports", { params: { id }, body });
    let steps = 0;
    const onLook: Parameters<typeof endedImport>[2]["onLook"] = (now) => {
      steps += 1;
      progress(steps, now.waitReason ?? importLine(now));
    };
    return { id, earlier, done: await endedImport(client, started.id, { signal, onLook }) };
  });
  const job = done.jobId === null ? null : await succeededJob(client, done.jobId, { signal });
  // The graph of a published data set is built as its entry says, and rows of a file that is known as it was read.
  if (published !== undefined || job?.kind === "ingest") return tellVersion(id, { client });
  return builtGraph(id, mapping ?? earlier, { client, signal });
}

/** Whether rows are added to those of the dataset that is named. */
function addsRows({ adds = false, dataset }: Target): boolean {
  if (adds && dataset === undefined)
    throw new CliError("usage", "Found adds without dataset: name the dataset whose newest graph gets the rows.");
  return adds;
}

/** The mapping of the version before, where another takes its place; null: as proposed, which knows what rows go to. */
async function keptMapping(client: HopwiseClient, id: string, { adds, dataset }: Target): Promise<unknown> {
  return dataset === undefined || adds ? null : mappingBefore(client, id);
}

/** Has the graph of files built that have been looked at, and tells what it came to. */
async function builtGraph(
  id: string,
  mapping: unknown,
  { client, signal }: Pick<ToolScope, "client" | "signal">,
): Promise<object> {
  const { proposed, warnings } = await client.call("GET /v1/datasets/:id/preview", { params: { id } });
  const spec = mapping ?? proposed;
  if (!spec) throw new CliError("refused", "How the columns are meant cannot be told; give mapping, a DatasetSpec.");
  const ingest = await client.call("PUT /v1/datasets/:id/spec", { params: { id }, body: spec });
  await succeededJob(client, ingest.id, { signal });
  return { ...(await tellVersion(id, { client })), spec, warnings };
}

async function tellVersion(id: string, { client }: Pick<ToolScope, "client">): Promise<object> {
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id } });
  const [version] = versions;
  const info = version?.graph?.info;
  return { ref: version?.ref, numNodes: info?.numNodes, numEdges: info?.numEdges };
}
