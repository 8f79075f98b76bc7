import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { BlobSource, StoredBlob } from "../artifact-store.ts";
import { fileChunks } from "../file-chunks.ts";

/** A source on its way, of which is known whether it failed and whether it can be sent once more. */
export class SentSource {
  readonly #source: BlobSource;
  #hasBegun = false;
  /** What the source threw */
  failure: unknown = null;

  constructor(source: BlobSource) {
    this.#source = source;
  }

  get canBeSentAgain(): boolean {
    return !this.#hasBegun || this.#source instanceof Uint8Array || "file" in this.#source;
  }

  stream(): Readable {
    return Readable.from(this.#chunks(), { objectMode: false });
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    this.#hasBegun = true;
    const chunks = iteratorOf(chunksOf(this.#source));
    try {
      for (;;) {
        const chunk = await chunks.next().catch((error: unknown) => {
          this.failure = error;
          throw error;
        });
        if (chunk.done) return;
        yield chunk.value;
      }
    } finally {
      await chunks.return?.();
    }
  }
}

export async function* chunksOf(source: BlobSource): AsyncGenerator<Uint8Array> {
  if (source instanceof Uint8Array) yield source;
  else if ("file" in source) yield* fileChunks(source.file);
  else yield* source;
}

export function iteratorOf<T>(chunks: AsyncIterable<T>): AsyncIterator<T, undefined> {
  return chunks[Symbol.asyncIterator]() as AsyncIterator<T, undefined>;
}

export async function digestOf(chunks: AsyncIterable<Uint8Array>): Promise<StoredBlob> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}
