import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalArtifactStore } from "@hopwise/artifacts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { StoredParts } from "../../src/datasets/stored-parts.ts";

let dir: string;
let store: LocalArtifactStore;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hw-parts-"));
  store = await LocalArtifactStore.open(dir);
});
afterEach(() => rm(dir, { recursive: true }));

const keyOf = (start: number) => `u/${String(start).padStart(16, "0")}`;

async function* once(piece: string) {
  yield Buffer.from(piece);
}

async function textOf(parts: StoredParts): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of parts.read()) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

it("parts of a file are read as one stream, up to the first gap, and what lies behind it is left alone", async () => {
  for (const [start, piece] of [
    [0, "abc"],
    [3, "de"],
    [9, "lost"],
  ] as const)
    await store.put(keyOf(start), Buffer.from(piece));
  const parts = await StoredParts.find(store, "u");
  expect(parts.bytes).toBe(5);
  expect(await textOf(parts)).toBe("abcde");
  expect(await store.stat(keyOf(9))).not.toBeNull();
});

it("of two writers at one place only one succeeds, and the other is told", async () => {
  const [one, other] = [await StoredParts.find(store, "u"), await StoredParts.find(store, "u")];
  await one.appendWhole(once("abc"));
  await expect(other.appendWhole(once("xyz"))).rejects.toMatchObject({ code: "ARTIFACT_EXISTS" });
  expect(await textOf(one)).toBe("abc");
});
