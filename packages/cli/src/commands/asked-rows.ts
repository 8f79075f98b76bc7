import type { HopwiseClient } from "@hopwise/client";
import { CliError } from "../cli-error.ts";
import { datasetRef, modelByName } from "./find.ts";

/** Whose rows a command asks about: a job's, or those of a model's version. */
export type AskedRows =
  | { readonly job: string }
  | { readonly model: string; readonly choice: { readonly version?: number; readonly dataset?: string } };

/**
 * A job by its id, or a model as `papers@3` or `papers`.
 *
 * @throws CliError when there is no such model, or a dataset is named beside a job
 */
export async function askedRows(client: HopwiseClient, text: string, dataset: string | undefined): Promise<AskedRows> {
  if (/^job_\w+$/.test(text)) {
    if (dataset === undefined) return { job: text };
    throw new CliError("usage", "--dataset goes with a model; a job has rows of one dataset alone.");
  }
  const { id, version } = await modelByName(client, text);
  const ref = dataset === undefined ? undefined : await versionRef(client, dataset);
  return {
    model: id,
    choice: { ...(version !== undefined && { version }), ...(ref !== undefined && { dataset: ref }) },
  };
}

async function versionRef(client: HopwiseClient, dataset: string): Promise<string> {
  const ref = await datasetRef(client, dataset);
  if (/@\d+$/.test(ref)) return ref;
  throw new CliError("usage", `Found --dataset ${dataset}, expected a version of it, such as ${dataset}@2.`);
}
