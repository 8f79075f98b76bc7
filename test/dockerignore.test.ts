import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { dockerignore } from "./support/dockerignore.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

describe("the rules of .dockerignore", () => {
  // Taken from the table of tests of moby/patternmatcher
  it.each([
    ["**", "file", true],
    ["**", "dir/file", true],
    ["**/", "dir/file", true],
    ["**/file", "file", true],
    ["**/file", "dir/dir/file", true],
    ["**/file", "dir/dir/file.txt", false],
    ["**/file*", "dir/dir/file.txt", true],
    ["**/*.txt", "dir/dir/file.txt", true],
    ["**/**/*.txt2", "dir/dir/file.txt", false],
    ["a**/*.txt", "a/file.txt", true],
    ["a**/*.txt", "a/dir/dir/file.txt", true],
    ["a/*.txt", "a/dir/file.txt", false],
    ["a/*.txt", "a/file.txt", true],
    ["a/*.txt**", "a/file.txt", true],
    [".*", ".foo", true],
    [".*", "foo", false],
    ["abc.def", "abcdef", false],
    ["abc?def", "abcZdef", true],
    ["abc?def", "abcdef", false],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["[a-z]x", "bx", true],
    ["/foo", "foo", true],
    ["foo", "bar/foo", false],
    ["foo/", "foo/bar", true],
    ["docs\n!docs/README.md", "docs/README.md", false],
    ["docs\n!docs/README.md", "docs/other.md", true],
    ["!docs/README.md\ndocs", "docs/README.md", true],
    ["# docs", "docs", false],
  ])("%j has %s out: %s", (text, path, isOut) => {
    expect(dockerignore(text)(path)).toBe(isOut);
  });
});

describe("the .dockerignore of the repository", () => {
  const isIgnored = dockerignore(readFileSync(`${root}.dockerignore`, "utf8"));

  it("lets every tracked file into the build", () => {
    const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
      .split("\0")
      .filter(Boolean);
    expect(tracked).toContain("packages/gnn-core/src/dist/gloo.ts");
    expect(tracked.filter(isIgnored)).toEqual([]);
  });

  test.each([
    "node_modules/zod/package.json",
    "apps/web/node_modules/.vite/x",
    "apps/api/dist/server.js",
    "apps/api/src/generated/prisma/client.ts",
    "packages/gnn-core/dist/dist/gloo.js",
    "packages/gnn-core/build/hopwise.node",
    "packages/gnn-core/.turbo/x.log",
    ".git/config",
    ".hopwise/secrets/admin-api-key",
  ])("leaves out %s, which a build makes or which is nobody's business", (path) => {
    expect(isIgnored(path)).toBe(true);
  });
});
