import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fileKindOf } from "../../../../packages/gnn-core/src/io/file-kind.ts";
import { fileObjection } from "../../src/services/file-objection.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "hopwise-file-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const zip = (member: string) => `PK\x03\x04${"\0".repeat(22)}${String.fromCharCode(member.length)}\0\0\0${member}`;

test.each([
  ["a picture", "\x89PNG\r\n\x1a\n"],
  ["a photograph", "\xff\xd8\xff\xe0"],
  ["a PDF document", "%PDF-1.7"],
  ["a workbook", zip("[Content_Types].xml")],
  ["a sheet of LibreOffice", `${zip("mimetype")}application/vnd.oasis.opendocument.spreadsheet`],
  ["a zip archive of tables", zip("edges.csv")],
  ["a pickle", "\x80\x05\x95"],
  ["an xz file", "\xfd7zXZ\0"],
  ["a CSV file", "src,dst\na,b\n"],
  ["text in another encoding", "src,dst\n\xe4,\xf6\n"],
  ["a Parquet file", "PAR1\0\0"],
  ["a numpy array", "\x93NUMPY\x01\0"],
  ["a numpy archive", zip("arr_0.npy")],
  ["a gzipped file", "\x1f\x8b\x08\0"],
])("%s is refused here exactly when the engine knows it for something that no reader takes", async (name, text) => {
  const bytes = Buffer.from(text, "latin1");
  const path = join(dir, name.replaceAll(" ", "-"));
  await writeFile(path, bytes);
  const { kind } = await fileKindOf(path);
  const objection = await fileObjection(new File([bytes], "any name"));
  expect(objection !== null).toBe(kind === "foreign");
  if (objection !== null) expect(objection).toMatch(/^No reader takes it: it is .*\.$/);
});

test("an empty file is refused by its size", async () => {
  expect(await fileObjection(new File([], "edges.csv"))).toBe("The file is empty.");
});
