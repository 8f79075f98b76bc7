import type { HopwiseClient } from "@hopwise/client";
import { outcomeOf } from "../cli-error.ts";
import { datasetRef } from "./find.ts";

/** Where files go. */
export interface Target {
  /** What a new dataset is called. */
  readonly name?: string;
  /** One that is there, by id or name. */
  readonly dataset?: string;
  readonly project?: string;
}

/**
 * Fills the dataset that is named, else a new one. A new one stays only if something has come into it: where its
 * content is refused, it is removed again. What was interrupted may be gone on with, and so its dataset stays.
 *
 * @param proposedName  of a new dataset for which none is given
 * @throws what the filling throws
 */
export async function intoDataset<T>(
  client: HopwiseClient,
  { dataset, name, project }: Target,
  proposedName: string,
  fill: (id: string) => Promise<T>,
): Promise<T> {
  if (dataset !== undefined) return fill((await datasetRef(client, dataset)).split("@")[0] ?? "");
  const body = { name: name ?? proposedName, ...(project !== undefined && { project }) };
  const { id } = await client.call("POST /v1/datasets", { body });
  try {
    return await fill(id);
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome !== "interrupted" && outcome !== "unreachable") await removeEmpty(client, id).catch(() => undefined);
    throw error;
  }
}

/** Removes a dataset without files, whole or on their way. */
async function removeEmpty(client: HopwiseClient, id: string): Promise<void> {
  const params = { id };
  const { versions } = await client.call("GET /v1/datasets/:id", { params });
  const uploads = await client.call("GET /v1/datasets/:id/uploads", { params });
  if (versions.some(({ sources }) => sources.length > 0) || uploads.items.length > 0) return;
  await client.call("DELETE /v1/datasets/:id", { params });
}
