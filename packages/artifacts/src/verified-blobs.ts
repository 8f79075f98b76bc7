import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { ArtifactError } from "./artifact-error.ts";
import type { BlobStore } from "./artifact-store.ts";
import { fileChunks } from "./file-chunks.ts";

export interface ExpectedBlob {
  readonly bytes: number;
  readonly sha256: string;
}

export interface VerifyOptions {
  /** Read all of it, also when it was found intact before: bytes may change under a file that looks untouched. */
  readonly again?: boolean;
  /** Called after so many bytes; what it returns is waited for. */
  readonly onBytes?: (bytes: number) => Promise<void> | void;
}

/** Files that may be remembered as intact. */
const mostRemembered = 100_000;

/**
 * Identity of a file as it is now, which changes once somebody writes to it through any of its names. That a disk gave
 * back other bytes than it was given leaves no trace here.
 */
export async function fileIdentity(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join("/");
}

/** Says whether blobs of a store are what they should be, reading each once as long as nobody writes to its file. */
export class VerifiedBlobs {
  readonly #store: BlobStore;
  readonly #intact = new Map<string, string>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(store: BlobStore) {
    this.#store = store;
  }

  /** @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_DAMAGED with what was found instead */
  async verify(key: string, expected: ExpectedBlob, options: VerifyOptions = {}): Promise<void> {
    const identity = await this.#identity(key);
    if (!options.again && identity !== null && this.#intact.get(key) === identity) return;
    // Who asks meanwhile waits for the same reading.
    const name = `${key} ${expected.sha256}`;
    const reading = this.#reading.get(name) ?? this.#read(key, expected, identity, options);
    this.#reading.set(name, reading);
    try {
      await reading;
    } finally {
      this.#reading.delete(name);
    }
  }

  async #read(key: string, expected: ExpectedBlob, identity: string | null, { onBytes }: VerifyOptions): Promise<void> {
    this.#intact.delete(key);
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of await this.#chunks(key)) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await onBytes?.(chunk.byteLength);
    }
    const sha256 = hash.digest("hex");
    if (sha256 !== expected.sha256 || bytes !== expected.bytes) {
      throw new ArtifactError(
        "ARTIFACT_DAMAGED",
        `${key} has ${bytes} bytes with the sha256 ${sha256}; expected ${expected.bytes} bytes with ${expected.sha256}.`,
      );
    }
    if (identity !== null) this.#remember(key, identity);
  }

  /** null: it is no file of this machine, and read anew each time. */
  async #identity(key: string): Promise<string | null> {
    const path = this.#store.localPath(key);
    return path === null ? null : fileIdentity(path).catch(() => null);
  }

  async #chunks(key: string): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#store.localPath(key);
    // Opened by the store, which says what is missing.
    if (path === null || (await this.#store.stat(key)) === null) return this.#store.get(key);
    return fileChunks(path);
  }

  #remember(key: string, identity: string): void {
    if (this.#intact.size >= mostRemembered) this.#intact.delete(this.#intact.keys().next().value ?? "");
    this.#intact.set(key, identity);
  }
}
