import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { loadAddon } from "../backends/native/addon.ts";

/** Where the keys of drawn pairs wait, by bucket. */
export interface PairStore {
  append(bucket: number, keys: BigInt64Array): Promise<void>;
  read(bucket: number): Promise<BigInt64Array>;
  replace(bucket: number, keys: BigInt64Array): Promise<void>;
  /**
   * The caller needs keys no more that it has read or handed over: their memory goes back at once, unless they wait in
   * it.
   */
  release(keys: BigInt64Array): void;
  /** Gives up everything it holds. */
  close(): Promise<void>;
}

export class PairsInMemory implements PairStore {
  readonly #buckets: BigInt64Array[][];

  constructor(numBuckets: number) {
    this.#buckets = Array.from({ length: numBuckets }, () => []);
  }

  async append(bucket: number, keys: BigInt64Array): Promise<void> {
    this.#buckets[bucket]?.push(keys);
  }

  async read(bucket: number): Promise<BigInt64Array> {
    const pieces = this.#buckets[bucket] ?? [];
    if (pieces.length === 1) return pieces[0] as BigInt64Array;
    const keys = new BigInt64Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let end = 0;
    for (const piece of pieces) {
      keys.set(piece, end);
      end += piece.length;
    }
    return keys;
  }

  async replace(bucket: number, keys: BigInt64Array): Promise<void> {
    this.#buckets[bucket] = [keys];
  }

  release(): void {}

  async close(): Promise<void> {
    this.#buckets.length = 0;
  }
}

/** One file a bucket, removed at the end. */
export class PairsInFiles implements PairStore {
  readonly #dir: string;
  readonly #files: { readonly handle: FileHandle; bytes: number }[];

  private constructor(dir: string, handles: readonly FileHandle[]) {
    this.#dir = dir;
    this.#files = handles.map((handle) => ({ handle, bytes: 0 }));
  }

  /** @param dir an empty folder of its own */
  static async open(dir: string, numBuckets: number): Promise<PairsInFiles> {
    const handles: FileHandle[] = [];
    for (let bucket = 0; bucket < numBuckets; bucket++) handles.push(await open(join(dir, `${bucket}.keys`), "w+"));
    return new PairsInFiles(dir, handles);
  }

  async append(bucket: number, keys: BigInt64Array): Promise<void> {
    const file = this.#file(bucket);
    const bytes = new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.handle.write(bytes, done, bytes.length - done, file.bytes);
      done += bytesWritten;
      file.bytes += bytesWritten;
    }
  }

  async read(bucket: number): Promise<BigInt64Array> {
    const { handle, bytes } = this.#file(bucket);
    const keys = new BigInt64Array(bytes / 8);
    const target = new Uint8Array(keys.buffer);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = await handle.read(target, done, bytes - done, done);
      if (bytesRead === 0) throw new Error(`${join(this.#dir, `${bucket}.keys`)} is cut off at ${done} bytes.`);
      done += bytesRead;
    }
    return keys;
  }

  async replace(bucket: number, keys: BigInt64Array): Promise<void> {
    const file = this.#file(bucket);
    await file.handle.truncate(0);
    file.bytes = 0;
    await this.append(bucket, keys);
  }

  release(keys: BigInt64Array): void {
    loadAddon().freeArray(keys);
  }

  async close(): Promise<void> {
    for (const { handle } of this.#files) await handle.close();
    await rm(this.#dir, { recursive: true, force: true });
  }

  #file(bucket: number): { readonly handle: FileHandle; bytes: number } {
    const file = this.#files[bucket];
    if (!file) throw new RangeError(`There is no bucket ${bucket}.`);
    return file;
  }
}
