import { AppError, anyBlobType, blobContentTypes } from "@hopwise/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../../services.ts";

interface SentBlob {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Proposed to the browser. */
  readonly filename: string;
}

const contentTypes: Readonly<Record<string, string>> = blobContentTypes;

/** Streams a stored blob: ETag is its SHA-256, one byte range may be asked for (RFC 9110 §14). */
export async function sendBlob(
  { store }: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, bytes, sha256, filename }: SentBlob,
): Promise<FastifyReply> {
  const etag = `"${sha256}"`;
  const extension = filename.split(".").at(-1) ?? "";
  reply.headers({
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=31536000, immutable",
    "content-disposition": `attachment; filename="${filename.replaceAll(/[^\w.-]/g, "_")}"`,
  });
  if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
  reply.type(contentTypes[extension] ?? anyBlobType);
  const range = isRangeWanted(request, etag) ? parseRange(request.headers.range ?? "", bytes) : null;
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${bytes}`);
    throw new AppError(
      "REQUEST_RANGE",
      `The range "${request.headers.range}" lies outside the ${bytes} bytes of this file.`,
    );
  }
  if (range === null) return reply.header("content-length", bytes).send(await store.get(key));
  const { start, end } = range;
  reply.code(206).headers({ "content-range": `bytes ${start}-${end}/${bytes}`, "content-length": end - start + 1 });
  return reply.send(await store.get(key, range));
}

/** A range made for another content (If-Range) means: send all of this one. */
function isRangeWanted({ headers }: FastifyRequest, etag: string): boolean {
  return headers.range !== undefined && (headers["if-range"] === undefined || headers["if-range"] === etag);
}

/** null: not a single byte range, which a server may ignore. */
export function parseRange(header: string, bytes: number): { start: number; end: number } | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header.trim()) ?? [];
  if (first === "" && last === "") return null;
  const start = first === "" ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (first !== "" && last !== "" && Number(last) < start) return null;
  return start <= end && start < bytes ? { start, end } : "unsatisfiable";
}
