import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFileWithDigest } from "../../src/node/open-file.ts";

const mib = 1024 ** 2;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hw-open-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A file of zeros, which takes no room on a disk. */
async function sparse(bytes: number): Promise<string> {
  const path = join(folder, `zeros-${bytes}`);
  const file = await open(path, "w");
  await file.truncate(bytes);
  await file.close();
  return path;
}

describe("a file with its digest", () => {
  it("has that of sha256sum, and what is read is told on the way", async () => {
    const path = await sparse(150 * mib);
    const told: [number, number][] = [];
    const { sha256, size } = await openFileWithDigest(path, { onProgress: (...so) => told.push(so) });
    expect(sha256).toBe(execFileSync("sha256sum", [path]).toString().slice(0, 64));
    expect(size).toBe(150 * mib);
    expect(told).toEqual([
      [64 * mib, 150 * mib],
      [128 * mib, 150 * mib],
    ]);
  });

  it("may be empty", async () => {
    const path = join(folder, "empty");
    await writeFile(path, "");
    expect((await openFileWithDigest(path)).sha256).toMatch(/^e3b0c44298fc1c149afbf4c8996fb924/);
  });

  it("is no longer read once nobody wants it", async () => {
    const stop = new AbortController();
    const reading = { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) };
    await expect(openFileWithDigest(await sparse(200 * mib), reading)).rejects.toThrow("enough");
  });
});
