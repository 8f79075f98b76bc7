import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordBoot } from "../src/boot-record.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "hw-boot-"));
  mkdirSync(join(dir, "worker"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test("each boot learns of the one before it in the folder", async () => {
  expect(await recordBoot(join(dir, "worker"), "one")).toBeNull();
  expect(await recordBoot(join(dir, "worker"), "two")).toBe("one");
  expect(await recordBoot(join(dir, "worker"), "three")).toBe("two");
});

test("a copy of the folder tells of no boot, as that may be alive", async () => {
  await recordBoot(join(dir, "worker"), "one");
  cpSync(join(dir, "worker"), join(dir, "copy"), { recursive: true });
  expect(await recordBoot(join(dir, "copy"), "two")).toBeNull();
  expect(await recordBoot(join(dir, "copy"), "three")).toBe("two");
});

test("a note that cannot be read is none", async () => {
  writeFileSync(join(dir, "worker", "boot.json"), "{");
  expect(await recordBoot(join(dir, "worker"), "one")).toBeNull();
});
