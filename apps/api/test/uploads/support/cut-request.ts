import { request } from "node:http";

export interface SentPatch {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly bytes: Uint8Array;
  /** Once so many of the bytes have left, the connection is broken. */
  readonly cutAfter: number;
}

/** A PATCH that announces all of its bytes and breaks its connection in the midst of them. */
export async function cutPatch({ url, headers, offset, bytes, cutAfter }: SentPatch): Promise<void> {
  const sent = request(url, {
    method: "PATCH",
    headers: {
      ...headers,
      "tus-resumable": "1.0.0",
      "content-type": "application/offset+octet-stream",
      "content-length": bytes.byteLength,
      "upload-offset": offset,
    },
  });
  // The service may have broken the connection itself.
  sent.on("error", () => undefined);
  await new Promise<void>((resolve) => sent.write(bytes.subarray(0, cutAfter), () => resolve()));
  await new Promise<void>((resolve) => {
    sent.once("close", resolve);
    sent.destroy();
  });
}
