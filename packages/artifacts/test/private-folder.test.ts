import { chmod, link, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keepPrivate } from "../src/index.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-private-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const modeOf = async (...path: string[]) => (await stat(join(dir, ...path))).mode & 0o777;

it("makes a folder that is its owner's alone, with the folders above it", async () => {
  expect(await keepPrivate(join(dir, "a", "b"))).toBe(false);
  expect([await modeOf("a"), await modeOf("a", "b")]).toEqual([0o700, 0o700]);
});

it("takes everybody else's rights from all that is in a folder, and leaves the owner's as they are", async () => {
  await mkdir(join(dir, "data", "deep"), { recursive: true });
  const modes = { rows: 0o644, blob: 0o444, program: 0o755, "deep/shared": 0o666 };
  for (const [name, mode] of Object.entries(modes)) {
    await writeFile(join(dir, "data", name), "x");
    await chmod(join(dir, "data", name), mode);
  }
  await chmod(join(dir, "data", "deep"), 0o775);
  await chmod(join(dir, "data"), 0o755);
  expect(await keepPrivate(join(dir, "data"))).toBe(true);
  for (const [name, mode] of Object.entries(modes)) expect(await modeOf("data", name), name).toBe(mode & 0o700);
  expect([await modeOf("data"), await modeOf("data", "deep")]).toEqual([0o700, 0o700]);
  expect(await keepPrivate(join(dir, "data"))).toBe(false);
});

it("follows no link out of the folder, and goes on where an earlier mending was cut short", async () => {
  await writeFile(join(dir, "outside"), "x", { mode: 0o644 });
  await mkdir(join(dir, "data"), { mode: 0o755 });
  await symlink(join(dir, "outside"), join(dir, "data", "link"));
  await writeFile(join(dir, "data", "left"), "x", { mode: 0o644 });
  await link(join(dir, "data", "left"), join(dir, "data", "again"));
  await keepPrivate(join(dir, "data"));
  expect(await modeOf("outside")).toBe(0o644);
  expect(await modeOf("data", "left")).toBe(0o600);
  expect((await readdir(join(dir, "data"))).toSorted()).toEqual(["again", "left", "link"]);
});
