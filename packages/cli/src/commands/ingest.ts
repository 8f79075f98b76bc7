import { readFile } from "node:fs/promises";
import type { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { followJob } from "./follow.ts";
import { additionOf } from "./open-addition.ts";

interface GraphToBuild {
  /** How the files are meant; null: as proposed. */
  readonly mapping: unknown;
  /** false: the proposed mapping is shown, and no graph built. */
  readonly ingest: boolean;
}

/** Has a graph built of files that have been looked at, and tells what came of it. @throws CliError */
export async function buildGraph(context: CliContext, id: string, { mapping, ingest }: GraphToBuild): Promise<void> {
  const client = await context.client();
  const { proposed, warnings } = await client.call("GET /v1/datasets/:id/preview", { params: { id } });
  for (const warning of warnings) context.output.note(warning);
  if (!ingest) return context.output.result({ id, proposed }, JSON.stringify(proposed, null, 2));
  const spec = mapping ?? proposed;
  if (!spec) throw new CliError("refused", "How the columns are meant cannot be told; give --mapping <file>.");
  const job = await client.call("PUT /v1/datasets/:id/spec", { params: { id }, body: spec });
  await followJob(context, job.id);
  await tellGraph(context, id);
}

/** Tells what the newest version of a dataset came to. */
export async function tellGraph({ client: open, output }: CliContext, id: string): Promise<void> {
  const client = await open();
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id } });
  const [version] = versions;
  const { numNodes = 0, numEdges = 0 } = version?.graph?.info ?? {};
  const ref = version?.ref ?? id;
  const addition = version ? additionOf(version) : "";
  const added = addition === "" ? "" : `; ${addition}`;
  const addsTo = version?.addsTo ?? null;
  output.result(
    { id, ref, numNodes, numEdges, ...(addsTo !== null && { addsTo }) },
    `${ref}: ${numNodes} nodes, ${numEdges} edges${added}`,
  );
}

/** The DatasetSpec in a file; null where none is named. @throws CliError */
export async function readMapping(path: string | undefined): Promise<unknown> {
  if (path === undefined) return null;
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError("usage", `${path} is no JSON; write the DatasetSpec as JSON.`);
  }
}

/** How the newest version with a graph was read; tomorrow's files have the columns of today's. */
export async function mappingBefore(client: HopwiseClient, id: string): Promise<unknown> {
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id } });
  return versions.find(({ state }) => state === "READY")?.spec ?? null;
}
