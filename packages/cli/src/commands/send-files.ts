import type { HopwiseClient } from "@hopwise/client";
import { openFileWithDigest } from "@hopwise/client/node";
import { CliError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";

/**
 * Sends files to a dataset, each until it is there, and has them looked at. What an earlier command had begun to send
 * is gone on with; what is there already, by name and SHA-256, is not sent.
 *
 * @returns the id of the job that looks at them
 */
export async function sendFiles(
  { output, streams }: CliContext,
  client: HopwiseClient,
  dataset: string,
  paths: readonly string[],
): Promise<string> {
  const there = await filesThere(client, dataset);
  const { signal } = streams;
  try {
    for (const path of paths) {
      output.status(`upload:  reading ${path}`);
      const file = await openFileWithDigest(path).catch((error: NodeJS.ErrnoException) => {
        throw new CliError("usage", `${error.path ?? path} cannot be read: ${error.message}.`);
      });
      if (there.get(file.name.normalize("NFC")) === file.sha256) continue;
      const told = `upload:  ${file.name}: `;
      await client.uploadFile({
        dataset,
        file,
        replace: true,
        signal,
        onProgress: (sent, total) => output.status(`${told}${sent} of ${total} bytes`),
        onWaiting: (reason) => reason !== null && output.status(`${told}waiting. ${reason}`),
      });
    }
  } finally {
    output.endStatus();
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
