import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { cells, workbook } from "../../../../test/files/excel-files.ts";
import { formatNpyHeader } from "../../src/io/npy-header.ts";
import { defaultReadingLimits, type ReadingLimits } from "../../src/spec/index.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { copyAs } from "../support/duckdb.ts";
import { constantParquet, nestedFooter, nestedParquet } from "../support/parquet-bytes.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const lowered = (limits: Partial<Record<keyof ReadingLimits, number>>): ReadingLimits => ({
  ...defaultReadingLimits,
  ...Object.fromEntries(Object.entries(limits).map(([name, most]) => [name, { most, setting: `SET_${name}` }])),
});

async function preview(files: Record<string, string | Uint8Array>, limits = defaultReadingLimits) {
  return runStep(mapStep, { files: await filesArtifact(files) }, {}, { limits });
}

async function ingest(files: Record<string, string | Uint8Array>, spec: unknown, limits = defaultReadingLimits) {
  return runStep(ingestStep, { files: await filesArtifact(files) }, spec, { limits });
}

const over = (file: string, says: RegExp) => ({
  code: "DATASET_LIMIT_EXCEEDED",
  place: { file },
  message: expect.stringMatching(says),
});
const refused = (file: string, says: RegExp) => ({
  code: "DATASET_FORMAT_INVALID",
  place: { file },
  message: expect.stringMatching(says),
});
/** Files that cannot be read are shown with their problem, beside the others. */
const shownAs = (code: string, says: RegExp) => ({
  manifest: { info: { files: [{ problem: { code, detail: expect.stringMatching(says) } }], proposed: null } },
});

const edges = { edges: { files: ["edges.csv"], src: "src", dst: "dst" } };
const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
/** Repeats much, as bombs do. */
const zeros = (bytes: number) => new Uint8Array(bytes).fill(0x30);

describe("small files that are large inside", () => {
  it("refuses 400 million rows in 231 bytes of Parquet, in the preview and in the ingest", async () => {
    const file = constantParquet(["src", "dst"], 400_000_000);
    expect(file.length).toBeLessThan(1000);
    const says = /its 231 bytes unpack to 6400000000 or more, .* the limit is 200 \(limits\.expansion\)/;
    await expect(preview({ "e.parquet": file })).rejects.toMatchObject(over("e.parquet", says));
    const spec = { edges: { files: ["e.parquet"], src: "src", dst: "dst" } };
    await expect(ingest({ "e.parquet": file }, spec)).rejects.toMatchObject(over("e.parquet", says));
  });

  it("reads a Parquet file that is as large as it says", async () => {
    const { manifest } = await preview({ "e.parquet": constantParquet(["src", "dst"], 5) });
    expect(manifest.info).toMatchObject({
      files: [{ numRowsSampled: 5, rows: Array.from({ length: 5 }, () => ["7", "7"]) }],
    });
  });

  it.each([
    ["wide.csv", `${names(25_000).join()}\n`],
    ["wide.txt", `${names(25_000).join(" ")}\n`],
    ["wide.parquet", constantParquet(names(25_000), 3)],
    [
      "wide.json",
      JSON.stringify({
        links: [[1, 1]],
        nodes: [Object.fromEntries([["id", 1], ...names(24_999).map((name) => [name, 1])])],
      }),
    ],
    ["wide.jsonl", `{}\n${JSON.stringify(Object.fromEntries(names(25_000).map((name) => [name, 1])))}\n`],
  ])("refuses 25,000 columns (%s)", async (name, file) => {
    // Readers that find columns row by row stop at the first too many.
    const says = /it has (25000|10001) columns; the limit is 10000 \(limits\.columns\)/;
    await expect(preview({ [name]: file })).rejects.toMatchObject(over(name, says));
  });

  it("refuses a Parquet schema that nests so deep that a reader would overflow its stack", async () => {
    const previewing = preview({ "deep.parquet": nestedParquet(100_000) });
    await expect(previewing).resolves.toMatchObject(
      shownAs("DATASET_FORMAT_INVALID", /nested 100000 levels deep; at most 16/),
    );
  });

  it("takes JSON that nests without end for a value, and reads the rest", async () => {
    const deep = `{"src": 1, "dst": 2, "deep": ${"[".repeat(60_000)}${"]".repeat(60_000)}}`;
    const { manifest } = await preview({ "deep.jsonl": `{"src": 1, "dst": 2}\n${deep}\n` });
    expect(manifest.info).toMatchObject({ files: [{ columns: [{ name: "src" }, { name: "dst" }, { name: "deep" }] }] });
  });

  it("refuses XML that nests without end", async () => {
    const previewing = preview({ "deep.graphml": `<graphml>${"<a>".repeat(100_000)}` });
    await expect(previewing).resolves.toMatchObject(
      shownAs("DATASET_FORMAT_INVALID", /elements lie more than 256 deep/),
    );
  });

  it.each(["far.net", "far.graphml", "far.gml", "far.cyjs"])(
    "holds no text without end of a graph file (%s)",
    async (name) => {
      const beginnings = { net: "*Vertices 1\n", graphml: '<graphml a="', gml: 'graph [ a "', cyjs: '{"nodes": ["' };
      const begun = beginnings[name.slice(4) as keyof typeof beginnings];
      const previewing = preview({ [name]: gzipSync(begun + "x".repeat(150_000_000)) });
      const says = /found no node and no edge within 134217728 characters|does not end within a million characters/;
      await expect(previewing).resolves.toMatchObject(shownAs("DATASET_FORMAT_INVALID", says));
    },
  );

  it("holds no more rows of a graph file in memory than the limit", async () => {
    const nodes = Array.from({ length: 2000 }, (_, id) => ({ id, name: "n".repeat(300) }));
    const limits = lowered({ memoryBytes: 1_000_000 });
    const says = /its rows need more bytes of memory than they may have; the limit is 1000000/;
    const previewing = preview({ "g.json": JSON.stringify({ links: [[0, 1]], nodes }) }, limits);
    await expect(previewing).rejects.toMatchObject(over("g.json", says));
  });

  it("refuses a workbook that is small outside, and one whose texts need more memory than the limit", async () => {
    const sheet = cells(["src", "dst"], ...Array.from({ length: 100_000 }, () => [1, 2]));
    const book = workbook({ sheets: { a: sheet } });
    expect(book.length).toBeLessThan(40_000);
    const small = lowered({ unpackedBytes: 1_000_000 });
    await expect(preview({ "book.xlsx": book }, small)).rejects.toMatchObject(over("book.xlsx", /it unpacks to/));
    const limits = lowered({ memoryBytes: 1_000_000 });
    const says = /its rows need more bytes of memory than they may have; the limit is 1000000/;
    await expect(preview({ "book.xlsx": book }, limits)).rejects.toMatchObject(over("book.xlsx", says));
    const texts = workbook({ sheets: { a: "" }, texts: `<si><t>${"x".repeat(600_000)}</t></si>` });
    const saysTexts = /its texts need more bytes of memory/;
    await expect(preview({ "book.xlsx": texts }, limits)).rejects.toMatchObject(over("book.xlsx", saysTexts));
  });

  it("refuses Parquet metadata that nest without end", async () => {
    const previewing = preview({ "deep.parquet": nestedFooter(1_000_000) });
    await expect(previewing).resolves.toMatchObject(shownAs("DATASET_FORMAT_INVALID", /not a whole Parquet file/));
  });

  it.each([
    ["rows.csv.gz", async () => gzipSync(zeros(2_000_000))],
    ["rows.txt.gz", async () => gzipSync(zeros(2_000_000))],
    ["rows.jsonl.gz", async () => gzipSync('{"src":1,"dst":2}\n'.repeat(100_000))],
    ["rows.graphml.gz", async () => gzipSync(`<graphml><graph>${'<node id="1"/>'.repeat(100_000)}</graph></graphml>`)],
    ["rows.csv.zst", async () => readFile(await copyAs("csv.zst", "SELECT 1 AS a, 2 AS b FROM range(500000)"))],
  ])("unpacks no more than the limit (%s)", async (name, make) => {
    const says = /it unpacks to \d+ bytes or more; the limit is 1000000 \(SET_unpackedBytes\)/;
    const limits = lowered({ unpackedBytes: 1_000_000 });
    await expect(preview({ [name]: await make() }, limits)).rejects.toMatchObject(over(name, says));
  });

  it("unpacks no file to far more than its own size", async () => {
    const previewing = preview({ "rows.csv.gz": gzipSync(zeros(300_000_000)) });
    await expect(previewing).rejects.toMatchObject(over("rows.csv.gz", /times as many; the limit is 200/));
  });

  it.each([
    ["one file", () => ({ "edges.csv": zeros(300_000_000) }), /times as many; the limit is 200 \(limits\.expansion\)/],
    [
      "many files",
      () => Object.fromEntries(names(257).map((name) => [name, zeros(1)])),
      /it has 257 members; at most 256/,
    ],
  ])("unpacks no zip archive that is a bomb by %s", async (_title, members, says) => {
    const bomb = zipSync(members(), { level: 9 });
    expect(bomb.length).toBeLessThan(400_000);
    const ingesting = ingest({ "g.zip": bomb }, { edges: { files: ["g.zip/edges.csv"], src: "a", dst: "b" } });
    const found = { place: { file: "g.zip" }, message: expect.stringMatching(says) };
    await expect(ingesting).rejects.toMatchObject(found);
    const previewing = preview({ "g.zip": bomb });
    if (says.source.includes("expansion")) await expect(previewing).rejects.toMatchObject(found);
    else await expect(previewing).resolves.toMatchObject(shownAs("DATASET_FORMAT_INVALID", says));
  });

  it("does not believe a zip archive that says it is smaller than it is", async () => {
    const bomb = Buffer.from(zipSync({ "edges.csv": zeros(50_000_000) }));
    bomb.writeUInt32LE(100, bomb.lastIndexOf("PK\x01\x02", undefined, "latin1") + 24);
    const ingesting = ingest({ "g.zip": bomb }, { edges: { files: ["g.zip/edges.csv"], src: "a", dst: "b" } });
    await expect(ingesting).rejects.toMatchObject(refused("g.zip/edges.csv", /cut off or damaged \(too many bytes/));
  });

  it("shows no more tables than somebody could look through", async () => {
    const packed = (count: number) =>
      zipSync(Object.fromEntries(names(count).map((name) => [`${name}.csv`, Buffer.from("src,dst\n1,2\n")])));
    const previewing = preview({ "a.zip": packed(2), "b.zip": packed(255) });
    await expect(previewing).rejects.toMatchObject(over("b.zip", /more than 256 tables/));
  });

  it("ends an ingest that unpacks for longer than the seconds allowed", async () => {
    const files = { "g.zip": zipSync({ "edges.csv": Buffer.from("src,dst\n1,2\n") }) };
    const spec = { edges: { files: ["g.zip/edges.csv"], src: "src", dst: "dst" } };
    const ingesting = ingest(files, spec, lowered({ ingestSeconds: 0.000_001 }));
    await expect(ingesting).rejects.toMatchObject(over("g.zip/edges.csv", /seconds .* are over/));
  });

  it("counts the rows of text as they come", async () => {
    const files = { "edges.csv": `src,dst\n${"1,2\n".repeat(5000)}` };
    const says = /it has \d+ rows or more; the limit is 1000 \(SET_rows\)/;
    await expect(ingest(files, edges, lowered({ rows: 1000 }))).rejects.toMatchObject(over("edges.csv", says));
    const texts = { "edges.csv": `src,dst\n${"a,b\n".repeat(5000)}` };
    await expect(ingest(texts, edges, lowered({ rows: 1000 }))).rejects.toMatchObject(over("edges.csv", says));
  });

  it("holds no cell that is larger than the memory a reader may have", async () => {
    const file = await readFile(await copyAs("parquet", "SELECT repeat('x', 60000000) AS src, 1 AS dst"));
    const previewing = preview({ "e.parquet": file }, lowered({ memoryBytes: 50_000_000 }));
    await expect(previewing).rejects.toMatchObject(over("e.parquet", /bytes of memory .*\(SET_memoryBytes\)/));
  });

  it("ends a preview that takes longer than the seconds allowed, with the file it was at", async () => {
    const files = { "a.csv": "src,dst\n", "b.csv": "src,dst\n1,2\n" };
    const previewing = preview(files, lowered({ previewSeconds: 0.001 }));
    await expect(previewing).rejects.toMatchObject(over("a.csv", /seconds .* are over .*; the limit is 0\.001/));
  });

  it("ends an ingest that takes longer than the seconds allowed, with the file it was at", async () => {
    const files = { "edges.csv": "src,dst\n1,2\n" };
    const says = /seconds .* are over .*\(SET_ingestSeconds\)/;
    await expect(ingest(files, edges, lowered({ ingestSeconds: 0.001 }))).rejects.toMatchObject(
      over("edges.csv", says),
    );
  });

  it("says that a line has no end instead of holding all of it", async () => {
    const previewing = preview({ "e.txt": zeros(4_000_000) });
    await expect(previewing).resolves.toMatchObject(
      shownAs("DATASET_FORMAT_INVALID", /the first line does not end within 256 KiB/),
    );
  });
});

describe("matrices of features that are large inside", () => {
  const nodes = { files: ["nodes.csv"], id: "id", features: { file: "x.npz" } };
  const withMatrix = (matrix: Uint8Array) => ({
    "edges.csv": "src,dst\n1,2\n",
    "nodes.csv": "id\n1\n2\n",
    "x.npz": matrix,
  });
  const npy = (descr: string, shape: string, length: number) => {
    const dict = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }\n`;
    const head = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, dict.length & 255, dict.length >> 8]);
    return Buffer.concat([head, Buffer.from(dict), new Uint8Array(length)]);
  };

  it("refuses an .npz before it unpacks it", async () => {
    const matrix = zipSync({ "data.npy": npy("<f4", "500000,", 2_000_000) });
    const limits = lowered({ unpackedBytes: 1_000_000 });
    const says = /it unpacks to 2\d+ bytes or more; the limit is 1000000 \(SET_unpackedBytes\)/;
    await expect(ingest(withMatrix(matrix), { ...edges, nodes }, limits)).rejects.toMatchObject(over("x.npz", says));
  });

  it("walks no zip that says it has millions of members", async () => {
    const matrix = Buffer.concat([zipSync({ "other.npy": npy("<f4", "1,", 4) })]);
    const end = matrix.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
    matrix.writeUInt16LE(65_534, end + 8);
    matrix.writeUInt16LE(65_534, end + 10);
    const says = /more than 64 members|not a whole \.npz/;
    await expect(ingest(withMatrix(matrix), { ...edges, nodes })).rejects.toMatchObject(refused("x.npz", says));
  });

  it("refuses rows of a length that no array has", async () => {
    const files = { "edges.csv": "src,dst\n1,2\n", "nodes.csv": "id\n", "x.npz": npy("<f4", "0, 9007199254740991", 0) };
    const spec = { ...edges, nodes, missingNodes: "add" };
    await expect(ingest(files, spec)).rejects.toMatchObject(over("x.npz", /9007199254740991 columns/));
    const endless = { ...files, "x.npz": npy("<f4", `0, 1${"0".repeat(300)}`, 0) };
    await expect(ingest(endless, spec)).rejects.toMatchObject(refused("x.npz", /shape \(0, 1000/));
  });

  it("reads no header that is longer than any of numpy's", async () => {
    const long = Buffer.concat([npy("<f4", "1,", 0), new Uint8Array(200_000)]);
    long[6] = 2;
    long.writeUInt32LE(150_000, 8);
    const matrix = zipSync({ "format.npy": long });
    await expect(ingest(withMatrix(matrix), { ...edges, nodes })).rejects.toMatchObject(
      refused("x.npz", /a header of 150000 bytes/),
    );
  });

  it("reads the matrix of an operator's choice of limits", async () => {
    const matrix = Buffer.concat([formatNpyHeader("float32", [2, 3]), new Uint8Array(24)]);
    const spec = { ...edges, nodes };
    const { manifest } = await ingest(withMatrix(matrix), spec, lowered({ columns: 3 }));
    expect(manifest.info).toMatchObject({ features: { kind: "dense", dim: 3 } });
    await expect(ingest(withMatrix(matrix), spec, lowered({ columns: 2 }))).rejects.toMatchObject(
      over("x.npz", /it has 3 columns; the limit is 2 \(SET_columns\)/),
    );
  });
});
