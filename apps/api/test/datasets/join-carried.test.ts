import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalArtifactStore } from "@hopwise/artifacts";
import { datasetSpec } from "@hopwise/contracts";
import { beforeAll, describe, expect, it } from "vitest";
import { numbered } from "../../src/datasets/added-version.ts";
import { type CarriedFile, isReadInARun, joinCarried, withoutFiles } from "../../src/datasets/join-carried.ts";

const edges = (...files: string[]) => datasetSpec.parse({ version: 1, edges: { files, src: "src", dst: "dst" } });

function carried(name: string, number: number, change: Partial<CarriedFile> = {}): CarriedFile {
  const blobKey = `old/files/${number}`;
  return { name, blobKey, bytes: 10n, sha256: "", source: null, importId: "imp", carriedFrom: 1, ...change };
}

let store: LocalArtifactStore;
beforeAll(async () => {
  store = await LocalArtifactStore.open(await mkdtemp(join(tmpdir(), "hopwise-joined-")));
});

const nights = [carried("a.jsonl", 0), carried(numbered("a.jsonl", 7), 1), carried(numbered("a.jsonl", "7-2"), 2)];
const names = nights.map(({ name }) => name);

describe("files that are read one after the other", () => {
  it("can be one only where a spec names them together, in their order, in every list", () => {
    expect(isReadInARun(edges("x.csv", ...names, "y.csv"), names)).toBe(true);
    expect(isReadInARun(edges("a.jsonl", "a-7-2.jsonl", "a-7.jsonl"), names)).toBe(false);
    expect(isReadInARun(edges("a.jsonl", "x.jsonl", "a-7.jsonl", "a-7-2.jsonl"), names)).toBe(false);
    expect(isReadInARun({ ...edges(...names), features: { file: "a-7.jsonl" } }, names)).toBe(false);
    const splits = { splitFiles: { train: names, test: ["a-7.jsonl"] } };
    expect(isReadInARun(splits, names)).toBe(false);
  });

  it("leave the first in the spec, with the rows of all", () => {
    expect(withoutFiles(edges("x.csv", ...names), new Set(names.slice(1)))).toEqual(edges("x.csv", "a.jsonl"));
  });
});

it("files of one name become one, under the first's name and number, and each is stored once", async () => {
  const files: CarriedFile[] = [];
  for (const [i, file] of nights.entries()) {
    const line = Buffer.from(`{"night":${i}}${i === 1 ? "\n" : ""}`);
    files.push({ ...file, sha256: (await store.put(file.blobKey, line)).sha256 });
  }
  const other = carried("b.csv", 3);
  const plan = { store, spec: edges(...names, "b.csv"), prefix: "new", maxBytes: 100 };
  const [one, ...others] = await joinCarried(plan, [...files, other]);
  expect(others).toEqual([other]);
  expect(one).toMatchObject({ name: "a.jsonl", blobKey: "new/files/0", importId: "imp", carriedFrom: 1 });
  expect(await text(await store.get("new/files/0"))).toBe('{"night":0}\n{"night":1}\n{"night":2}\n');
  expect(await store.stat("new/files/0")).toMatchObject({ bytes: Number(one?.bytes) });
  expect(await store.stat("new/files/1")).toBeNull();
});

describe("files of a version that stay as they are", () => {
  it.each([
    ["uploaded by hand", nights.map((file) => ({ ...file, importId: null })), names],
    ["of another form", nights.map((file) => ({ ...file, name: file.name.replace("jsonl", "csv") })), names],
    ["of another name", nights.map((file, i) => ({ ...file, name: `a${i}.jsonl` })), ["a0.jsonl", "a1.jsonl"]],
    ["read in another order", nights, names.toReversed()],
    ["too large together", nights.map((file) => ({ ...file, bytes: 90n })), names],
  ])("%s", async (_, files, listed) => {
    const plan = { store, spec: edges(...listed), prefix: "other", maxBytes: 100 };
    expect(await joinCarried(plan, files)).toEqual(files);
  });
});
