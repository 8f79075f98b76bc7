import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

declare module "fastify" {
  interface FastifyReply {
    /** Whether what is sent may be compressed; a GET only reads, and so may be. */
    isCompressible: boolean;
  }
}

/** What fits into one packet is not worth the time. */
const leastCompressedBytes = 1400;
const json = /^application\/(?:problem\+)?json\b/;
const encoders = {
  // A middling quality: these are compressed once for each answer. A text becomes bytes only here, for who takes it.
  br: (bytes: string | Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: string | Buffer) => promisify(gzip)(bytes),
};
type Encoding = keyof typeof encoders;

/**
 * Compresses JSON that is only read. The length of a compressed answer tells of a secret in it how alike it is to text
 * that somebody else chose (BREACH); keys, links and passwords are shown once, by the request that makes them, and
 * neither a POST of REST nor a mutation is ever compressed. Streams, server-sent events among them, pass as they are.
 */
export const compressionPlugin = fp(async (app: FastifyInstance) => {
  app.decorateReply("isCompressible", false);
  app.addHook("onSend", async (request, reply, payload) => {
    if (!mayBeCompressed(request, reply)) return payload;
    const isWhole = typeof payload === "string" || Buffer.isBuffer(payload);
    if (!isWhole || payload.length < leastCompressedBytes) return payload;
    addVary(reply);
    const encoding = acceptedEncoding(request.headers["accept-encoding"]);
    if (encoding === null) return payload;
    const compressed = await encoders[encoding](payload);
    reply.header("content-encoding", encoding).header("content-length", compressed.byteLength);
    weakenEtag(reply);
    return compressed;
  });
});

function mayBeCompressed({ method }: FastifyRequest, reply: FastifyReply): boolean {
  if (method !== "GET" && !reply.isCompressible) return false;
  return json.test(String(reply.getHeader("content-type") ?? "")) && !reply.hasHeader("content-encoding");
}

function addVary(reply: FastifyReply): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before ? `${String(before)}, Accept-Encoding` : "Accept-Encoding");
}

/** A tag that stands for other bytes too may only say that they mean the same (RFC 9110 §8.8.1). */
function weakenEtag(reply: FastifyReply): void {
  const etag = reply.getHeader("etag");
  if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
}

/** The best that both know; null when the asker wants it plain. Refused is what has `q=0`. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding | null {
  const accepted = new Map(
    String(header ?? "")
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
        const quality = parameters.find((text) => text.startsWith("q="));
        return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const;
      }),
  );
  const isAccepted = (name: Encoding) => (accepted.get(name) ?? accepted.get("*") ?? 0) > 0;
  return isAccepted("br") ? "br" : isAccepted("gzip") ? "gzip" : null;
}
