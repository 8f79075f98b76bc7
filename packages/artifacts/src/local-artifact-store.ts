import { createHash } from "node:crypto";
import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { ArtifactError } from "./artifact-error.ts";
import { assertKey } from "./artifact-key.ts";
import type { ArtifactStore, BlobSource, BlobStat, ByteRange, StoredBlob } from "./artifact-store.ts";
import { passingChunks } from "./file-chunks.ts";
import { isDiskFull, requireSpace, storageFull } from "./full-disk.ts";
import { TemporaryFiles } from "./temporary-files.ts";

const temporaryFolder = ".tmp";
const place = "the artifact store (ARTIFACTS_URL)";
/** So many bytes are written between two looks at the free space. */
const lookEveryBytes = 32 * 1024 * 1024;

export interface LocalStoreOptions {
  /** What writers leave free of the disk for those that cannot wait. */
  readonly minFreeBytes?: number | undefined;
}

/** An artifact store in a folder of one machine, or of a volume that several mount. */
export class LocalArtifactStore implements ArtifactStore {
  readonly root: string;
  readonly #temporary: TemporaryFiles;
  readonly #minFreeBytes: number;

  private constructor(root: string, { minFreeBytes = 0 }: LocalStoreOptions) {
    this.root = root;
    this.#minFreeBytes = minFreeBytes;
    this.#temporary = new TemporaryFiles(join(root, temporaryFolder));
  }

  /** Makes the folder if need be and removes what killed writers left. */
  static async open(root: string, options: LocalStoreOptions = {}): Promise<LocalArtifactStore> {
    const store = new LocalArtifactStore(resolve(root), options);
    await store.removeAbandoned();
    return store;
  }

  async put(key: string, source: BlobSource): Promise<StoredBlob> {
    assertKey(key);
    const path = join(this.root, key);
    // Asked first to spare the copy; the link below is what decides.
    if (await statOrNull(path)) throw alreadyThere(key);
    try {
      await this.requireSpaceFor(0);
      return await this.#write(path, key, source);
    } catch (error) {
      throw isDiskFull(error) ? storageFull(place, "the system took no more bytes", error) : error;
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    assertKey(key);
    const file = await openBlob(join(this.root, key), key);
    try {
      const { size } = await file.stat();
      if (!range) return file.createReadStream();
      return file.createReadStream(rangeWithin(range, size, key));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async stat(key: string): Promise<BlobStat | null> {
    assertKey(key);
    const found = await statOrNull(join(this.root, key));
    return found?.isFile() ? { bytes: found.size, modifiedAt: found.mtime } : null;
  }

  async *list(prefix: string): AsyncIterable<string> {
    if (prefix !== "") assertKey(prefix);
    const found = await statOrNull(join(this.root, prefix));
    if (found?.isFile()) yield prefix;
    if (found?.isDirectory()) yield* this.#listFolder(prefix);
  }

  async delete(prefix: string): Promise<void> {
    assertKey(prefix);
    const trash = await this.#temporary.path().catch((error: unknown) => {
      if (isDiskFull(error)) return null; // to make room must not need any
      throw error;
    });
    if (trash === null) return rm(join(this.root, prefix), { recursive: true, force: true });
    try {
      // One rename, so that no reader ever meets half an artifact.
      await rename(join(this.root, prefix), trash);
    } catch (error) {
      if (isCode(error, "ENOENT")) return;
      throw error;
    }
    await rm(trash, { recursive: true, force: true });
  }

  async #write(path: string, key: string, source: BlobSource): Promise<StoredBlob> {
    const temporary = await this.#temporary.path();
    try {
      const stored = await writeDurably(temporary, source, () => this.requireSpaceFor(0));
      await publish(temporary, path, key);
      return stored;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async requireSpaceFor(bytes: number): Promise<void> {
    await requireSpace(this.root, bytes, this.#minFreeBytes, place);
  }

  localPath(key: string): string {
    assertKey(key);
    return join(this.root, key);
  }

  async *#listFolder(folder: string): AsyncIterable<string> {
    const entries = await readdir(join(this.root, folder), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const key = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) yield* this.#listFolder(key);
      else yield key;
    }
  }

  removeAbandoned(): Promise<number> {
    return this.#temporary.removeAbandoned();
  }
}

async function writeDurably(path: string, source: BlobSource, look: () => Promise<void>): Promise<StoredBlob> {
  // Read-only from birth: caches hand out hard links to this very file.
  const file = await open(path, "wx", 0o444);
  try {
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of chunksOf(source)) {
      hash.update(chunk);
      const isTimeToLook = Math.floor(bytes / lookEveryBytes) < Math.floor((bytes + chunk.byteLength) / lookEveryBytes);
      if (isTimeToLook) await look();
      bytes += chunk.byteLength;
      await writeAll(file, chunk);
    }
    await file.sync();
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done);
    done += bytesWritten;
  }
}

function chunksOf(source: BlobSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (source instanceof Uint8Array) return [source];
  if ("file" in source) return passingChunks(source.file);
  return source;
}

/** Gives the finished file its name; a hard link fails where a rename would overwrite. */
async function publish(temporary: string, path: string, key: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await mkdir(dirname(path), { recursive: true });
    try {
      await link(temporary, path);
      break;
    } catch (error) {
      if (isCode(error, "EEXIST")) throw alreadyThere(key);
      // A deletion may have taken the folder away in between.
      if (!isCode(error, "ENOENT") || attempt === 3) throw error;
    }
  }
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function openBlob(path: string, key: string): Promise<FileHandle> {
  try {
    const file = await open(path, "r");
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    if (!isCode(error, "ENOENT") && !isCode(error, "ENOTDIR")) throw error;
  }
  throw new ArtifactError("ARTIFACT_MISSING", `There is no blob ${key} in the artifact store.`);
}

function rangeWithin({ start, end }: ByteRange, size: number, key: string): { start: number; end: number } {
  const last = Math.min(end ?? size - 1, size - 1);
  if (Number.isSafeInteger(start) && start >= 0 && start <= last) return { start, end: last };
  throw new ArtifactError(
    "ARTIFACT_RANGE_INVALID",
    `Bytes ${start}-${end ?? ""} of ${key} were asked for; it has ${size} bytes.`,
  );
}

function alreadyThere(key: string): ArtifactError {
  return new ArtifactError("ARTIFACT_EXISTS", `${key} is already stored; blobs are written once, under fresh keys.`);
}

async function statOrNull(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
