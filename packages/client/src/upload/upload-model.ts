import type { HopwiseClient } from "../client.ts";
import type { AnswerOf } from "../contract.ts";
import type { OnProgress, UploadFile } from "./upload-file.ts";

export interface ModelToUpload {
  /** Name of a new model, or of one that gets another version */
  readonly name: string;
  readonly note?: string | undefined;
  readonly project?: string | undefined;
  /** What a download of a model gives: card.json, model.safetensors and what else there is */
  readonly files: readonly UploadFile[];
  /** The place of an upload that was broken off; left out: a new one. What it has by name and SHA-256 is not sent. */
  readonly upload?: string | undefined;
  /** Told the place, which an upload that is broken off goes on with. */
  readonly onPlace?: ((id: string) => void) | undefined;
  readonly onProgress?: ((name: string, ...bytes: Parameters<OnProgress>) => void) | undefined;
  /** Told how much of a file the service has put together, once all of it has come. */
  readonly onFinishing?: ModelToUpload["onProgress"];
  /** Told why a file is not sent now; null when it is again. */
  readonly onWaiting?: ((reason: string | null) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type AdoptJob = AnswerOf<"POST /v1/model-uploads/:id">;

/**
 * Sends the files of a model, and has them made the next version under a name.
 *
 * @returns the job that looks at them: when it has succeeded, the version is there
 * @throws ProblemError when the service refuses a file or the card; the signal's reason
 */
export async function uploadModel(client: HopwiseClient, model: ModelToUpload): Promise<AdoptJob> {
  const { name, note = "", project, files, onPlace, onProgress, onFinishing, onWaiting, signal } = model;
  const place = model.upload ?? (await client.call("POST /v1/model-uploads", { body: { name, project }, signal })).id;
  onPlace?.(place);
  const there = await filesThere(client, place, signal);
  for (const file of files) {
    if (file.sha256 !== undefined && there.get(file.name.normalize("NFC")) === file.sha256) continue;
    await client.uploadFile({
      dataset: place,
      file,
      replace: true,
      signal,
      ...(onWaiting && { onWaiting }),
      onProgress: (sent, total) => onProgress?.(file.name, sent, total),
      onFinishing: (joined, total) => onFinishing?.(file.name, joined, total),
    });
  }
  return client.call("POST /v1/model-uploads/:id", { params: { id: place }, body: { name, note }, signal });
}

/** SHA-256 by name of what the place has. */
async function filesThere(
  client: HopwiseClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id }, signal });
  return new Map(versions[0]?.sources.map(({ name, sha256 }) => [name, sha256]) ?? []);
}
