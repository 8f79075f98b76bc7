import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const kinds = ["*.ts", "*.tsx", "*.mts", "*.mjs", "*.cc", "*.cu", "*.h"];
const files = execFileSync("git", ["ls-files", ...kinds], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !file.includes("generated"));

/** Lines that are nothing but comment, as `file:line text`. */
const comments = files.flatMap((file) =>
  readFileSync(root + file, "utf8")
    .split("\n")
    .flatMap((text, i) => (/^\s*(\/\/|\/\*\*|\*)\s/.test(text) ? [{ at: `${file}:${i + 1}`, text }] : [])),
);

test("comments have at most 120 columns", () => {
  expect(comments.filter(({ text }) => text.length > 120).map(({ at }) => at)).toEqual([]);
});

test("native code has at most 120 columns", () => {
  const native = files.filter((file) => /\.(cc|cu|h)$/.test(file));
  const long = native.flatMap((file) => {
    const lines = readFileSync(root + file, "utf8").split("\n");
    return lines.flatMap((text, i) => (text.length > 120 ? [`${file}:${i + 1}`] : []));
  });
  expect(long).toEqual([]);
});

test("nothing is called `of`, which says nothing of what it holds", () => {
  const typescript = files.filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file) && file !== "test/comments.test.ts");
  const named = typescript.filter((file) => /\b(?:const|let) of\b/.test(readFileSync(root + file, "utf8")));
  expect(named).toEqual([]);
});

test("comments begin as sentences do, not with what they would go on from", () => {
  // A line inside of a block may begin with any word: only the first one is looked at.
  const opening = /^\s*(\/\*\*|\/\/) (Of (?!course)|Likewise|The same\b|As for )/;
  const first = comments.filter(({ text }, i) => !/^\s*\/\//.test(text) || !isBehindComment(i));
  expect(first.filter(({ text }) => opening.test(text)).map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([]);
});

test("texts for readers begin as sentences do", () => {
  const opening = /["'`>](Of (?!course)[\w$]|Likewise\b)/;
  const typescript = files.filter((file) => /\/src\/.*\.tsx?$/.test(file));
  const begun = typescript.flatMap((file) => {
    const lines = readFileSync(root + file, "utf8").split("\n");
    return lines.flatMap((text, i) => (opening.test(text) ? [`${file}:${i + 1} ${text.trim()}`] : []));
  });
  expect(begun).toEqual([]);
});

/** Whether the comment goes on from the line above. */
function isBehindComment(i: number): boolean {
  const [file, line] = comments[i]!.at.split(":");
  return comments[i - 1]?.at === `${file}:${Number(line) - 1}`;
}
