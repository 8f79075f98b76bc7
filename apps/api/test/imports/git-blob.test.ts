import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { checkedAsGitBlob } from "../../src/imports/published/git-blob.ts";
import { publishedBlob, publishedDatasets } from "../../src/imports/published/published-datasets.ts";

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function passed(id: string, ...texts: string[]): Promise<string> {
  const bytes = Buffer.byteLength(texts.join(""));
  const parts: Uint8Array[] = [];
  for await (const part of checkedAsGitBlob(pieces(...texts), { name: "a.txt", bytes, id })) parts.push(part);
  return Buffer.concat(parts).toString();
}

const idByGit = (text: string) => execFileSync("git", ["hash-object", "--stdin"], { input: text }).toString().trim();

describe("the object id of a published file", () => {
  it("is what git itself calls the content, in whatever pieces it comes", async () => {
    expect(await passed(idByGit("a\tr\tb\n"), "a\tr", "\tb\n")).toBe("a\tr\tb\n");
    expect(await passed(idByGit("größe\n"), "größe\n")).toBe("größe\n");
  });

  it("is refused for other content behind its last piece, with both ids", async () => {
    const id = idByGit("a\tr\tb\n");
    await expect(passed(id, "a\tr\tc\n")).rejects.toMatchObject({
      problem: { code: "IMPORT_CHECKSUM", file: "a.txt", detail: expect.stringContaining(idByGit("a\tr\tc\n")) },
    });
  });

  it("is known for every file that lies in a repository, and for no other", () => {
    const files = publishedDatasets.flatMap(({ name, files }) =>
      files.map((file, i) => ({ ...file, found: publishedBlob(name, i) })),
    );
    for (const { url, gitBlob, found } of files) {
      expect(found).toBe(gitBlob);
      if (/github/.test(new URL(url).host)) expect(gitBlob).toMatch(/^[0-9a-f]{40}$/);
      else expect(gitBlob).toBeNull();
    }
    expect(new Set(files.map(({ gitBlob }) => gitBlob)).size).toBe(3 * 8 + 4 + 3 + 1);
    expect(publishedBlob(null, 0)).toBeNull();
  });
});
