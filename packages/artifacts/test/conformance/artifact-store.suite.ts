import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ArtifactStore, BlobStore } from "../../src/index.ts";

const bytes = (text: string) => Buffer.from(text);

async function* slowly(...chunks: string[]) {
  for (const chunk of chunks) yield bytes(chunk);
}

async function keysOf(store: ArtifactStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

const hostileKeys = [
  "",
  "/etc/passwd",
  "../outside",
  "a/../../outside",
  "a//b",
  "a/",
  "./a",
  ".tmp/x",
  "a/.hidden",
  "a\\b",
  "a\0b",
  "ä",
  "a b",
  "x".repeat(201),
  "x/".repeat(600),
];

/** What every store of blobs promises; `open` gives an empty one, in which keys below `p/` may be used. */
export function blobStoreSuite(name: string, open: (dir: string) => Promise<BlobStore>): void {
  describe(`blob store: ${name}`, () => {
    let dir: string;
    let store: BlobStore;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
      store = await open(join(dir, "store"));
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));

    it("gives back what was put, and says its size and sha256", async () => {
      const stored = await store.put("p/a/blob.npy", slowly("hello ", "world"));
      expect(stored).toEqual({ bytes: 11, sha256: createHash("sha256").update("hello world").digest("hex") });
      expect((await buffer(await store.get("p/a/blob.npy"))).toString()).toBe("hello world");
      expect((await store.stat("p/a/blob.npy"))?.bytes).toBe(11);
    });

    it("takes bytes, streams and files, also empty ones", async () => {
      await writeFile(join(dir, "file"), "from a file");
      await store.put("p/file", { file: join(dir, "file") });
      await store.put("p/empty", new Uint8Array());
      expect((await buffer(await store.get("p/file"))).toString()).toBe("from a file");
      expect((await buffer(await store.get("p/empty"))).length).toBe(0);
    });

    it("writes a key once: the second put is refused and the first blob stays", async () => {
      await store.put("p/a", bytes("first"));
      await expect(store.put("p/a", bytes("second"))).rejects.toMatchObject({ code: "ARTIFACT_EXISTS" });
      expect((await buffer(await store.get("p/a"))).toString()).toBe("first");
    });

    it("lets exactly one of many concurrent puts win", async () => {
      const puts = Array.from({ length: 8 }, (_, i) => store.put("p/a", slowly(`${i}`, `${i}`)));
      const results = await Promise.allSettled(puts);
      const winners = results.flatMap((result, i) => (result.status === "fulfilled" ? [i] : []));
      expect(winners).toHaveLength(1);
      expect((await buffer(await store.get("p/a"))).toString()).toBe(`${winners[0]}${winners[0]}`);
    });

    it("stores nothing when the source fails half-way", async () => {
      async function* failing() {
        yield bytes("half");
        throw new Error("the upload broke off");
      }
      await expect(store.put("p/a", failing())).rejects.toThrow("the upload broke off");
      expect(await store.stat("p/a")).toBeNull();
      await store.put("p/a", bytes("whole"));
      expect((await buffer(await store.get("p/a"))).toString()).toBe("whole");
    });

    it("serves ranges with both ends inclusive, cut at the last byte", async () => {
      await store.put("p/a", bytes("0123456789"));
      const read = async (start: number, end?: number) =>
        (await buffer(await store.get("p/a", { start, end }))).toString();
      expect(await read(2, 4)).toBe("234");
      expect(await read(7)).toBe("789");
      expect(await read(8, 99)).toBe("89");
      for (const start of [10, -1, Number.NaN]) {
        await expect(store.get("p/a", { start })).rejects.toMatchObject({ code: "ARTIFACT_RANGE_INVALID" });
      }
    });

    it("says ARTIFACT_MISSING for what is not there, folders included", async () => {
      await store.put("p/a/b", bytes("x"));
      for (const key of ["p/none", "p/a", "p/a/b/c"]) {
        await expect(store.get(key)).rejects.toMatchObject({ code: "ARTIFACT_MISSING" });
        expect(await store.stat(key)).toBeNull();
      }
    });

    it("deletes a blob, whether it is there or not, so that its key is free again", async () => {
      await store.put("p/a", bytes("first"));
      await store.delete("p/a");
      await store.delete("p/a");
      expect(await store.stat("p/a")).toBeNull();
      await store.put("p/a", bytes("second"));
    });

    it.each(hostileKeys)("refuses the hostile key %j in every operation", async (key) => {
      const refused = { code: "ARTIFACT_KEY_INVALID" };
      await expect(store.put(key, bytes("x"))).rejects.toMatchObject(refused);
      await expect(store.get(key)).rejects.toMatchObject(refused);
      await expect(store.stat(key)).rejects.toMatchObject(refused);
      await expect(store.delete(key)).rejects.toMatchObject(refused);
    });
  });
}

/** What every whole artifact store promises; `open` gives an empty one. */
export function artifactStoreSuite(name: string, open: (dir: string) => Promise<ArtifactStore>): void {
  blobStoreSuite(name, open);

  describe(`artifact store: ${name}`, () => {
    let dir: string;
    let store: ArtifactStore;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
      store = await open(join(dir, "store"));
    });
    afterEach(() => rm(dir, { recursive: true, force: true }));

    it("lists and deletes by whole segments: `p/a` is not `p/ab`", async () => {
      for (const key of ["p/a/2", "p/a/1", "p/ab", "q"]) await store.put(key, bytes(key));
      expect(await keysOf(store, "p/a")).toEqual(["p/a/1", "p/a/2"]);
      expect(await keysOf(store, "")).toEqual(["p/a/1", "p/a/2", "p/ab", "q"]);
      await store.delete("p/a");
      await store.delete("p/a");
      expect(await keysOf(store, "")).toEqual(["p/ab", "q"]);
      await store.put("p/a/1", bytes("a fresh one"));
    });

    it("lists nothing of a blob whose source failed", async () => {
      async function* failing() {
        yield bytes("half");
        throw new Error("the upload broke off");
      }
      await expect(store.put("p/a", failing())).rejects.toThrow("the upload broke off");
      expect(await keysOf(store, "")).toEqual([]);
    });

    it.each(hostileKeys.filter((key) => key !== ""))("refuses to list the hostile key %j", async (key) => {
      await expect(keysOf(store, key)).rejects.toMatchObject({ code: "ARTIFACT_KEY_INVALID" });
    });
  });
}
