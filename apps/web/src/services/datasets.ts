import type { AnswerOf, OnProgress } from "@hopwise/client";
import { api } from "./api.ts";

/** Makes an empty dataset and returns its id. */
export async function createDataset(name: string): Promise<string> {
  return (await api.call("POST /v1/datasets", { body: { name } })).id;
}

/** Makes the next version of a dataset, which keeps files and mapping: what is uploaded to it adds rows. */
export async function createAddition(id: string): Promise<void> {
  await api.call("POST /v1/datasets/:id/versions", { params: { id }, body: { adds: true } });
}

/** What a version adds to which: rows of the files that are new in it. */
export interface Addition {
  readonly addsTo: number;
  /** Files can be added still. */
  readonly isOpen: boolean;
  /** null: its graph is not built */
  readonly files: readonly AddedFile[] | null;
}

export interface AddedFile {
  readonly name: string;
  readonly nodeRows: number;
  readonly edgeRows: number;
  /** Among the rows of nodes, those that later ones replaced; left out: none */
  readonly replacedRows?: number | undefined;
  /** Number of the version that brought it */
  readonly version: number;
}

/** null: the version stands alone */
export async function readAddition(id: string, number: number): Promise<Addition | null> {
  const { versions } = await api.call("GET /v1/datasets/:id", { params: { id } });
  const version = versions.find((one) => one.number === number);
  if (!version || version.addsTo === null) return null;
  const broughtBy = (name: string) =>
    version.sources.find((file) => name === file.name || name.startsWith(`${file.name}/`))?.carriedFrom ?? number;
  const files = version.graph?.info.report.files?.map((file) => ({ ...file, version: broughtBy(file.name) })) ?? null;
  const isOpen = version.state === "UPLOADING" || version.state === "MAPPING";
  return { addsTo: version.addsTo, isOpen, files };
}

export async function deleteDataset(id: string): Promise<void> {
  await api.call("DELETE /v1/datasets/:id", { params: { id } });
}

export type ListedUpload = AnswerOf<"GET /v1/datasets/:id/uploads">["items"][number];

/** Files that somebody sends to the dataset, or has sent, the newest first. */
export async function readUploads(id: string): Promise<readonly ListedUpload[]> {
  return (await api.call("GET /v1/datasets/:id/uploads", { params: { id } })).items;
}

export interface UploadOptions {
  readonly onProgress?: OnProgress;
  /** Told how much of the file the service has put together, once all of it has come. */
  readonly onFinishing?: OnProgress;
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
