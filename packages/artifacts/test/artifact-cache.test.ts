import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ArtifactCache,
  ArtifactError,
  type BlobSelection,
  type BlobStore,
  LocalArtifactStore,
  publishArtifact,
  readManifest,
} from "../src/index.ts";

const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest("hex");

let dir: string;
let store: LocalArtifactStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-cache-"));
  store = await LocalArtifactStore.open(join(dir, "store"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** The cache of somebody who has everything from one store. */
async function openCache(maxBytes: number, from: BlobStore = store) {
  const cache = await ArtifactCache.open({ dir: join(dir, "cache"), maxBytes });
  return {
    fetch: (place: Ref, select?: BlobSelection) => cache.fetch(from, place, select),
    get bytes() {
      return cache.bytes;
    },
  };
}

interface Ref {
  readonly prefix: string;
  readonly digest: string;
}

async function artifact(prefix: string, files: Record<string, Uint8Array>) {
  const local = await mkdtemp(join(dir, "out-"));
  const blobs = [];
  for (const [name, data] of Object.entries(files)) {
    await mkdir(dirname(join(local, name)), { recursive: true });
    await writeFile(join(local, name), data);
    blobs.push({ name, bytes: data.length, sha256: sha256(data) });
  }
  const manifest = { version: 1, kind: "test", digest: sha256(JSON.stringify([prefix, blobs])), blobs };
  await publishArtifact(store, prefix, local, manifest);
  return { prefix, digest: manifest.digest };
}

/** The store as reached without a shared disk. */
const remote = (): BlobStore & { reads: number } => ({
  reads: 0,
  put: store.put.bind(store),
  stat: store.stat.bind(store),
  delete: store.delete.bind(store),
  localPath: () => null,
  get(key, range) {
    this.reads++;
    return store.get(key, range);
  },
});

describe("publishArtifact", () => {
  it("puts the manifest last, so that an artifact with a missing blob does not exist", async () => {
    const manifest = {
      version: 1,
      kind: "test",
      digest: sha256("d"),
      blobs: [{ name: "a", bytes: 1, sha256: sha256("x") }],
    };
    await expect(publishArtifact(store, "p", join(dir, "nowhere"), manifest)).rejects.toThrow();
    await expect(readManifest(store, "p")).rejects.toMatchObject({ code: "ARTIFACT_MISSING" });
  });

  it("takes back what it has stored when the store is full, and stores all of it when there is room", async () => {
    await writeFile(join(dir, "a"), "x");
    await writeFile(join(dir, "b"), "x");
    const blobs = ["a", "b"].map((name) => ({ name, bytes: 1, sha256: sha256("x") }));
    const manifest = { version: 1, kind: "test", digest: sha256("d"), blobs };
    const put: BlobStore["put"] = (key, source) =>
      key.endsWith("/b") ? Promise.reject(new ArtifactError("STORAGE_FULL", "no room")) : store.put(key, source);
    const full = { ...remote(), put };
    await expect(publishArtifact(full, "p", dir, manifest)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await store.stat("p/a")).toBeNull();
    expect(await publishArtifact(store, "p", dir, manifest)).toEqual({ bytes: 2 });
  });

  it("refuses a file that is not what the manifest says", async () => {
    await writeFile(join(dir, "a"), "y");
    const blobs = [{ name: "a", bytes: 1, sha256: sha256("x") }];
    const manifest = { version: 1, kind: "test", digest: sha256("d"), blobs };
    await expect(publishArtifact(store, "p", dir, manifest)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
    expect(await store.stat("p/a")).toBeNull();
  });
});

/** Changes a byte of a stored file in place, as a bad disk or somebody's program does. */
async function change(path: string): Promise<void> {
  await chmod(path, 0o644);
  const data = await readFile(path);
  data[0] = (data[0] ?? 0) ^ 1;
  await writeFile(path, data);
}

describe("an artifact that has changed since it was fetched", () => {
  const original = randomBytes(1000);

  it("is refused by name when it is a link to the store's own file, which has changed with it", async () => {
    const place = await artifact("p", { "deep/features.npy": original });
    const cache = await openCache(1e9);
    (await cache.fetch(place)).release();
    await change(store.localPath("p/deep/features.npy"));
    const again = cache.fetch(place);
    await expect(again).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
    await expect(again).rejects.toThrow("p/deep/features.npy");
  });

  it("is fetched anew when the store has better", async () => {
    const place = await artifact("p", { a: original });
    const cache = await openCache(1e9, remote());
    const first = await cache.fetch(place);
    await change(join(first.dir, "a"));
    const second = await cache.fetch(place);
    expect(await readFile(join(second.dir, "a"))).toEqual(original);
    first.release();
    second.release();
  });

  it("is noticed by a process that finds it in the folder of an earlier one", async () => {
    const place = await artifact("p", { a: original });
    const cached = await (await openCache(1e9, remote())).fetch(place);
    await change(join(cached.dir, "a"));
    const later = await (await openCache(1e9, remote())).fetch(place);
    expect(await readFile(join(later.dir, "a"))).toEqual(original);
  });
});

describe("ArtifactCache", () => {
  it("brings every blob and the manifest, as hard links where the disk is shared", async () => {
    const ref = await artifact("p", { "graph/indptr.npy": Buffer.from("abc"), top: Buffer.from("d") });
    const cache = await openCache(1000);
    const held = await cache.fetch(ref);
    expect(await readFile(join(held.dir, "graph/indptr.npy"), "utf8")).toBe("abc");
    expect(held.manifest.digest).toBe(ref.digest);
    expect((await stat(join(held.dir, "top"))).ino).toBe((await stat(store.localPath("p/top"))).ino);
    expect(cache.bytes).toBe(3 + 1);
  });

  it("downloads each blob once when many fetch the same artifact at once", async () => {
    const ref = await artifact("p", { a: randomBytes(100_000), b: randomBytes(10) });
    const far = remote();
    const cache = await openCache(1e6, far);
    const held = await Promise.all(Array.from({ length: 10 }, () => cache.fetch(ref)));
    expect(new Set(held.map((one) => one.dir)).size).toBe(1);
    expect(far.reads).toBe(1 + 2);
  });

  it("evicts the least recently used, never what is in use", async () => {
    const refs = [];
    for (const name of ["a", "b", "c"]) refs.push(await artifact(name, { x: randomBytes(100) }));
    const [a, b, c] = refs as [(typeof refs)[0], (typeof refs)[0], (typeof refs)[0]];
    const cache = await openCache(250);
    const heldA = await cache.fetch(a);
    (await cache.fetch(b)).release();
    const heldC = await cache.fetch(c);
    expect(await readdir(join(dir, "cache/entries"))).toEqual([a.digest, c.digest].toSorted());
    heldA.release();
    const heldB = await cache.fetch(b);
    expect(await readdir(join(dir, "cache/entries"))).toEqual([b.digest, c.digest].toSorted());
    heldB.release();
    heldC.release();
  });

  it("keeps what is in use even over the limit, and lets it go when released", async () => {
    const ref = await artifact("p", { x: randomBytes(500) });
    const cache = await openCache(100);
    const held = await cache.fetch(ref);
    expect((await readFile(join(held.dir, "x"))).length).toBe(500);
    held.release();
    held.release();
    const again = await cache.fetch(await artifact("q", { x: randomBytes(1) }));
    expect(await readdir(join(dir, "cache/entries"))).toEqual([again.manifest.digest]);
  });

  it("starts again after kill -9: whole entries are kept, half-made ones are gone", async () => {
    const ref = await artifact("p", { x: randomBytes(50) });
    const first = await openCache(1000);
    await first.fetch(ref);
    await mkdir(join(dir, "cache/partial/half"), { recursive: true });
    await mkdir(join(dir, "cache/entries/not-an-entry"), { recursive: true });
    const far = remote();
    const second = await openCache(1000, far);
    await second.fetch(ref);
    expect(far.reads).toBe(0);
    expect(await readdir(join(dir, "cache/partial"))).toEqual([]);
    expect(await readdir(join(dir, "cache/entries"))).toEqual([ref.digest]);
  });

  it.each(["link", "download"])("refuses a damaged blob (%s) and keeps nothing of it", async (way) => {
    const ref = await artifact("p", { x: randomBytes(50) });
    await chmod(store.localPath("p/x"), 0o644);
    await writeFile(store.localPath("p/x"), randomBytes(50));
    const cache = await openCache(1000, way === "link" ? store : remote());
    await expect(cache.fetch(ref)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
    expect(await readdir(join(dir, "cache/entries"))).toEqual([]);
    expect(await readdir(join(dir, "cache/partial"))).toEqual([]);
  });

  it("refuses a manifest of another digest, and blob names that would leave the folder", async () => {
    const ref = await artifact("p", { x: randomBytes(5) });
    const cache = await openCache(1000);
    const wrong = { prefix: "p", digest: sha256("other") };
    await expect(cache.fetch(wrong)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
    const hostile = {
      version: 1,
      kind: "t",
      digest: sha256("h"),
      blobs: [{ name: "../../x", bytes: 1, sha256: "0".repeat(64) }],
    };
    await store.put("h/manifest.json", Buffer.from(JSON.stringify(hostile)));
    const escape = cache.fetch({ prefix: "h", digest: hostile.digest });
    await expect(escape).rejects.toMatchObject({ code: "ARTIFACT_KEY_INVALID" });
    await cache.fetch(ref);
  });
});

describe("ArtifactCache, fetched with different grants", () => {
  it("goes to the second caller's store when the first one's refuses what both wait for", async () => {
    const ref = await artifact("p", { a: Buffer.from("abc") });
    const cache = await ArtifactCache.open({ dir: join(dir, "cache"), maxBytes: 1000 });
    const refusal = new ArtifactError("ARTIFACT_REFUSED", "the attempt is over");
    const refusing: BlobStore = { ...remote(), get: () => Promise.reject(refusal) };
    const [first, second] = await Promise.allSettled([cache.fetch(refusing, ref), cache.fetch(remote(), ref)]);
    expect(first).toMatchObject({ status: "rejected", reason: refusal });
    expect(second).toMatchObject({ status: "fulfilled", value: { manifest: { digest: ref.digest } } });
  });
});

describe("ArtifactCache, selected blobs", () => {
  const parts = () =>
    artifact("p", {
      "part0/x": randomBytes(40),
      "part1/x": randomBytes(30),
      "part1/y": randomBytes(2),
      map: randomBytes(9),
    });
  const ofPart1 = () => ["part1/"];
  const names = async (held: { readonly dir: string }) =>
    (await readdir(held.dir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name).slice(held.dir.length + 1))
      .toSorted();

  it("brings these alone and counts their bytes; the manifest names all", async () => {
    const far = remote();
    const cache = await openCache(1000, far);
    const ref = await parts();
    const held = await cache.fetch(ref, ofPart1);
    expect(await names(held)).toEqual(["manifest.json", "part1/x", "part1/y", "selection.json"]);
    expect(held.manifest.blobs).toHaveLength(4);
    expect([cache.bytes, far.reads]).toEqual([32, 1 + 2]);
    expect((await cache.fetch(ref, ofPart1)).dir).toBe(held.dir);
    expect(far.reads).toBe(3);
  });

  it("verifies them, and no others", async () => {
    const ref = await parts();
    await chmod(store.localPath("p/part1/x"), 0o644);
    await writeFile(store.localPath("p/part1/x"), randomBytes(30));
    const cache = await openCache(1000);
    await cache.fetch(ref, () => ["part0/"]);
    await expect(cache.fetch(ref, ofPart1)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
    expect(await readdir(join(dir, "cache/entries"))).toHaveLength(1);
  });

  it("keeps them apart from other selections, and gives a whole artifact that is here to any", async () => {
    const cache = await openCache(1000);
    const ref = await parts();
    const one = await cache.fetch(ref, ofPart1);
    const zero = await cache.fetch(ref, () => ["part0/", "map"]);
    expect(await names(zero)).toEqual(["manifest.json", "map", "part0/x", "selection.json"]);
    const whole = await cache.fetch(ref);
    expect(await names(whole)).toEqual(["manifest.json", "map", "part0/x", "part1/x", "part1/y"]);
    expect(cache.bytes).toBe(32 + 49 + 81);
    expect(new Set([one.dir, zero.dir, whole.dir]).size).toBe(3);
    for (const select of [ofPart1, () => null]) expect((await cache.fetch(ref, select)).dir).toBe(whole.dir);
  });

  it("finds them again after a restart with their bytes, and never takes a part for the whole", async () => {
    const ref = await parts();
    const dirBefore = (await (await openCache(1000)).fetch(ref, ofPart1)).dir;
    const far = remote();
    const second = await openCache(1000, far);
    expect(second.bytes).toBe(32);
    expect((await second.fetch(ref, ofPart1)).dir).toBe(dirBefore);
    expect(far.reads).toBe(0);
    await second.fetch(ref);
    expect(far.reads).toBe(4);
    await rm(join(dirBefore, "selection.json"));
    expect((await openCache(1000)).bytes).toBe(81);
  });

  it("evicts them like any entry, by the bytes that they hold", async () => {
    const cache = await openCache(75);
    const ref = await parts();
    (await cache.fetch(ref, ofPart1)).release();
    const zero = await cache.fetch(ref, () => ["part0/"]);
    expect(cache.bytes).toBe(72);
    zero.release();
    (await cache.fetch(await artifact("q", { x: randomBytes(5) }))).release();
    expect(cache.bytes).toBe(45);
    expect(await readdir(join(dir, "cache/entries"))).toHaveLength(2);
  });
});
