import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const helper = new URL("../moved-build.sh", import.meta.url).pathname;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "moved-build-"));
  const checkout = join(folder, "checkout");
  mkdirSync(checkout);
  writeFileSync(join(checkout, "CMakeLists.txt"), "cmake_minimum_required(VERSION 3.18)\nproject(nothing NONE)\n");
  configure("checkout");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Configures that checkout's build; the helper looks at it first if `before` says so. */
function configure(checkout: string, before = ""): string {
  const command = `${before} cmake -S . -B build`;
  return execFileSync("bash", ["-ec", command], { cwd: join(folder, checkout), encoding: "utf8", stdio: "pipe" });
}

const forgetting = `. ${helper}; forget_moved_build build;`;

test("a checkout that was moved with its build is configured anew", () => {
  renameSync(join(folder, "checkout"), join(folder, "moved"));
  expect(() => configure("moved")).toThrow();
  expect(configure("moved", forgetting)).toContain("Build files have been written");
});

test("a copy of a checkout is configured anew, and what it was copied from is left alone", () => {
  cpSync(join(folder, "checkout"), join(folder, "copy"), { recursive: true });
  expect(() => configure("copy")).toThrow();
  expect(configure("copy", forgetting)).toContain("Build files have been written");
  expect(configure("checkout")).toContain("Build files have been written");
});

test("a build in its own folder, and a folder without one, are kept as they are", () => {
  writeFileSync(join(folder, "checkout/build/CMakeFiles/kept"), "");
  configure("checkout", `${forgetting} test -f build/CMakeFiles/kept;`);
  configure("checkout", `${forgetting} forget_moved_build elsewhere; test ! -e elsewhere;`);
});
