import { fieldName, type OnProgress, totalBytes, type Upload } from "./upload-file.ts";

/** What is used of a browser's XMLHttpRequest; the types of Node know none. */
interface Xhr {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { addEventListener(type: "progress", listener: (event: { readonly loaded: number }) => void): void };
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  addEventListener(type: "load" | "error" | "abort" | "loadend", listener: () => void): void;
  send(body: FormData | Blob): void;
  abort(): void;
}

/**
 * After so long without a byte sent the connection is taken for lost: a browser whose network has gone says nothing for
 * many minutes.
 */
const stalledMs = 60_000;

/** Browsers tell what they have sent through XMLHttpRequest only; null where there is none. */
export function browserXhr(): (new () => Xhr) | null {
  return (globalThis as { XMLHttpRequest?: new () => Xhr }).XMLHttpRequest ?? null;
}

/** A request with a body whose progress is told. */
export interface XhrBody {
  readonly method: "POST" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
  /** Bytes of the files in it. */
  readonly total: number;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends files by XMLHttpRequest, and answers as fetch would. */
export function sendByXhr(
  XmlHttpRequest: new () => Xhr,
  { url, headers, files, onProgress, signal }: Upload,
): Promise<Response> {
  const body = new FormData();
  for (const file of files) {
    if (!(file instanceof Blob)) throw new TypeError(`"${file.name}" is no File, which is all that a browser sends.`);
    body.append(fieldName, file, file.name);
  }
  const total = totalBytes(files);
  return sendBodyByXhr(XmlHttpRequest, { method: "POST", url, headers, body, total, onProgress, signal });
}

/** Sends one body by XMLHttpRequest, and answers as fetch would. */
export function sendBodyByXhr(
  XmlHttpRequest: new () => Xhr,
  { method, url, headers, body, total, onProgress, signal }: XhrBody,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XmlHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    const lost = () => {
      reject(new TypeError("Nothing could be sent for a minute: the connection was lost."));
      request.abort();
    };
    let stall = setTimeout(lost, stalledMs);
    request.upload.addEventListener("progress", ({ loaded }) => {
      clearTimeout(stall);
      // With all of it sent it is the service that is waited for.
      if (loaded < total) stall = setTimeout(lost, stalledMs);
      // The boundaries of a form are counted too.
      onProgress?.(Math.min(loaded, total), total);
    });
    request.addEventListener("load", () => resolve(responseOf(request)));
    request.addEventListener("error", () => reject(new TypeError("The connection was lost.")));
    request.addEventListener("abort", () => reject(signal?.reason as Error));
    request.addEventListener("loadend", () => clearTimeout(stall));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(body);
  });
}

function responseOf(request: Xhr): Response {
  const headers = new Headers();
  for (const name of ["content-type", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText || null, { status: request.status, headers });
}
