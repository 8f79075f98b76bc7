import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ArtifactError } from "../artifact-error.ts";
import { assertKey } from "../artifact-key.ts";
import type { ArtifactStore, BlobSource, BlobStat, ByteRange, StoredBlob } from "../artifact-store.ts";
import { chunksOf } from "../http/sent-source.ts";
import { alreadyThere, isMissing, s3Failure } from "./s3-failure.ts";
import { type S3Location, s3Location } from "./s3-location.ts";

/** Parts that a blob goes in, and how many are held in memory at once. S3 takes 10,000: 156 GiB of unknown length. */
const partBytes = 16 * 1024 * 1024;
const partsAtOnce = 2;
const mostParts = 10_000;
/** Nobody is writing an upload in parts any more that began so long ago. */
const abandonedAfterMs = 24 * 3_600_000;
const deletedAtOnce = 1000;

/**
 * An artifact store in a bucket of S3, or of another vendor's service of the same protocol. What is put goes straight
 * there in parts, nothing is kept on a disk of this machine.
 *
 * A key is written once: `If-None-Match: *` says so to services that know it (Amazon, MinIO, R2), and the keys that
 * this process is writing are known here for those that do not.
 */
export class S3ArtifactStore implements ArtifactStore {
  readonly #client: S3Client;
  readonly #location: S3Location;
  readonly #writing = new Set<string>();

  private constructor(location: S3Location) {
    const { region, endpoint } = location;
    this.#location = location;
    this.#client = new S3Client({
      maxAttempts: 5,
      requestHandler: { connectionTimeout: 10_000, requestTimeout: 120_000 },
      ...(region !== undefined && { region }),
      // Vendors whose service is older than these checksums refuse them; blobs are held against their digests anyway.
      ...(endpoint !== undefined && {
        endpoint,
        region: region ?? "us-east-1",
        forcePathStyle: true,
        requestChecksumCalculation: "WHEN_REQUIRED",
        responseChecksumValidation: "WHEN_REQUIRED",
      }),
    });
  }

  /**
   * Opens the store of `s3://bucket/prefix?region=…&endpoint=…` and removes what killed writers left.
   *
   * @throws ArtifactError ARTIFACT_URL_INVALID, ARTIFACT_REFUSED, ARTIFACT_UNREACHABLE
   */
  static async open(url: URL): Promise<S3ArtifactStore> {
    const store = new S3ArtifactStore(s3Location(url));
    await store.removeAbandoned();
    return store;
  }

  async put(key: string, source: BlobSource): Promise<StoredBlob> {
    assertKey(key);
    if (this.#writing.has(key)) throw alreadyThere(key);
    this.#writing.add(key);
    try {
      // Asked first to spare the copy.
      if (await this.stat(key)) throw alreadyThere(key);
      return await this.#upload(key, source);
    } finally {
      this.#writing.delete(key);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    const Range = range && rangeHeader(range, key);
    const { Body } = await this.#told(key, () =>
      this.#client.send(new GetObjectCommand({ ...this.#object(key), Range })),
    );
    return Body as Readable;
  }

  async stat(key: string): Promise<BlobStat | null> {
    assertKey(key);
    return this.#told(key, async () => {
      try {
        const found = await this.#client.send(new HeadObjectCommand(this.#object(key)));
        return { bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    });
  }

  async *list(prefix: string): AsyncIterable<string> {
    if (prefix !== "") assertKey(prefix);
    if (prefix !== "" && (await this.stat(prefix))) yield prefix;
    const { bucket: Bucket, prefix: root } = this.#location;
    const Prefix = prefix === "" ? root : `${root}${prefix}/`;
    try {
      for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, { Bucket, Prefix })) {
        for (const { Key = "" } of Contents) yield Key.slice(root.length);
      }
    } catch (error) {
      throw s3Failure(error, prefix, this.#location);
    }
  }

  async delete(prefix: string): Promise<void> {
    assertKey(prefix);
    let keys: string[] = [];
    for await (const key of this.list(prefix)) {
      keys.push(key);
      if (keys.length < deletedAtOnce) continue;
      await this.#deleteAll(keys);
      keys = [];
    }
    if (keys.length > 0) await this.#deleteAll(keys);
  }

  async removeAbandoned(): Promise<number> {
    const { bucket: Bucket, prefix } = this.#location;
    const before = Date.now() - abandonedAfterMs;
    return this.#told(prefix, async () => {
      let removed = 0;
      for await (const { Key, UploadId, Initiated } of this.#openUploads()) {
        if (!Initiated || Initiated.getTime() > before) continue;
        await this.#client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        removed++;
      }
      return removed;
    });
  }

  /** A bucket has no bound that could be asked for; a quota is told where it is met. */
  async requireSpaceFor(): Promise<void> {}

  localPath(key: string): null {
    assertKey(key);
    return null;
  }

  /** Uploads in parts that are neither whole nor given up. */
  async *#openUploads(): AsyncGenerator<MultipartUpload> {
    const { bucket: Bucket, prefix: Prefix } = this.#location;
    for (let after: Pick<MultipartUpload, "Key" | "UploadId"> = {}; ; ) {
      const from = { KeyMarker: after.Key, UploadIdMarker: after.UploadId };
      const asked = this.#client.send(new ListMultipartUploadsCommand({ Bucket, Prefix, ...from }));
      const page = await asked.catch((error: unknown) => {
        // Such a service has rules of its own for what is left half-written.
        if (error instanceof Error && error.name === "NotImplemented") return {} as ListMultipartUploadsCommandOutput;
        throw error;
      });
      yield* page.Uploads ?? [];
      if (!page.IsTruncated) return;
      after = { Key: page.NextKeyMarker, UploadId: page.NextUploadIdMarker };
    }
  }

  async #upload(key: string, source: BlobSource): Promise<StoredBlob> {
    const sent = new Sent(source);
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#object(key), Body: sent.stream(), IfNoneMatch: "*" },
      partSize: Math.max(partBytes, Math.ceil((await sizeOf(source)) / mostParts)),
      queueSize: partsAtOnce,
    });
    try {
      await upload.done();
    } catch (error) {
      throw sent.failure ? sent.failure.error : s3Failure(error, key, this.#location);
    }
    return sent.stored();
  }

  async #deleteAll(keys: readonly string[]): Promise<void> {
    const [first = ""] = keys;
    const Objects = keys.map((key) => ({ Key: this.#object(key).Key }));
    const { Errors = [] } = await this.#told(first, () =>
      this.#client.send(new DeleteObjectsCommand({ Bucket: this.#location.bucket, Delete: { Objects, Quiet: true } })),
    );
    const [refused] = Errors;
    if (!refused) return;
    throw new ArtifactError("ARTIFACT_REFUSED", `${refused.Key} cannot be deleted: ${refused.Code} ${refused.Message}`);
  }

  #object(key: string): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.#location;
    return { Bucket: bucket, Key: `${prefix}${key}` };
  }

  async #told<T>(key: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw s3Failure(error, key, this.#location);
    }
  }
}

/** A source on its way, counted and hashed; a failure of its own is kept apart from one of the way. */
class Sent {
  readonly #source: BlobSource;
  readonly #hash = createHash("sha256");
  #bytes = 0;
  failure: { readonly error: unknown } | null = null;

  constructor(source: BlobSource) {
    this.#source = source;
  }

  stream(): Readable {
    return Readable.from(this.#chunks(), { objectMode: false });
  }

  stored(): StoredBlob {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunksOf(this.#source)) {
        this.#hash.update(chunk);
        this.#bytes += chunk.byteLength;
        yield chunk;
      }
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }
}

/** 0 when it is not known before its end. */
async function sizeOf(source: BlobSource): Promise<number> {
  if (source instanceof Uint8Array) return source.byteLength;
  return "file" in source ? (await stat(source.file)).size : 0;
}

function rangeHeader({ start, end }: ByteRange, key: string): string {
  const isRange = Number.isSafeInteger(start) && start >= 0 && (end === undefined || end >= start);
  if (isRange) return `bytes=${start}-${end ?? ""}`;
  throw new ArtifactError("ARTIFACT_RANGE_INVALID", `Bytes ${start}-${end ?? ""} of ${key} are no range.`);
}
