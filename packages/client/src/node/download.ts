import { createHash, type Hash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { chunksOf } from "../body-chunks.ts";
import type { HopwiseClient } from "../client.ts";
import type { FileOperation, InputOf } from "../contract.ts";
import { ProblemError, unreachableError } from "../problem-error.ts";
import { backoffMs, isPassing, wait } from "../retry.ts";

const firstDelayMs = 500;
/** Connections that bring nothing, one after the other, before it is given up. */
const maxVainTries = 5;

export interface DownloadOptions {
  /** Told how many bytes are there, of how many; null: the service does not say. */
  readonly onProgress?: (receivedBytes: number, totalBytes: number | null) => void;
}

export interface DownloadedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Downloads a file. A connection that breaks is followed by another for the rest (Range, If-Range). The file is at its
 * path when it is whole and has the SHA-256 that the API says, and not before.
 *
 * @throws ProblemError when the API refuses or stays away, DOWNLOAD_DAMAGED; the signal's reason
 */
export async function download<O extends FileOperation>(
  client: HopwiseClient,
  operation: O,
  path: string,
  input: InputOf<O> & DownloadOptions,
): Promise<DownloadedFile> {
  const temporary = `${path}.${randomUUID()}.part`;
  const file = await open(temporary, "wx");
  try {
    const part = new PartialFile(file, input.onProgress);
    await untilWhole(part, input.signal, (headers) => client.open(operation, { ...input, headers }));
    await file.close();
    const sha256 = part.requireDigest();
    await rename(temporary, path);
    return { path, bytes: part.bytes, sha256 };
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function untilWhole(
  part: PartialFile,
  signal: AbortSignal | undefined,
  ask: (headers: Record<string, string>) => Promise<Response>,
): Promise<void> {
  for (let vainTries = 0; !part.isWhole; ) {
    const before = part.bytes;
    try {
      await part.take(await ask(part.headers), signal);
    } catch (error) {
      signal?.throwIfAborted();
      vainTries = part.bytes > before ? 1 : vainTries + 1;
      const isPatient = error instanceof ProblemError && isPassing(error.problem.status) && vainTries < maxVainTries;
      if (!isPatient) throw error;
      await wait(error.retryAfterMs ?? backoffMs(vainTries, firstDelayMs), signal);
    }
  }
}

/** What has arrived of a file. */
class PartialFile {
  bytes = 0;
  isWhole = false;
  readonly #file: FileHandle;
  readonly #onProgress: DownloadOptions["onProgress"];
  #hash: Hash = createHash("sha256");
  #etag: string | null = null;
  /** A stored file's ETag is its SHA-256; a manifest, which is JSON, has the digest of what it lists. */
  #expected: string | null = null;

  constructor(file: FileHandle, onProgress: DownloadOptions["onProgress"]) {
    this.#file = file;
    this.#onProgress = onProgress;
  }

  /** What to ask with for the rest, of this content only. */
  get headers(): Record<string, string> {
    // Compressed on the way, bytes could neither be counted nor asked for.
    const headers = { "accept-encoding": "identity" };
    return this.bytes === 0 || this.#etag === null
      ? headers
      : { ...headers, range: `bytes=${this.bytes}-`, "if-range": this.#etag };
  }

  /** @throws ProblemError UNREACHABLE when the connection breaks; what came until then is kept */
  async take(response: Response, signal: AbortSignal | undefined): Promise<void> {
    if (response.status !== 206) await this.#restart(response);
    const length = response.headers.get("content-length");
    const total = length === null ? null : this.bytes + Number(length);
    for await (const chunk of chunksOf(response, { signal })) {
      await this.#append(chunk);
      this.#onProgress?.(this.bytes, total);
    }
    if (total !== null && this.bytes < total) throw unreachableError();
    this.isWhole = true;
  }

  /** @throws ProblemError DOWNLOAD_DAMAGED when it is not what the API says */
  requireDigest(): string {
    const sha256 = this.#hash.digest("hex");
    if (this.#expected === null || this.#expected === sha256) return sha256;
    const detail = `What came has the SHA-256 ${sha256}; the service says ${this.#expected}. Download it again.`;
    throw new ProblemError({ code: "DOWNLOAD_DAMAGED", title: "The download is damaged", detail });
  }

  async #append(chunk: Uint8Array): Promise<void> {
    for (let from = 0; from < chunk.byteLength; ) {
      const { bytesWritten } = await this.#file.write(chunk, from, chunk.byteLength - from, this.bytes + from);
      from += bytesWritten;
    }
    this.#hash.update(chunk);
    this.bytes += chunk.byteLength;
  }

  async #restart({ headers }: Response): Promise<void> {
    await this.#file.truncate(0);
    this.bytes = 0;
    this.#hash = createHash("sha256");
    this.#etag = headers.get("etag");
    const isFile = !headers.get("content-type")?.startsWith("application/json");
    this.#expected = isFile ? (/^"([0-9a-f]{64})"$/.exec(this.#etag ?? "")?.[1] ?? null) : null;
  }
}
