import { randomBytes } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import type { ApiClient } from "../api-client.ts";

/**
 * Sends files to a dataset as one streamed multipart request; nothing is held in memory.
 *
 * @param onSent told the bytes sent so far and of all files
 * @returns the job that makes the preview
 */
export async function uploadFiles(
  api: ApiClient,
  datasetId: string,
  files: readonly string[],
  onSent: (sent: number, total: number) => void,
): Promise<{ previewJob: string | null }> {
  const boundary = `hopwise-${randomBytes(12).toString("hex")}`;
  const total = files.reduce((sum, file) => sum + statSync(file).size, 0);
  let sent = 0;
  const count = (bytes: number) => {
    sent += bytes;
    onSent(sent, total);
  };
  const response = await api.fetch(`/v1/datasets/${datasetId}/files`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(multipart(boundary, files, count)) as unknown as NonNullable<RequestInit["body"]>,
    duplex: "half",
  });
  return (await response.json()) as { previewJob: string | null };
}

async function* multipart(
  boundary: string,
  files: readonly string[],
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${basename(file)}"\r\n`;
    yield Buffer.from(`${head}content-type: application/octet-stream\r\n\r\n`);
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
      yield chunk as Buffer;
      onBytes((chunk as Buffer).byteLength);
    }
    yield Buffer.from("\r\n");
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}
