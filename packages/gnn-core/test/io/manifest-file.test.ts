import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  buildManifest,
  manifestDigest,
  readManifestFile,
  verifyArtifact,
  writeManifestFile,
} from "../../src/io/manifest-file.ts";

const context = { kind: "graph", step: "ingest", stepVersion: 1, engine: "1", inputs: {}, options: { a: 1 } };
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-manifest-"));
  await mkdir(join(dir, "graph"));
  await writeFile(join(dir, "graph/a.npy"), "aaa");
  await writeFile(join(dir, "b"), "b");
});
afterEach(() => rm(dir, { recursive: true }));

const draft = {
  info: { numNodes: 3, nested: { y: 1, x: [2] } },
  blobs: [{ name: "b" }, { name: "graph/a.npy", dtype: "int8", shape: [3] }],
};

describe("manifests", () => {
  it("hold size and sha256 of every file, and survive the disk", async () => {
    const made = await buildManifest(dir, draft, context);
    expect(made.blobs).toEqual([
      { name: "b", bytes: 1, sha256: createHash("sha256").update("b").digest("hex") },
      {
        name: "graph/a.npy",
        bytes: 3,
        sha256: createHash("sha256").update("aaa").digest("hex"),
        dtype: "int8",
        shape: [3],
      },
    ]);
    await writeManifestFile(dir, made);
    expect(await readManifestFile(dir)).toEqual({ dir, manifest: made });
    expect(await verifyArtifact(dir)).toEqual({ dir, manifest: made });
  });

  it("have one digest for one content, whoever made it with which options, in whatever order", async () => {
    const first = await buildManifest(dir, draft, context);
    const info = { nested: { x: [2], y: 1 }, numNodes: 3 };
    const second = await buildManifest(
      dir,
      { info, blobs: draft.blobs.toReversed() },
      { ...context, engine: "2", options: {} },
    );
    expect(second.digest).toBe(first.digest);
    expect(manifestDigest("parts", first.blobs, first.info)).not.toBe(first.digest);
    expect(manifestDigest("graph", first.blobs, { ...first.info, numNodes: 4 })).not.toBe(first.digest);
    expect(manifestDigest("graph", first.blobs.slice(1), first.info)).not.toBe(first.digest);
  });

  it("are refused when damaged, changed, of another version, missing, or naming files outside", async () => {
    const invalid = { code: "MANIFEST_INVALID" };
    await expect(readManifestFile(dir)).rejects.toMatchObject(invalid);
    const made = await buildManifest(dir, draft, context);
    const write = (json: unknown) => writeFile(join(dir, "manifest.json"), JSON.stringify(json));
    await write({ ...made, version: 2 });
    await expect(readManifestFile(dir)).rejects.toThrow(/version 2, expected 1/);
    await write({ ...made, info: { numNodes: 4 } });
    await expect(readManifestFile(dir)).rejects.toMatchObject(invalid);
    await write({ ...made, blobs: [{ name: "../b", bytes: 1, sha256: "0".repeat(64) }] });
    await expect(readManifestFile(dir)).rejects.toMatchObject(invalid);
    await expect(buildManifest(dir, { info: {}, blobs: [{ name: "none" }] }, context)).rejects.toMatchObject(invalid);
  });

  it("are refused when they nest without end", async () => {
    const made = JSON.stringify(await buildManifest(dir, draft, context));
    const nested = made.replace('"numNodes":3', `"numNodes":${"[".repeat(9000)}${"]".repeat(9000)}`);
    await writeFile(join(dir, "manifest.json"), nested);
    await expect(readManifestFile(dir)).rejects.toMatchObject({ code: "MANIFEST_INVALID" });
  });

  it("find a file that was changed afterwards", async () => {
    await writeManifestFile(dir, await buildManifest(dir, draft, context));
    await writeFile(join(dir, "b"), "c");
    await expect(verifyArtifact(dir)).rejects.toThrow(/^b has 1 bytes/);
    expect(await readFile(join(dir, "b"), "utf8")).toBe("c");
  });
});
