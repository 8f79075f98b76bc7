import type { AnswerOf } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { followJob } from "./follow.ts";
import { followImport } from "./follow-import.ts";
import { tellGraph } from "./ingest.ts";

type Import = AnswerOf<"GET /v1/imports/:id">;

/** Lists the published data sets that can be imported by name. */
export async function listPublished({ client: open, output }: CliContext): Promise<void> {
  const { items } = await (await open()).call("GET /v1/published-datasets");
  output.table(items, items, {
    NAME: ({ name }) => name,
    NODES: ({ numNodes }) => String(numNodes),
    EDGES: ({ numEdges }) => String(numEdges),
    LICENCE: ({ licence }) => licence ?? "not stated",
    "WHAT IT IS": ({ summary }) => summary,
  });
}

/** The title of a published data set. @throws CliError when none is called so */
export async function publishedTitle({ client: open }: CliContext, name: string): Promise<string> {
  const { items } = await (await open()).call("GET /v1/published-datasets");
  const found = items.find((one) => one.name === name.toLowerCase());
  if (found) return found.title;
  throw new CliError("notFound", `There is no published data set "${name}"; hopwise import --catalogue lists them.`);
}

/** Has a published data set fetched. @throws CliError */
export async function fetchPublished(context: CliContext, id: string, published: string): Promise<Import> {
  const client = await context.client();
  const started = await client.call("POST /v1/datasets/:id/imports", { params: { id }, body: { published } });
  return followImport(context, started.id);
}

/** Waits for the graph that is built of it as its entry says. @throws CliError */
export async function followBuild(context: CliContext, { datasetId, jobId }: Import): Promise<void> {
  if (jobId !== null) await followJob(context, jobId);
  await tellGraph(context, datasetId);
}
