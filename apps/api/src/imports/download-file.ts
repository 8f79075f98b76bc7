import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { AppError, limits, problemFrom } from "@hopwise/contracts";
import type { StoredParts } from "../datasets/stored-parts.ts";
import type { AddressGuard } from "../requests/address-guard.ts";
import type { SourceSecret } from "./credential-header.ts";
import { openSource, SourceBroke } from "./open-source.ts";
import { type Brought, broughtBy, mayPass, rangeHeaders, SourceChanged } from "./source-range.ts";

export interface Download {
  readonly name: string;
  readonly url: URL;
  readonly credential: SourceSecret | null;
  readonly guard: AddressGuard;
  readonly parts: StoredParts;
  /** What the parts are of, as it was known before. */
  readonly validator: string | null;
  /** A checksum tells in the end whether they fit together. */
  readonly isChecked: boolean;
  readonly mostBytes: number;
  /** Until the second try; each further one waits twice as long. */
  readonly firstRetryMs: number;
  readonly signal: AbortSignal;
  /** What the source says of the file, before anything of it is stored. */
  readonly onBegun: (brought: Brought) => Promise<void>;
  readonly onBytes: (bytes: number) => void;
  /** Why nothing comes now; null: something does. */
  readonly onWaiting: (reason: string | null) => Promise<void>;
}

const longestRetryMs = 60_000;
/** How often a file may turn into another one while it is fetched. */
const mostChanges = 3;

/**
 * Fetches a file, through cuts and restarts, until all of it is there. What was begun is gone on with where the source
 * still has the same file.
 *
 * @throws AppError IMPORT_ADDRESS, IMPORT_NOT_FOUND, IMPORT_REFUSED, IMPORT_SOURCE, REQUEST_TOO_LARGE; the reason of
 * the signal
 */
export async function downloadFile(download: Download): Promise<void> {
  const { parts, firstRetryMs, signal, onWaiting } = download;
  const known = { validator: download.validator };
  let changes = 0;
  for (let failures = 0; ; ) {
    const before = parts.bytes;
    try {
      return await tryOnce(download, known);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof SourceChanged) {
        await parts.clear();
        known.validator = null;
        if (++changes > mostChanges) throw source("The source's file changes while it is fetched; try again later.");
        continue;
      }
      const reason = passingReason(error);
      if (reason === null) throw error;
      failures = parts.bytes > before ? 1 : failures + 1;
      if (failures >= limits.importTries) throw source(`${reason} It was tried ${failures} times.`, error);
      await onWaiting(`${reason} It is tried again.`);
      await pause(Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1)), undefined, { signal });
    }
  }
}

async function tryOnce(download: Download, known: { validator: string | null }): Promise<void> {
  const { parts, isChecked, url, credential, guard, signal, onWaiting, onBytes } = download;
  const begun = { bytes: parts.bytes, validator: known.validator };
  const headers = rangeHeaders(begun, isChecked);
  const { message, isCredentialSent } = await openSource({ url, headers, credential, guard, signal });
  try {
    if (mayPass(message.statusCode ?? 0)) throw new SourceBroke(`It answers ${message.statusCode}.`);
    const brought = broughtBy(message, begun, isCredentialSent);
    if (!brought) return;
    requirePlain(download, message.headers);
    requireSize(download, brought.total);
    if (brought.from === 0 && parts.bytes > 0) await parts.clear();
    known.validator = brought.validator;
    await download.onBegun(brought);
    await onWaiting(null);
    await parts.append(fromSource(message), (bytes) => {
      requireSize(download, bytes);
      onBytes(bytes);
    });
    if (brought.total !== null && parts.bytes < brought.total) throw new SourceBroke("It ended too early.");
  } finally {
    message.destroy();
  }
}

/** Files are kept as the source has them: what was packed for the way would end up under a wrong name. */
function requirePlain({ name }: Download, headers: IncomingHttpHeaders): void {
  const { "content-encoding": encoding = "identity", "content-type": type = "" } = headers;
  if (encoding !== "identity" && !(encoding === "gzip" && name.endsWith(".gz")))
    throw source(`The source sends the file "${name}" in the encoding ${encoding.slice(0, 40)}; expected it as it is.`);
  if (/^text\/html\b/i.test(type) && !/\.html?$/i.test(name))
    throw source(
      `The source answers with a web page in place of the file "${name}": perhaps one to sign in, or to look at the file. Use the address that the page's download leads to.`,
    );
}

/** @throws AppError REQUEST_TOO_LARGE */
export function requireSize({ name, mostBytes }: Pick<Download, "name" | "mostBytes">, bytes: number | null): void {
  if (bytes === null || bytes <= mostBytes) return;
  throw new AppError(
    "REQUEST_TOO_LARGE",
    `The file "${name}" is larger than the limit of ${mostBytes} bytes (HOPWISE_UPLOAD_BYTES).`,
    { place: { file: name } },
  );
}

/** What the source sends; its failures are told from those of the store. */
async function* fromSource(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* message as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new SourceBroke(error);
  }
}

/** What is said of a failure that may pass; null: it will not. */
export function passingReason(error: unknown): string | null {
  if (error instanceof SourceBroke) return error.message;
  if (error instanceof AppError) return null;
  const problem = problemFrom(error);
  return problem.code === "STORAGE_FULL" || problem.code === "UPSTREAM_UNAVAILABLE" ? problem.detail : null;
}

function source(message: string, cause?: unknown): AppError {
  return new AppError("IMPORT_SOURCE", message, { cause });
}
