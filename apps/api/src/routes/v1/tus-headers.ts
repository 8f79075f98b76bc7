import type { IncomingHttpHeaders } from "node:http";
import { AppError, tusVersion } from "@hopwise/contracts";
import type { UploadAnnouncement } from "../../uploads/begin-upload.ts";
import type { Checksum } from "../../uploads/receive-bytes.ts";

const digestBytes = { sha256: 32, sha1: 20 } as const;
const keyLength = 64;
const valueLength = 2048;

/** Whoever names no version means the one there is. @throws AppError UPLOAD_VERSION */
export function requireTusVersion({ "tus-resumable": asked }: IncomingHttpHeaders): void {
  if (asked === undefined || asked === tusVersion) return;
  throw new AppError("UPLOAD_VERSION", `Tus-Resumable asks for ${String(asked).slice(0, 40)}; expected ${tusVersion}.`);
}

/** A whole number of bytes. @throws AppError REQUEST_INVALID */
export function bytesOf(headers: IncomingHttpHeaders, name: "upload-length" | "upload-offset"): number {
  const text = headers[name];
  if (typeof text === "string" && /^\d{1,15}$/.test(text)) return Number(text);
  const found = text === undefined ? "is missing" : `is ${JSON.stringify(String(text).slice(0, 40))}`;
  throw invalid(name, `${found}; expected a number of bytes. A length that is told later is not taken.`);
}

/** What a file is announced with. @throws AppError REQUEST_INVALID */
export function announcementOf(headers: IncomingHttpHeaders): UploadAnnouncement {
  const metadata = metadataOf(headers["upload-metadata"]);
  const name = metadata.get("filename");
  const { sha256 = null, fingerprint = null, replace = "false" } = Object.fromEntries(metadata);
  if (name === undefined) throw invalid("upload-metadata", "has no filename; expected it in base64, as tus has it.");
  if (sha256 !== null && !/^[0-9a-f]{64}$/i.test(sha256))
    throw invalid("upload-metadata", "has a sha256 that is not 64 hexadecimal digits.");
  if (fingerprint !== null && !/^[\x20-\x7e]{1,200}$/.test(fingerprint))
    throw invalid("upload-metadata", "has a fingerprint that is not 1 to 200 printable ASCII characters.");
  if (replace !== "true" && replace !== "false")
    throw invalid("upload-metadata", "has a replace that is neither true nor false.");
  const bytes = bytesOf(headers, "upload-length");
  return { name, bytes, sha256: sha256?.toLowerCase() ?? null, fingerprint, replaces: replace === "true" };
}

/** @throws AppError REQUEST_INVALID */
export function checksumOf({ "upload-checksum": text }: IncomingHttpHeaders): Checksum | null {
  if (text === undefined) return null;
  const [, name = "", base64 = ""] = /^(sha256|sha1) ([A-Za-z0-9+/]{1,64}={0,2})$/.exec(String(text)) ?? [];
  const algorithm = name === "sha1" ? "sha1" : "sha256";
  const digest = Buffer.from(base64, "base64");
  if (name !== "" && digest.byteLength === digestBytes[algorithm]) return { algorithm, digest };
  throw invalid("upload-checksum", "is not sha256 or sha1 followed by the digest in base64.");
}

/** Pairs of a key and, after a space, a value in base64. @throws AppError REQUEST_INVALID */
function metadataOf(header: string | string[] | undefined): ReadonlyMap<string, string> {
  const pairs = String(header ?? "")
    .split(",")
    .map((pair) => pair.trim().split(" "))
    .filter(([key]) => key !== "");
  const found = new Map<string, string>();
  for (const [key = "", value = "", ...more] of pairs) {
    const isSound = key.length <= keyLength && value.length <= valueLength && more.length === 0 && !found.has(key);
    if (!isSound || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw invalid(
        "upload-metadata",
        "is not pairs of a key and a value in base64, each key once, with commas between.",
      );
    found.set(key, textOf(value));
  }
  return found;
}

function textOf(base64: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    throw invalid("upload-metadata", "has a value that is no UTF-8 in base64.");
  }
}

function invalid(field: string, message: string): AppError {
  return new AppError("REQUEST_INVALID", `The header ${field} ${message}`, { place: { field } });
}
