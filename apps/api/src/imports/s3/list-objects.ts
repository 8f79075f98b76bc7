import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, limits } from "@hopwise/contracts";
import { openSource, SourceBroke, type SourceRequest } from "../open-source.ts";
import { broughtBy, mayPass } from "../source-range.ts";
import { objectUrl } from "./s3-address.ts";

/** A page of the service's answer has at most 1000 names of at most 1024 bytes, each encoded and with its facts. */
const mostBytes = 8 * 1024 ** 2;
const listSeconds = 20;
/** As the clients of S3's vendors do it: whoever asked waits for the list. */
const mostTries = 3;
const firstRetryMs = 100;

/**
 * The addresses of the objects of a bucket whose names begin with a prefix, without empty ones and those that stand for
 * folders.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_REFUSED, IMPORT_NOT_FOUND (also for no object), IMPORT_SOURCE,
 * REQUEST_TOO_LARGE for more than a dataset takes
 */
export async function listObjects(
  bucket: URL,
  prefix: string,
  access: Pick<SourceRequest, "credential" | "guard">,
): Promise<readonly URL[]> {
  const url = new URL(bucket);
  // Names come encoded, so that none of them is taken for a part of the answer's own text.
  url.search = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix }).toString();
  const text = await answerOf({ ...access, url, headers: {}, signal: AbortSignal.timeout(listSeconds * 1000) });
  const keys = keysIn(text);
  const isCut = /<IsTruncated>\s*true\s*<\/IsTruncated>/.test(text);
  if (isCut || keys.length > limits.filesPerDataset)
    throw new AppError(
      "REQUEST_TOO_LARGE",
      `More than ${limits.filesPerDataset} objects begin with the prefix, which is the most a dataset takes; name a longer one.`,
    );
  if (keys.length === 0)
    throw new AppError("IMPORT_NOT_FOUND", "No object with content begins with the prefix. Check the address.");
  return keys.map((key) => objectUrl(bucket, key));
}

/** Asks again where that may help: a service that is asked too often says so for a moment. */
async function answerOf(request: SourceRequest): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await askOnce(request);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const isOver = request.signal.aborted;
      if (!isOver && tries < mostTries) {
        await pause(firstRetryMs * 2 ** (tries - 1));
        continue;
      }
      const said = isOver ? `It took longer than ${listSeconds} s.` : (cause as Error).message;
      const message = `The objects could not be listed. ${said}${tries > 1 ? ` It was tried ${tries} times.` : ""}`;
      throw new AppError("IMPORT_SOURCE", message, { cause });
    }
  }
}

async function askOnce(request: SourceRequest): Promise<string> {
  const { message, isCredentialSent } = await openSource(request);
  try {
    if (mayPass(message.statusCode ?? 0)) throw new SourceBroke(`It answers ${message.statusCode}.`);
    broughtBy(message, { bytes: 0, validator: null }, isCredentialSent);
    return await textOf(message);
  } finally {
    message.destroy();
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of message as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > mostBytes) throw new AppError("IMPORT_SOURCE", "The list of objects is longer than 8 MiB.");
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString("utf8");
  if (/<ListBucketResult\b/.test(text)) return text;
  throw new AppError("IMPORT_SOURCE", "The source answers with no list of objects; is it a bucket of S3?");
}

function keysIn(text: string): readonly string[] {
  // A vendor that was asked to encode names and does not says so by leaving this out.
  const nameOf = /<EncodingType>\s*url\s*<\/EncodingType>/.test(text) ? fromUrl : fromXml;
  return text
    .split("<Contents>")
    .slice(1)
    .flatMap((object) => {
      const [, key = ""] = /<Key>([^<]*)<\/Key>/.exec(object) ?? [];
      const [, size = "0"] = /<Size>\s*(\d+)\s*<\/Size>/.exec(object) ?? [];
      const name = nameOf(key);
      return name === "" || name.endsWith("/") || Number(size) === 0 ? [] : [name];
    });
}

function fromUrl(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch (cause) {
    const message = `The list of objects has the name "${key.slice(0, 100)}", which is not encoded as it says.`;
    throw new AppError("IMPORT_SOURCE", message, { cause });
  }
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function fromXml(key: string): string {
  return key.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
