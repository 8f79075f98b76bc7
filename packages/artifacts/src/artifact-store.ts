import type { Readable } from "node:stream";

/** Where the bytes of a blob come from; a file is copied, never moved or linked. */
export type BlobSource = AsyncIterable<Uint8Array> | Uint8Array | { readonly file: string };

export interface StoredBlob {
  readonly bytes: number;
  readonly sha256: string;
}

export interface BlobStat {
  readonly bytes: number;
  readonly modifiedAt: Date;
}

/** Both ends are inclusive, as in an HTTP Range header; without `end`, to the last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number | undefined;
}

/**
 * What a worker needs of a store: single blobs, each written once and never changed. A blob is there wholly or not at
 * all.
 */
export interface BlobStore {
  /**
   * Stores a blob under a key that is not yet taken; durable when it resolves.
   * @throws ArtifactError ARTIFACT_EXISTS, ARTIFACT_KEY_INVALID, STORAGE_FULL; whatever the source throws; then nothing
   * is stored
   */
  put(key: string, source: BlobSource): Promise<StoredBlob>;
  /** @throws ArtifactError ARTIFACT_MISSING, ARTIFACT_RANGE_INVALID when `start` lies behind the last byte */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** null when there is no such blob */
  stat(key: string): Promise<BlobStat | null>;
  /** Removes the blob; does nothing when there is none. */
  delete(key: string): Promise<void>;
  /** Path of the blob's own read-only file when the store is a folder of this machine, else null. */
  localPath(key: string): string | null;
}

/**
 * The whole store, as its owner has it. No rename and no append: S3 has neither. Implementations share one conformance
 * suite.
 */
export interface ArtifactStore extends BlobStore {
  /** Every key equal to the prefix or below `<prefix>/`, in order; `""` lists all. */
  list(prefix: string): AsyncIterable<string>;
  /** Removes what `list(prefix)` names; does nothing when that is nothing. */
  delete(prefix: string): Promise<void>;
  /**
   * Removes what writers that were killed have left half-written; what is being written stays.
   * @returns the number of files
   */
  removeAbandoned(): Promise<number>;
  /** @throws ArtifactError STORAGE_FULL when so many bytes are known not to fit */
  requireSpaceFor(bytes: number): Promise<void>;
}
