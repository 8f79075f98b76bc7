import type { IncomingMessage } from "node:http";
import { AppError } from "@hopwise/contracts";

/** What is here of a file, and what it was a part of. */
export interface Begun {
  readonly bytes: number;
  /** Strong ETag or Last-Modified; null: the source gave neither. */
  readonly validator: string | null;
}

/** What of a file an answer brings. */
export interface Brought {
  /** Where its first byte belongs; 0: what is here is of another file, or of none. */
  readonly from: number;
  /** Bytes of the whole file; null: the source does not say. */
  readonly total: number | null;
  readonly validator: string | null;
}

/**
 * Headers that ask for the rest of a file, if it is still the one that was begun. Without a way to tell, the rest is
 * asked for only where a checksum will tell.
 */
export function rangeHeaders({ bytes, validator }: Begun, isChecked: boolean): Record<string, string> {
  if (bytes === 0 || (validator === null && !isChecked)) return {};
  return { range: `bytes=${bytes}-`, ...(validator !== null && { "if-range": validator }) };
}

/**
 * What a good answer brings; null: nothing, for what is here is the whole file.
 *
 * @throws AppError IMPORT_NOT_FOUND, IMPORT_REFUSED, IMPORT_SOURCE
 */
export function broughtBy(message: IncomingMessage, begun: Begun, isCredentialSent: boolean): Brought | null {
  const { statusCode = 0, headers } = message;
  const validator = validatorOf(headers);
  const range = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers["content-range"] ?? "");
  const [, first, whole = "*"] = range ?? [];
  const total = whole === "*" ? null : Number(whole);
  if (statusCode === 416) {
    if (total === begun.bytes && total > 0) return null;
    throw new SourceChanged();
  }
  if (statusCode === 206) {
    if (Number(first) === begun.bytes) return { from: begun.bytes, total, validator: validator ?? begun.validator };
    throw new SourceChanged();
  }
  if (statusCode !== 200) throw failureOf(statusCode, isCredentialSent);
  const length = headers["content-length"];
  return { from: 0, total: length === undefined ? null : Number(length), validator };
}

/** What is here of the file does not fit what the source has: it is fetched from its first byte. */
export class SourceChanged extends Error {
  override readonly name = "SourceChanged";
}

/** Strong ETag or Last-Modified of an answer; null: it has neither. */
export function validatorOf({ etag, "last-modified": modified }: IncomingMessage["headers"]): string | null {
  if (etag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(etag)) return etag;
  return modified ?? null;
}

function failureOf(status: number, isCredentialSent: boolean): AppError {
  if (status === 404 || status === 410)
    return new AppError("IMPORT_NOT_FOUND", `The source answers ${status}: there is no such file. Check the address.`);
  if (status === 401 || status === 403) {
    const sent = isCredentialSent ? "with the credential that was sent" : "and no credential was sent to it";
    const next = isCredentialSent ? "Check what it lets in" : "Name a credential that is for this host";
    return new AppError("IMPORT_REFUSED", `The source answers ${status}, ${sent}. ${next}, or check the address.`);
  }
  return new AppError("IMPORT_SOURCE", `The source answers ${status}; expected 200 or 206.`);
}

/** Whether asking once more may help. */
export function mayPass(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}
