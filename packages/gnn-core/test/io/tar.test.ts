import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { tarMember } from "../../../../test/files/tar-files.ts";
import { GnnError } from "../../src/errors/gnn-error.ts";
import type { ArchiveMember } from "../../src/io/archives/archive.ts";
import { openTar } from "../../src/io/archives/open-tar.ts";
import { defaultReadingLimits, type ReadingLimits } from "../../src/spec/index.ts";
import { temporaryDir } from "../support/run-step.ts";

const contents: Readonly<Record<string, Buffer>> = {
  "empty.csv": Buffer.alloc(0),
  "edges.csv": Buffer.from("src,dst\n1,2\n"),
  "block.bin": Buffer.alloc(512, 7),
  "larger.bin": Buffer.from(Array.from({ length: 3_000_001 }, (_, i) => i % 251)),
  "folder/рёбра.csv": Buffer.from("a,b\n"),
};
const long = `${"folder-of-a-long-name/".repeat(9)}nodes.csv`;

/** What the system's tar makes of the files in a format. */
async function packed(format: string, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const dir = await temporaryDir("tar");
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(dir, "in", name)), { recursive: true });
    await writeFile(join(dir, "in", name), bytes);
  }
  const path = join(dir, "g.tar");
  execFileSync("tar", [`--format=${format}`, "-C", join(dir, "in"), "-cf", path, "."]);
  return path;
}

async function bytesOf(member: ArchiveMember): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of member.read()) pieces.push(piece);
  return Buffer.concat(pieces);
}

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const digests = (files: Readonly<Record<string, Buffer>>) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, digest(bytes)]));

async function unpacked(path: string): Promise<Record<string, string>> {
  const archive = await openTar({ name: "g.tar", path }, defaultReadingLimits);
  const found: Record<string, string> = {};
  // Not in their order: those of a packed archive are found all the same.
  for (const member of archive.members.toReversed()) found[member.name] = digest(await bytesOf(member));
  archive.close();
  return found;
}

async function written(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(await temporaryDir("tar"), name);
  await writeFile(path, bytes);
  return path;
}

describe("what tar packs", () => {
  it.each([
    ["v7", contents],
    ["ustar", { ...contents, [long]: Buffer.from("id\n") }],
    ["gnu", { ...contents, [long]: Buffer.from("id\n") }],
    ["posix", { ...contents, [long]: Buffer.from("id\n") }],
  ])("is read in the format %s, plain and packed, whatever is read first", async (format, files) => {
    const path = await packed(format, files);
    expect(await unpacked(path)).toEqual(digests(files));
    expect(await unpacked(await written("g.tar.gz", gzipSync(await readFile(path))))).toEqual(digests(files));
  });

  it("is refused or whole, wherever it is cut off", async () => {
    const whole = Buffer.concat([
      tarMember({ name: "a.csv", content: "1,2\n" }),
      tarMember({ name: "b.csv", content: Buffer.alloc(700, 0x30) }),
      Buffer.alloc(1024),
    ]);
    for (let length = 1; length <= whole.length; length += 73) {
      const path = await written("g.tar", whole.subarray(0, length));
      const reading = openTar({ name: "g.tar", path }, defaultReadingLimits).then((archive) => {
        archive.close();
        return archive.members.length;
      });
      const found = await reading.catch((error: { code: string }) => error.code);
      expect([2, "DATASET_FORMAT_INVALID"]).toContain(found);
      // Blocks of zeros behind the last member: one is enough, as it is for GNU tar.
      expect(found === 2).toBe(length >= 512 + 512 + 512 + 1024 + 512);
    }
  });

  it("is held against the limits while it is unpacked, though a member's header says little or much", async () => {
    const zeros = gzipSync(
      Buffer.concat([tarMember({ name: "a.csv", content: Buffer.alloc(2 ** 22) }), Buffer.alloc(1024)]),
    );
    const path = await written("g.tar.gz", zeros);
    const limits: ReadingLimits = { ...defaultReadingLimits, unpackedBytes: { most: 2 ** 20, setting: "MOST" } };
    await expect(openTar({ name: "g.tar.gz", path }, limits)).rejects.toMatchObject({
      code: "DATASET_LIMIT_EXCEEDED",
      message: expect.stringMatching(/unpacks to \d+ bytes or more; the limit is 1048576 \(MOST\)/),
    });
  });

  it("ends when whoever waits has enough", async () => {
    const path = await packed("gnu", contents);
    const late = () => {
      throw new GnnError("CANCELLED", "late");
    };
    await expect(openTar({ name: "g.tar", path }, defaultReadingLimits, late)).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });

  it("says of zstd what to do", async () => {
    const path = await written("g.tar.zst", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0]));
    await expect(openTar({ name: "g.tar.zst", path }, defaultReadingLimits)).rejects.toThrow(/zstd -dc g\.tar\.zst/);
  });
});
