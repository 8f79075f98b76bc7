import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LocalArtifactStore, openArtifactStore } from "../src/index.ts";
import { artifactStoreSuite } from "./conformance/artifact-store.suite.ts";

artifactStoreSuite("local folder", (dir) => LocalArtifactStore.open(dir));

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-store-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

it("opens a file:// URL and refuses others without repeating them", async () => {
  const store = await openArtifactStore(pathToFileURL(join(dir, "a b")).href);
  await store.put("k", Buffer.from("x"));
  expect((await stat(join(dir, "a b", "k"))).size).toBe(1);
  const refusal = openArtifactStore("s3://user:secret@bucket");
  await expect(refusal).rejects.toMatchObject({ code: "ARTIFACT_URL_INVALID" });
  await expect(refusal).rejects.not.toThrow(/secret/);
});

it("stores blobs read-only and leaves no temporary file", async () => {
  const store = await LocalArtifactStore.open(dir);
  await store.put("p/a", Buffer.from("x"));
  expect((await stat(store.localPath("p/a"))).mode & 0o777).toBe(0o444);
  expect(await readdir(join(dir, ".tmp"))).toEqual([]);
});

it("removes what a killed writer left a day ago, and nothing younger", async () => {
  await LocalArtifactStore.open(dir);
  await writeFile(join(dir, ".tmp", "old"), "half a blob");
  await writeFile(join(dir, ".tmp", "young"), "being written");
  await utimes(join(dir, ".tmp", "old"), new Date(0), new Date(0));
  await LocalArtifactStore.open(dir);
  expect(await readdir(join(dir, ".tmp"))).toEqual(["young"]);
});
