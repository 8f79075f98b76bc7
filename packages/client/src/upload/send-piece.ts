import type { Sendable } from "../request.ts";
import { FileUnreadable, piecesOf } from "./file-piece.ts";
import { browserXhr, sendBodyByXhr } from "./send-by-xhr.ts";
import { streamedBody } from "./streamed-body.ts";
import type { UploadFile } from "./upload-file.ts";

/** A part of a file on its way. */
export interface Piece {
  readonly file: UploadFile;
  readonly start: number;
  readonly end: number;
  /** Told how many bytes of the part have been sent. */
  readonly onBytes: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

const octets = "application/offset+octet-stream";

/** Sends a part of a file by what here can say how far it is. */
export async function sendPiece({ url, headers }: Sendable, piece: Piece): Promise<Response> {
  const { file, start, end, onBytes, signal } = piece;
  const Xhr = browserXhr();
  const sent = { ...headers, "content-type": octets, "tus-resumable": "1.0.0", "upload-offset": String(start) };
  if (Xhr !== null && file instanceof Blob) {
    const body = (file as Blob).slice(start, end);
    const checksum = await checksumOf(body).catch((cause: unknown) => {
      throw new FileUnreadable(file.name, cause);
    });
    const all = { ...sent, ...(checksum !== null && { "upload-checksum": checksum }) };
    const total = end - start;
    return sendBodyByXhr(Xhr, { method: "PATCH", url, headers: all, body, total, onProgress: onBytes, signal });
  }
  return fetch(url, {
    method: "PATCH",
    headers: { ...sent, "content-length": String(end - start) },
    ...streamedBody(counted(piecesOf(file, start, end), onBytes)),
    signal: signal ?? null,
  });
}

/** Browsers hash nothing piece by piece, so that a whole file has no digest there: each part has one. */
async function checksumOf(part: Blob): Promise<string | null> {
  // A browser that begins to send a file which has changed since it was chosen tells of a lost connection only.
  if (!canHash())
    return part
      .slice(0, 1)
      .arrayBuffer()
      .then(() => null);
  const digest = await crypto.subtle.digest("SHA-256", await part.arrayBuffer());
  return `sha256 ${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** Only pages that came encrypted, or from this machine, may hash. */
export function canHash(): boolean {
  return (globalThis.crypto as { subtle?: unknown } | undefined)?.subtle !== undefined;
}

async function* counted(
  pieces: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const piece of pieces) {
    yield piece;
    bytes += piece.byteLength;
    onBytes(bytes);
  }
}
