import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { manifestName, parseManifest, readManifest, type StoredManifest } from "./artifact.ts";
import { ArtifactError } from "./artifact-error.ts";
import type { BlobStore } from "./artifact-store.ts";
import { type BlobSelection, entryKey, readSelection, selectedBlobs, selectionName } from "./blob-selection.ts";
import { fetchBlob, hashFile } from "./fetch-blob.ts";
import { isDiskFull, storageFull } from "./full-disk.ts";
import { fileIdentity } from "./verified-blobs.ts";

const ownPlace = "the worker's cache (HOPWISE_DATA)";

export interface ArtifactCacheOptions {
  /** Folder owned by one process at a time. */
  readonly dir: string;
  readonly maxBytes: number;
}

/** An artifact, or the selected blobs of one, on local disk until `release` is called. Its files are read-only. */
export interface CachedArtifact {
  readonly dir: string;
  readonly manifest: StoredManifest;
  release(): void;
}

interface Entry {
  /** The selected blobs; null: all. */
  readonly selected: readonly string[] | null;
  /** Identity of each file when it was last read and found intact. */
  readonly verified: Map<string, string>;
  /** The digest of a whole artifact; see `entryKey` */
  readonly key: string;
  /** Bytes of the blobs that are held */
  readonly bytes: number;
  readonly manifest: StoredManifest;
  users: number;
  usedAt: number;
}

interface ArtifactPlace {
  readonly prefix: string;
  readonly digest: string;
}

/**
 * Local copies of artifacts by digest, each verified by sha256 when it arrived, and of selected blobs of artifacts. An
 * entry is renamed into place complete, so a killed process leaves nothing half-made. Over `maxBytes` the least
 * recently used go; what is in use stays, even when that alone is more than the limit.
 */
export class ArtifactCache {
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #fetching = new Map<string, Promise<Entry>>();
  #evicting: Promise<void> = Promise.resolve();

  private constructor(options: ArtifactCacheOptions) {
    this.#dir = options.dir;
    this.#maxBytes = options.maxBytes;
  }

  /** Opens the folder, forgetting what a killed process was still fetching. */
  static async open(options: ArtifactCacheOptions): Promise<ArtifactCache> {
    const cache = new ArtifactCache(options);
    await rm(cache.#path("partial"), { recursive: true, force: true });
    await mkdir(cache.#path("partial"), { recursive: true });
    await mkdir(cache.#path("entries"), { recursive: true });
    for (const key of await readdir(cache.#path("entries"))) await cache.#adopt(key);
    await cache.#evict();
    return cache;
  }

  async #adopt(key: string): Promise<void> {
    const dir = this.#entryDir(key);
    try {
      const manifest = parseManifest(await readFile(join(dir, manifestName), "utf8"), dir);
      const selected = await readSelection(dir);
      if (entryKey(manifest.digest, selected) !== key) throw new Error(`${dir} holds something else`);
      const { mtimeMs } = await stat(dir);
      const bytes = bytesOf(manifest, selected);
      this.#entries.set(key, { key, manifest, selected, verified: new Map(), bytes, users: 0, usedAt: mtimeMs });
    } catch {
      // Not ours or of another version; the store still has whatever it was.
      await rm(dir, { recursive: true, force: true });
    }
  }

  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  }

  /**
   * Brings an artifact to local disk, or finds it there. Concurrent fetches of one artifact share the work; when the
   * one that does it fails, by its own grant or signal, the others go to their own stores.
   *
   * @param store as the caller may use it
   * @param select which of its blobs; a whole artifact that is here already serves any selection
   * @throws ArtifactError ARTIFACT_MISSING; ARTIFACT_DAMAGED when anything does not hash to what it should
   */
  async fetch(store: BlobStore, place: ArtifactPlace, select?: BlobSelection): Promise<CachedArtifact> {
    const manifest = select ? await this.#manifestOf(store, place) : null;
    const selected = manifest && select ? select(manifest) : null;
    const key = entryKey(place.digest, selected);
    // After an eviction in progress: it may be removing this very entry.
    await this.#evicting;
    for (;;) {
      const known = this.#entries.get(place.digest) ?? this.#entries.get(key);
      if (known && (await this.#isIntact(known))) return this.#hold(known);
      const others = this.#fetching.get(place.digest) ?? this.#fetching.get(key);
      if (!others) break;
      const entry = await others.catch(rethrowForAll);
      if (entry) return this.#hold(entry);
    }
    const arriving = this.#download(store, place, manifest, selected).finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, arriving);
    const entry = await arriving;
    const held = this.#hold(entry);
    entry.users--;
    await this.#evict();
    return held;
  }

  /**
   * Whether an entry's files are still what they were: each is read again once its file has changed in any way, for a
   * file that is linked from the store is changed with it. An entry that is not is given up, in use or not; the store
   * may have better.
   */
  async #isIntact(entry: Entry): Promise<boolean> {
    entry.users++; // not to be evicted meanwhile
    try {
      for (const blob of selectedBlobs(entry.manifest, entry.selected)) await this.#verify(entry, blob);
      return this.#entries.get(entry.key) === entry;
    } catch {
      if (this.#entries.get(entry.key) === entry) await this.#discard(entry);
      return false;
    } finally {
      entry.users--;
    }
  }

  async #verify({ key, verified }: Entry, { name, sha256 }: StoredManifest["blobs"][number]): Promise<void> {
    const path = join(this.#entryDir(key), name);
    const identity = await fileIdentity(path);
    if (verified.get(name) === identity) return;
    if ((await hashFile(path)) !== sha256) throw new Error(`${path} has changed`);
    verified.set(name, identity);
  }

  async #discard(entry: Entry): Promise<void> {
    this.#entries.delete(entry.key);
    const doomed = this.#path("partial", randomUUID());
    await rename(this.#entryDir(entry.key), doomed);
    await rm(doomed, { recursive: true, force: true });
  }

  #hold(entry: Entry): CachedArtifact {
    entry.users++;
    entry.usedAt = Date.now();
    const dir = this.#entryDir(entry.key);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      entry.users--;
      entry.usedAt = Date.now();
      // Failing here harms nobody: the next fetch evicts again, and reports it.
      this.#evict({ released: entry }).catch(() => {});
    };
    return { dir, manifest: entry.manifest, release };
  }

  async #manifestOf(store: BlobStore, { prefix, digest }: ArtifactPlace): Promise<StoredManifest> {
    const known = [...this.#entries.values()].find(({ manifest }) => manifest.digest === digest);
    if (known) return known.manifest;
    const manifest = await readManifest(store, prefix);
    if (manifest.digest === digest) return manifest;
    throw new ArtifactError(
      "ARTIFACT_DAMAGED",
      `The manifest at ${prefix} has digest ${manifest.digest}; expected ${digest}.`,
    );
  }

  async #download(
    store: BlobStore,
    place: ArtifactPlace,
    knownManifest: StoredManifest | null,
    selected: readonly string[] | null,
  ): Promise<Entry> {
    const manifest = knownManifest ?? (await this.#manifestOf(store, place));
    const key = entryKey(manifest.digest, selected);
    try {
      await this.#fill(store, place.prefix, manifest, selected);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // What nobody reads now makes room for what somebody waits for.
      await this.#evict({ toBytes: 0 });
      await this.#fill(store, place.prefix, manifest, selected).catch((again: unknown) => {
        throw isDiskFull(again) ? storageFull(ownPlace, "the system took no more bytes", again) : again;
      });
    }
    // In use from birth, until who asked first holds it: no eviction may fall in between.
    const bytes = bytesOf(manifest, selected);
    const verified = await this.#identities(key, manifest, selected);
    const entry = { key, manifest, selected, verified, bytes, users: 1, usedAt: Date.now() };
    this.#entries.set(key, entry);
    return entry;
  }

  async #fill(
    store: BlobStore,
    prefix: string,
    manifest: StoredManifest,
    selected: readonly string[] | null,
  ): Promise<void> {
    const partial = this.#path("partial", randomUUID());
    try {
      await mkdir(partial);
      for (const blob of selectedBlobs(manifest, selected)) await fetchBlob(store, prefix, blob, partial);
      await writeDurably(join(partial, manifestName), JSON.stringify(manifest));
      if (selected) await writeDurably(join(partial, selectionName), JSON.stringify(selected));
      await this.#evicting;
      await rename(partial, this.#entryDir(entryKey(manifest.digest, selected)));
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }

  /** Identities of the files that were verified as they arrived. */
  async #identities(key: string, manifest: StoredManifest, selected: readonly string[] | null) {
    const names = selectedBlobs(manifest, selected).map(({ name }) => name);
    const found = names.map(async (name) => [name, await fileIdentity(join(this.#entryDir(key), name))] as const);
    return new Map(await Promise.all(found));
  }

  #evict(what: { released?: Entry; toBytes?: number } = {}): Promise<void> {
    const run = this.#evicting.then(() => this.#evictIdle(what));
    this.#evicting = run.catch(() => {});
    return run;
  }

  async #evictIdle({ released, toBytes = this.#maxBytes }: { released?: Entry; toBytes?: number }): Promise<void> {
    // So that the order of use survives the process.
    if (released) await utimes(this.#entryDir(released.key), new Date(), new Date(released.usedAt));
    const idle = [...this.#entries.values()].filter((entry) => entry.users === 0);
    for (const entry of idle.toSorted((a, b) => a.usedAt - b.usedAt)) {
      if (this.bytes <= toBytes) break;
      if (entry.users > 0) continue;
      await this.#discard(entry);
    }
  }

  #entryDir(key: string): string {
    return this.#path("entries", key);
  }

  #path(...parts: string[]): string {
    return join(this.#dir, ...parts);
  }
}

/** What a store lacks it lacks for everybody; by its grant or signal a fetch fails alone. */
function rethrowForAll(error: unknown): null {
  const isForAll = error instanceof ArtifactError && /_(MISSING|DAMAGED|KEY_INVALID)$/.test(error.code);
  if (isForAll) throw error;
  return null;
}

function bytesOf(manifest: StoredManifest, selected: readonly string[] | null): number {
  return selectedBlobs(manifest, selected).reduce((sum, blob) => sum + blob.bytes, 0);
}

async function writeDurably(path: string, body: string): Promise<void> {
  const file = await open(path, "wx", 0o444);
  try {
    await file.writeFile(body);
    await file.sync();
  } finally {
    await file.close();
  }
}
