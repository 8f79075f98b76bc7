import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundFolder, fileWithin, newFileWithin } from "../src/mcp/bounded-path.ts";

const dir = realpathSync(mkdtempSync(join(tmpdir(), "hw-bounded-")));
let folder = "";

beforeAll(async () => {
  for (const name of ["data/deep", "data-of-others", "secret"]) mkdirSync(join(dir, name), { recursive: true });
  for (const name of ["data/edges.csv", "data/deep/nodes.csv", "data-of-others/x.csv", "secret/key"])
    writeFileSync(join(dir, name), name);
  symlinkSync(join(dir, "data"), join(dir, "way"));
  symlinkSync(join(dir, "data/edges.csv"), join(dir, "data/alias.csv"));
  symlinkSync(join(dir, "secret/key"), join(dir, "data/key"));
  symlinkSync(join(dir, "secret"), join(dir, "data/out"));
  symlinkSync(join(dir, "nowhere"), join(dir, "data/dangling"));
  folder = await boundFolder(join(dir, "way"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the folder of an assistant's server", () => {
  it("is found behind symbolic links, and has to be there", async () => {
    expect(folder).toBe(join(dir, "data"));
    await expect(boundFolder(join(dir, "none"))).rejects.toMatchObject({ outcome: "usage" });
  });

  it.each([
    ["a name", "edges.csv", "edges.csv"],
    ["a name with turns", "deep/../deep/nodes.csv", "deep/nodes.csv"],
    ["a whole path", () => join(dir, "data/edges.csv"), "edges.csv"],
    ["a whole path by a link to the folder", () => join(dir, "way/edges.csv"), "edges.csv"],
    ["a link that stays within", "alias.csv", "edges.csv"],
  ])("lets files be read that lie in it: %s", async (_, path, found) => {
    expect(await fileWithin(folder, typeof path === "string" ? path : path())).toBe(join(folder, found));
  });

  it.each([
    ["a way up", "../secret/key"],
    ["a whole path", () => join(dir, "secret/key")],
    ["a folder whose name begins alike", "../data-of-others/x.csv"],
    ["a link to a file", "key"],
    ["a link to a folder", "out/key"],
    ["a file that is not there, by a way up", "../secret/none"],
    ["a file that is not there, by a link", "out/none/deeper"],
    ["the root", "/"],
  ])("lets nothing be read or written that lies elsewhere: %s", async (_, asked) => {
    const path = typeof asked === "string" ? asked : asked();
    const refusal = { outcome: "notAllowed", message: expect.stringContaining("outside the folder") };
    await expect(fileWithin(folder, path)).rejects.toMatchObject(refusal);
    await expect(newFileWithin(folder, path)).rejects.toMatchObject(refusal);
  });

  it("tells files that are not there from files that may not be read", async () => {
    await expect(fileWithin(folder, "none.csv")).rejects.toMatchObject({ outcome: "usage" });
    await expect(fileWithin(folder, "dangling")).rejects.toMatchObject({ outcome: "usage" });
  });

  it("lets new files be written, in folders that are there", async () => {
    expect(await newFileWithin(folder, "deep/rows.parquet")).toBe(join(folder, "deep/rows.parquet"));
    await expect(newFileWithin(folder, "none/rows.parquet")).rejects.toMatchObject({ outcome: "usage" });
  });
});
