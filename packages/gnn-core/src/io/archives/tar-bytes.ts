import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { unpackedBytes } from "../text-file.ts";
import { bunzip2 } from "./bzip2/bunzip2.ts";

/** The bytes of a tar archive, plain or unpacked on the way. */
export interface TarBytes {
  /** Those from a position on, fewer where the archive ends. */
  at(position: number, length: number): Promise<Buffer>;
  close(): Promise<void>;
}

export type TarPacking = "none" | "gzip" | "bzip2";

/** @param onUnpacked is told how much has been unpacked from the beginning, and may throw */
export async function openTarBytes(
  path: string,
  compression: TarPacking,
  onUnpacked: (bytes: number) => void,
): Promise<TarBytes> {
  if (compression === "none") return plainBytes(path);
  const unpacked = () => (compression === "gzip" ? unpackedBytes(path, "gzip") : bunzip2(createReadStream(path)));
  return new PackedBytes(unpacked, onUnpacked);
}

async function plainBytes(path: string): Promise<TarBytes> {
  const file = await open(path, "r");
  return {
    async at(position, length) {
      const bytes = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => file.close(),
  };
}

/**
 * Bytes that are unpacked from the beginning: what lies further on is reached by going on, what lies before by starting
 * again. So members in their order are read in one go.
 */
class PackedBytes implements TarBytes {
  readonly #start: () => AsyncIterable<Uint8Array>;
  readonly #onUnpacked: (bytes: number) => void;
  #pieces: AsyncIterator<Uint8Array> | null = null;
  #piece: Uint8Array = new Uint8Array();
  /** Where the piece begins */
  #position = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => AsyncIterable<Uint8Array>, onUnpacked: (bytes: number) => void) {
    this.#start = start;
    this.#onUnpacked = onUnpacked;
  }

  /** One after another: they share the place in the stream. */
  at(position: number, length: number): Promise<Buffer> {
    const reading = this.#last.then(() => this.#read(position, length));
    this.#last = reading.catch(() => {});
    return reading;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#pieces?.return?.();
    this.#pieces = null;
  }

  async #read(position: number, length: number): Promise<Buffer> {
    if (this.#pieces === null || position < this.#position) await this.#restart();
    const found: Uint8Array[] = [];
    let left = length;
    let from = position;
    while (left > 0) {
      const end = this.#position + this.#piece.length;
      if (from >= end) {
        this.#position = end;
        const { done, value } = await this.#pieces!.next();
        this.#piece = done ? new Uint8Array() : value;
        if (done) break;
        this.#onUnpacked(end + this.#piece.length);
        continue;
      }
      const part = this.#piece.subarray(from - this.#position, from - this.#position + left);
      found.push(part);
      from += part.length;
      left -= part.length;
    }
    return Buffer.concat(found);
  }

  async #restart(): Promise<void> {
    await this.#pieces?.return?.();
    this.#pieces = this.#start()[Symbol.asyncIterator]();
    this.#piece = new Uint8Array();
    this.#position = 0;
  }
}
