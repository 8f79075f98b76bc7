import { createHash } from "node:crypto";
import { chmod, mkdtemp, open, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LocalArtifactStore, VerifiedBlobs } from "../src/index.ts";

const content = Buffer.from("embeddings".repeat(1000));
const expected = { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };

let dir: string;
let store: LocalArtifactStore;
let blobs: VerifiedBlobs;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-verified-"));
  store = await LocalArtifactStore.open(dir);
  blobs = new VerifiedBlobs(store);
  await store.put("p/a", content);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Changes one byte in the middle. */
async function flip(key: string): Promise<void> {
  const path = store.localPath(key);
  await chmod(path, 0o644);
  const file = await open(path, "r+");
  await file.write(Buffer.from([0x00]), 0, 1, 777);
  await file.close();
}

/** How many bytes verifying reads. */
async function bytesRead(again = false): Promise<number> {
  let bytes = 0;
  const onBytes = (read: number) => {
    bytes += read;
  };
  await blobs.verify("p/a", expected, { onBytes, again });
  return bytes;
}

it("reads a blob once as long as nobody writes to it, and anew when it is told to", async () => {
  expect(await bytesRead()).toBe(content.length);
  expect(await bytesRead()).toBe(0);
  expect(await bytesRead(true)).toBe(content.length);
});

it("finds a changed byte, before and after it was found intact, though size and times are put back", async () => {
  await blobs.verify("p/a", expected);
  const { atime, mtime } = await stat(store.localPath("p/a"));
  await flip("p/a");
  await utimes(store.localPath("p/a"), atime, mtime);
  const found = blobs.verify("p/a", expected);
  await expect(found).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
  await expect(found).rejects.toThrow(`p/a has ${content.length} bytes with the sha256`);
  await expect(blobs.verify("p/a", expected)).rejects.toMatchObject({ code: "ARTIFACT_DAMAGED" });
});

it("says what is missing", async () => {
  await expect(blobs.verify("p/b", expected)).rejects.toMatchObject({ code: "ARTIFACT_MISSING" });
});
