import type { OnProgress } from "@hopwise/client";
import { api } from "./api.ts";

/** Makes an empty dataset and returns its id. */
export async function createDataset(name: string): Promise<string> {
  return (await api.call("POST /v1/datasets", { body: { name } })).id;
}

export async function deleteDataset(id: string): Promise<void> {
  await api.call("DELETE /v1/datasets/:id", { params: { id } });
}

export interface UploadOptions {
  readonly onProgress?: OnProgress;
  /** Told why nothing is sent now; null: something is again. */
  readonly onWaiting?: (reason: string | null) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends one file to the dataset, in the place of one of the same name, through cuts and restarts of the service; what
 * had arrived of it earlier is not sent again. The preview is asked for when all have arrived.
 */
export async function uploadFile(datasetId: string, file: File, options: UploadOptions = {}): Promise<void> {
  await api.uploadFile({ dataset: datasetId, file, replace: true, ...options });
}

/** Reader and options that somebody has chosen for single files, by their names. */
export type ChosenReaders = Readonly<
  Record<string, { readonly type: string; readonly options: Readonly<Record<string, unknown>> }>
>;

/** Has a worker look into the files that have arrived; the id of the job that does. */
export async function askForPreview(datasetId: string, readers: ChosenReaders = {}): Promise<string> {
  const asked = { params: { id: datasetId }, body: { readers } };
  return (await api.call("POST /v1/datasets/:id/preview", asked)).id;
}
