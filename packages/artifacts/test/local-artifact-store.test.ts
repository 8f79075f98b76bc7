import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
  expect(await halfWritten()).toEqual([]);
});

/** Files of writers in progress or gone, without their locks. */
async function halfWritten(): Promise<string[]> {
  const found = await readdir(join(dir, ".tmp"), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile() && entry.name !== "lock").map(({ name }) => name);
}

it("removes at once what a killed writer left, and nothing of one that lives", async () => {
  const living = await LocalArtifactStore.open(dir);
  let resolve = () => {};
  const goesOn = new Promise<void>((done) => {
    resolve = done;
  });
  const stored = living.put("slow", beginning("half of it", goesOn));
  const dead = await killedWriter("half of a blob");
  await vi.waitFor(async () => expect(await halfWritten()).toHaveLength(2));

  expect(await living.removeAbandoned()).toBe(1);
  expect(await halfWritten()).toHaveLength(1);
  expect(await readdir(join(dir, ".tmp"))).toHaveLength(1);
  // Another process that opens the store, as after a restart, looks too.
  await LocalArtifactStore.open(dir);
  resolve();
  expect(await stored).toMatchObject({ bytes: 10 });
  expect(await living.stat("slow")).toMatchObject({ bytes: 10 });
  expect(await living.stat(dead)).toBeNull();
});

it("forgets what nobody's lock speaks of after a day", async () => {
  await LocalArtifactStore.open(dir);
  await writeFile(join(dir, ".tmp", "old"), "of an earlier release");
  await writeFile(join(dir, ".tmp", "young"), "of an earlier release");
  await utimes(join(dir, ".tmp", "old"), new Date(0), new Date(0));
  await LocalArtifactStore.open(dir);
  expect(await halfWritten()).toEqual(["young"]);
});

it("writes on when somebody has tidied up by hand", async () => {
  const store = await LocalArtifactStore.open(dir);
  await store.put("a", Buffer.from("x"));
  await rm(join(dir, ".tmp"), { recursive: true });
  await store.put("b", Buffer.from("x"));
  expect(await store.stat("b")).toMatchObject({ bytes: 1 });
});

it("takes nothing that would leave less than the reserve, says which disk is full, and serves what it has", async () => {
  await (await LocalArtifactStore.open(dir)).put("before", Buffer.from("x"));
  const full = await LocalArtifactStore.open(dir, { minFreeBytes: 2 ** 60 });
  const refused = full.put("p/a", Buffer.from("x"));
  await expect(refused).rejects.toMatchObject({ code: "STORAGE_FULL" });
  await expect(refused).rejects.toThrow(/artifact store \(ARTIFACTS_URL\).*HOPWISE_MIN_FREE_BYTES/);
  await expect(full.requireSpaceFor(1)).rejects.toMatchObject({ code: "STORAGE_FULL" });
  expect(await full.stat("p/a")).toBeNull();
  expect(await full.stat("before")).toMatchObject({ bytes: 1 });
  await full.delete("before");
  expect(await full.stat("before")).toBeNull();
});

async function* beginning(text: string, rest: Promise<void>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
  await rest;
}

/** A process that is killed while it stores a blob. @returns the blob's key */
async function killedWriter(text: string): Promise<string> {
  const index = fileURLToPath(new URL("../src/index.ts", import.meta.url));
  const program = `import { LocalArtifactStore } from ${JSON.stringify(index)};
    const store = await LocalArtifactStore.open(${JSON.stringify(dir)});
    async function* source() {
      yield Buffer.from(${JSON.stringify(text)});
      process.stdout.write("writing");
      await new Promise(() => setInterval(() => {}, 1000));
    }
    await store.put("killed", source());`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  return "killed";
}
