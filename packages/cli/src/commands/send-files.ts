import type { HopwiseClient } from "@hopwise/client";
import { openFileWithDigest } from "@hopwise/client/node";
import { CliError } from "../cli-error.ts";
import { ByteProgress } from "../output/progress.ts";
import { statusOfFile } from "../output/status-of-file.ts";

export interface Sending {
  readonly signal?: AbortSignal;
  /** Told how far it is, in words. */
  readonly onStatus: (text: string) => void;
}

/**
 * Sends files to a dataset, each until it is there, and has them looked at. What an earlier command had begun to send
 * is gone on with; what is there already, by name and SHA-256, is not sent.
 *
 * @returns the id of the job that looks at them
 * @throws CliError usage for a file that cannot be read
 */
export async function sendFiles(
  client: HopwiseClient,
  dataset: string,
  paths: readonly string[],
  { signal, onStatus }: Sending,
): Promise<string> {
  const there = await filesThere(client, dataset);
  for (const path of paths) {
    const readSoFar = new ByteProgress(`upload:  reading ${path}`);
    onStatus(`upload:  reading ${path}`);
    const reading = { signal, onProgress: (done: number, total: number) => onStatus(readSoFar.line(done, total)) };
    const file = await openFileWithDigest(path, reading).catch((error: NodeJS.ErrnoException) => {
      if (signal?.aborted) throw error;
      throw new CliError("usage", `${error.path ?? path} cannot be read: ${error.message}.`);
    });
    if (there.get(file.name.normalize("NFC")) === file.sha256) continue;
    await client.uploadFile({
      dataset,
      file,
      replace: true,
      ...(signal && { signal }),
      ...statusOfFile(file.name, onStatus),
    });
  }
  const asked = { params: { id: dataset }, body: { readers: {} } };
  return (await client.call("POST /v1/datasets/:id/preview", asked)).id;
}

/** SHA-256 by name of what the version has that takes uploads now. */
async function filesThere(client: HopwiseClient, dataset: string): Promise<ReadonlyMap<string, string>> {
  const { versions } = await client.call("GET /v1/datasets/:id", { params: { id: dataset } });
  const [newest] = versions;
  const isOpen = newest?.state === "UPLOADING" || newest?.state === "MAPPING";
  return new Map(isOpen ? newest.sources.map(({ name, sha256 }) => [name, sha256]) : []);
}
