import { Multipart } from "./multipart.ts";
import { streamedBody } from "./streamed-body.ts";
import { totalBytes, type Upload } from "./upload-file.ts";

/** Sends files as one streamed request, counting what the connection has taken. */
export function sendByFetch({ url, headers, files, onProgress, signal }: Upload): Promise<Response> {
  const multipart = new Multipart(files, `hopwise-${crypto.randomUUID()}`);
  const total = totalBytes(files);
  let sent = 0;
  const chunks = multipart.chunks((bytes) => {
    sent += bytes;
    onProgress?.(sent, total);
  });
  return fetch(url, {
    method: "POST",
    headers: { ...headers, "content-type": multipart.contentType, "content-length": String(multipart.bytes) },
    ...streamedBody(chunks),
    signal: signal ?? null,
  });
}
