import type { ArtifactStore } from "@hopwise/artifacts";
import { limits } from "@hopwise/contracts";

/**
 * What has come of a file that is being fetched or sent, in the artifact store: parts that are named by where they
 * begin. The store keeps a part wholly or not at all, so that what is listed is what is there, whoever was killed; and
 * it takes each name once, so that of two writers at one place only one succeeds.
 */
export class StoredParts {
  readonly #store: ArtifactStore;
  readonly #prefix: string;
  #bytes = 0;

  private constructor(store: ArtifactStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  /** Finds what is there; what does not follow on what is before it goes. */
  static async open(store: ArtifactStore, prefix: string): Promise<StoredParts> {
    const parts = new StoredParts(store, prefix);
    for await (const key of store.list(prefix)) {
      const found = await store.stat(key);
      if (Number(key.split("/").at(-1)) === parts.#bytes && found && found.bytes > 0) parts.#bytes += found.bytes;
      else await store.delete(key);
    }
    return parts;
  }

  /** Finds what is there, and leaves the rest alone: others may be writing now. */
  static async find(store: ArtifactStore, prefix: string): Promise<StoredParts> {
    const parts = new StoredParts(store, prefix);
    for await (const key of store.list(prefix)) {
      if (Number(key.split("/").at(-1)) !== parts.#bytes) continue;
      parts.#bytes += (await store.stat(key))?.bytes ?? 0;
    }
    return parts;
  }

  /** Bytes from the first on without a gap. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Begins anew. */
  async clear(): Promise<void> {
    await this.#store.delete(this.#prefix);
    this.#bytes = 0;
  }

  /**
   * Adds what comes, part by part, and keeps all that has come when it breaks off.
   *
   * @param onBytes  after each piece, with all bytes so far
   * @throws what the source throws, with everything before it stored
   */
  async append(source: AsyncIterable<Uint8Array>, onBytes: (bytes: number) => void): Promise<void> {
    const pieces = source[Symbol.asyncIterator]();
    for (;;) {
      const first = await pieces.next();
      if (first.done) return;
      const part = new Part(pieces, first.value, (bytes) => onBytes(this.#bytes + bytes));
      const { bytes } = await this.#store.put(`${this.#prefix}/${partName(this.#bytes)}`, part.pieces());
      this.#bytes += bytes;
      if (part.failure !== null) throw part.failure.error;
    }
  }

  /** Adds one part with all that comes, or nothing when the source throws. */
  async appendWhole(source: AsyncIterable<Uint8Array>): Promise<void> {
    const { bytes } = await this.#store.put(`${this.#prefix}/${partName(this.#bytes)}`, source);
    this.#bytes += bytes;
  }

  /** The whole file. */
  async *read(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const key of this.#store.list(this.#prefix)) {
      if (Number(key.split("/").at(-1)) !== bytes) continue;
      for await (const piece of await this.#store.get(key)) {
        bytes += (piece as Uint8Array).byteLength;
        yield piece as Uint8Array;
      }
    }
  }
}

/** Keys are listed in the order of their text. */
function partName(start: number): string {
  return String(start).padStart(16, "0");
}

class Part {
  failure: { readonly error: unknown } | null = null;
  readonly #rest: AsyncIterator<Uint8Array>;
  readonly #first: Uint8Array;
  readonly #onBytes: (bytes: number) => void;

  constructor(rest: AsyncIterator<Uint8Array>, first: Uint8Array, onBytes: (bytes: number) => void) {
    this.#rest = rest;
    this.#first = first;
    this.#onBytes = onBytes;
  }

  /** Ends when the part is full, or the source has ended or failed. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (let piece: Uint8Array | null = this.#first; piece !== null; piece = await this.#next()) {
      yield piece;
      bytes += piece.byteLength;
      this.#onBytes(bytes);
      if (bytes >= limits.filePartBytes) return;
    }
  }

  async #next(): Promise<Uint8Array | null> {
    try {
      const next = await this.#rest.next();
      return next.done ? null : next.value;
    } catch (error) {
      this.failure = { error };
      return null;
    }
  }
}
