import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idTexts, openNodeIds } from "../../src/export/node-ids.ts";
import { int64At, int64Words } from "../../src/io/int64.ts";
import type { ArtifactDir } from "../../src/io/manifest.ts";
import { readNpy } from "../../src/io/npy.ts";
import { writeNpzCsr } from "../../src/io/npz.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { copyAs } from "../support/duckdb.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const edgesOnly = { edges: { files: ["edges.csv"], src: "src", dst: "dst" } };

async function ingest(contents: Record<string, string | Uint8Array>, spec: unknown): Promise<ArtifactDir> {
  return runStep(ingestStep, { files: await filesArtifact(contents) }, spec);
}

async function idsOf(graph: ArtifactDir): Promise<string[]> {
  const ids = await openNodeIds(graph);
  try {
    return idTexts(await ids.read(0, graph.manifest.info["numNodes"] as number));
  } finally {
    await ids.close();
  }
}

/** Stored edges as `src→dst` by original id, column by column. */
async function edgesOf(graph: ArtifactDir): Promise<string[]> {
  const ids = await idsOf(graph);
  const offsets = int64Words((await readNpy(join(graph.dir, "graph/indptr.npy"), "int64")).values);
  const { values: indices } = await readNpy(join(graph.dir, "graph/indices.npy"), "int32");
  return ids.flatMap((dst, node) =>
    Array.from(indices.subarray(int64At(offsets, node), int64At(offsets, node + 1)), (src) => `${ids[src]}→${dst}`),
  );
}

const floats = async (graph: ArtifactDir, name: string) =>
  Array.from((await readNpy(join(graph.dir, name), "float32")).values);

async function csrFile(): Promise<Uint8Array> {
  const path = join(await mkdtemp(join(tmpdir(), "hopwise-npz-")), "x.npz");
  const indptr = BigInt64Array.from([0n, 1n, 1n, 3n, 4n]);
  const csr = {
    numRows: 4,
    dim: 3,
    indptr,
    indices: Int32Array.from([2, 0, 1, 1]),
    data: Float32Array.from([1, 2, 3, 4]),
  };
  await writeNpzCsr(path, csr);
  return readFile(path);
}

describe("ids", () => {
  it("keeps ids that look like numbers apart, in order of first appearance", async () => {
    const graph = await ingest(
      { "edges.csv": 'src,dst\n007,7\n1e5,100000\n000413E7,🦉\n"Doe, Jane","say ""hi"""\n"two\nlines", 7\n' },
      edgesOnly,
    );
    // Blanks around an id do not count: the last row ends in the node 7.
    const ids = ["007", "7", "1e5", "100000", "000413E7", "🦉", "Doe, Jane", 'say "hi"', "two\nlines"];
    expect(await idsOf(graph)).toEqual(ids);
    expect(graph.manifest.info["idType"]).toBe("string");
  });

  it.each([
    [["0", "7", "-3", "9223372036854775807", "-9223372036854775808"], "int64"],
    [["1", "007"], "string"],
    [["1", "+7"], "string"],
    [["1", "-0"], "string"],
    [["1", "1e5"], "string"],
    [["1", "9223372036854775808"], "string"],
    [["1", "1.0"], "string"],
  ])("stores %j as %s", async (ids, idType) => {
    const rows = ids.slice(1).map((id) => `${ids[0]},${id}\n`);
    const graph = await ingest({ "edges.csv": `src,dst\n${rows.join("")}` }, edgesOnly);
    expect(graph.manifest.info["idType"]).toBe(idType);
    expect(await idsOf(graph)).toEqual(ids);
  });

  it("keeps ids apart that appear after thousands of plain integers, and finds those integers again", async () => {
    const plain = Array.from({ length: 3000 }, (_, i) => `${i},${(i * 7) % 3000}`);
    const odd = ["007,7", "7,07", "9007199254740993,9007199254740992", "-1,1", "+1,1", "1e3,1000", '"8",8', "2999,new"];
    const graph = await ingest({ "edges.csv": ["src,dst", ...plain, ...odd].join("\n") }, edgesOnly);
    const rows = [...plain, ...odd.map((row) => row.replaceAll('"', ""))].map(
      (row) => row.split(",") as [string, string],
    );
    expect(await idsOf(graph)).toEqual([...new Set(rows.flat())]);
    const edges = new Set(rows.flatMap(([src, dst]) => (src === dst ? [] : [`${src}→${dst}`, `${dst}→${src}`])));
    expect(new Set(await edgesOf(graph))).toEqual(edges);
    expect(graph.manifest.info).toMatchObject({ idType: "string", report: { edgeRows: rows.length } });
  });

  it("names file and line of an unknown, an empty and a ragged row behind plain integers", async () => {
    const nodesFile = `id\n${Array.from({ length: 2000 }, (_, i) => i).join("\n")}`;
    const plain = Array.from({ length: 2000 }, (_, i) => `${i},${1999 - i}`);
    const spec = { ...edgesOnly, nodes: { files: ["nodes.csv"], id: "id" } };
    const run = (row: string) =>
      ingest({ "nodes.csv": nodesFile, "edges.csv": ["src,dst", ...plain, row, "0,1"].join("\n") }, spec);
    await expect(run("5,2000")).rejects.toMatchObject({
      code: "DATASET_NODE_UNKNOWN",
      message: expect.stringContaining('edges.csv, line 2002, column "dst": "2000"'),
    });
    await expect(run("5,")).rejects.toMatchObject({ place: { file: "edges.csv", line: 2002, field: "dst" } });
    await expect(run("5,6,7")).rejects.toMatchObject({
      code: "DATASET_ROW_INVALID",
      place: { file: "edges.csv", line: 2002 },
    });
  });

  it("reads the same graph with a byte order mark, CRLF, tabs, gzip, zstd, semicolons or from Parquet", async () => {
    const rows = [
      ["007", "7"],
      ["7", "a b"],
      ["1e5", "007"],
    ];
    const text = (delimiter: string, end: string) =>
      [["src", "dst"], ...rows].map((row) => row.join(delimiter) + end).join("");
    const values = rows.map(([src, dst]) => `('${src}', '${dst}')`).join(",");
    const select = `SELECT * FROM (VALUES ${values}) t(src, dst)`;
    const contents: Record<string, string | Uint8Array> = {
      "plain.csv": text(",", "\n"),
      "bom.csv": `\ufeff${text(",", "\r\n")}`,
      "tabs.tsv": text("\t", "\n"),
      "semicolons.csv": text(";", "\n"),
      "zipped.csv.gz": gzipSync(text(",", "\n")),
      "zipped-without-ending.csv": gzipSync(text(",", "\n")),
      "zipped.csv.zst": await readFile(await copyAs("csv.zst", select)),
      "columns.parquet": await readFile(await copyAs("parquet", select)),
      "quoted.csv": 'src,dst\n"007","7"\n7,"a b"\n1e5,007',
    };
    const graphs = await Promise.all(
      Object.keys(contents).map((name) => ingest(contents, { edges: { ...edgesOnly.edges, files: [name] } })),
    );
    expect(new Set(graphs.map((graph) => graph.manifest.digest)).size).toBe(1);
    expect(await idsOf(graphs[0]!)).toEqual(["007", "7", "a b", "1e5"]);
  });

  it("reads SNAP edge lists: comments, blanks or tabs, no header", async () => {
    const text = "# Directed graph\n# FromNodeId\tToNodeId\n30\t1412\n30   3352\n\n 3352\t30 \n";
    const graph = await ingest(
      { "edges.txt": text },
      { edges: { ...edgesOnly.edges, files: ["edges.txt"] }, directed: true },
    );
    expect(await edgesOf(graph)).toEqual(["3352→30", "30→1412", "30→3352"]);
  });

  it("puts the nodes file first, then what only the edges name", async () => {
    const graph = await ingest(
      { "nodes.csv": "id\nz\ny\n", "edges.csv": "src,dst\na,y\nz,b\n" },
      { ...edgesOnly, nodes: { files: ["nodes.csv"], id: "id" }, missingNodes: "add" },
    );
    expect(await idsOf(graph)).toEqual(["z", "y", "a", "b"]);
    expect(graph.manifest.info["report"]).toMatchObject({ danglingIds: 2, isolatedNodes: 0 });
  });

  it("drops edges to unknown ids when told to, and says which", async () => {
    const graph = await ingest(
      { "nodes.csv": "id\nz\ny\n", "edges.csv": "src,dst\na,y\nz,y\nz,b\n" },
      { ...edgesOnly, nodes: { files: ["nodes.csv"], id: "id" }, missingNodes: "drop" },
    );
    expect(await edgesOf(graph)).toEqual(["y→z", "z→y"]);
    expect(graph.manifest.info["report"]).toMatchObject({
      rowsRead: 2 + 3,
      danglingIds: 2,
      badRows: [
        { file: "edges.csv", line: 2, column: "src", found: "a" },
        { file: "edges.csv", line: 4, column: "dst", found: "b" },
      ],
      warnings: [expect.stringMatching(/2 edge rows were dropped/)],
    });
  });
});

describe("edges", () => {
  const rows =
    "src,dst,w,rel,x,y\na,b,1,likes,10,11\nb,a,2,likes,20,21\na,b,3,hates,30,31\nc,c,4,likes,40,41\nb,c,5,likes,50,51\n";
  const columns = { files: ["edges.csv"], src: "src", dst: "dst" };

  it("stores an undirected pair in both directions, once, with the weight of its first row", async () => {
    const graph = await ingest({ "edges.csv": rows }, { edges: { ...columns, weight: "w" } });
    expect(await edgesOf(graph)).toEqual(["b→a", "a→b", "c→b", "b→c"]);
    expect(await floats(graph, "edges/weight.npy")).toEqual([1, 1, 5, 5]);
    expect(graph.manifest.info["report"]).toMatchObject({ edgeRows: 5, duplicateEdges: 2, selfLoops: 1 });
    expect(graph.manifest.info).toMatchObject({ numEdges: 4, directed: false });
  });

  it("keeps directed rows apart from their opposites", async () => {
    const graph = await ingest({ "edges.csv": rows }, { edges: { ...columns, weight: "w" }, directed: true });
    expect(await edgesOf(graph)).toEqual(["b→a", "a→b", "b→c"]);
    expect(await floats(graph, "edges/weight.npy")).toEqual([2, 1, 5]);
    expect(graph.manifest.info["report"]).toMatchObject({ duplicateEdges: 1 });
  });

  it("takes edges of another type for other edges, and keeps types and features in edge order", async () => {
    const spec = {
      edges: { ...columns, weight: "w", type: "rel", features: ["x", "y"] },
      directed: true,
      selfLoops: "keep",
    };
    const graph = await ingest({ "edges.csv": `${rows}a,b,6,likes,60,61\n` }, spec);
    expect(await edgesOf(graph)).toEqual(["b→a", "a→b", "a→b", "b→c", "c→c"]);
    expect(graph.manifest.info["edgeTypes"]).toEqual(["hates", "likes"]);
    expect([...(await readNpy(join(graph.dir, "edges/type.npy"), "int32")).values]).toEqual([1, 1, 0, 1, 1]);
    expect(await floats(graph, "edges/weight.npy")).toEqual([2, 1, 3, 5, 4]);
    expect(await floats(graph, "edges/features.npy")).toEqual([20, 21, 10, 11, 30, 31, 50, 51, 40, 41]);
    expect(graph.manifest.info["report"]).toMatchObject({ duplicateEdges: 1 });
  });

  it("keeps the types of nodes, as codes of their sorted names", async () => {
    const graph = await ingest(
      { "nodes.csv": "id,kind\na,user\nb,\nc,item\n", "edges.csv": "src,dst\na,c\nb,d\n" },
      { nodes: { files: ["nodes.csv"], id: "id", type: "kind" }, ...edgesOnly, missingNodes: "add" },
    );
    expect(graph.manifest.info["nodeTypes"]).toEqual(["item", "user"]);
    expect([...(await readNpy(join(graph.dir, "nodes/type.npy"), "int32")).values]).toEqual([1, -1, 0, -1]);
  });

  it("keeps repeats and self-loops when told to; an undirected self-loop is stored once", async () => {
    const graph = await ingest({ "edges.csv": rows }, { edges: columns, duplicates: "keep", selfLoops: "keep" });
    expect(await edgesOf(graph)).toEqual(["b→a", "b→a", "b→a", "a→b", "a→b", "a→b", "c→b", "b→c", "c→c"]);
    expect(graph.manifest.info["report"]).toMatchObject({ duplicateEdges: 0, selfLoops: 1 });
  });

  it("counts in-degrees in bins of powers of two", async () => {
    const star = ["src,dst", ...Array.from({ length: 5 }, (_, i) => `${i},hub`), "x,0"].join("\n");
    const graph = await ingest({ "edges.csv": star }, { ...edgesOnly, directed: true });
    // The hub has 5, node 0 has 1, and 1, 2, 3, 4, x have none.
    expect(graph.manifest.info["degreeHistogram"]).toEqual({ edges: [0, 1, 2, 4, 8], counts: [5, 1, 0, 1] });
  });

  it("stores any rows as a set of pairs, sorted inside each column", async () => {
    const pair = fc.tuple(fc.nat(9), fc.nat(9));
    // Rows that all join a node with itself leave no edge, and are refused: that is another test's.
    const rows = fc
      .array(pair, { minLength: 1, maxLength: 40 })
      .filter((some) => some.some(([src, dst]) => src !== dst));
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (pairs, directed) => {
        const text = `src,dst\n${pairs.map(([src, dst]) => `${src},${dst}\n`).join("")}`;
        const graph = await ingest({ "edges.csv": text }, { ...edgesOnly, directed });
        const both = directed ? pairs : [...pairs, ...pairs.map(([src, dst]) => [dst, src])];
        const expected = new Set(both.filter(([src, dst]) => src !== dst).map(([src, dst]) => `${src}→${dst}`));
        const stored = await edgesOf(graph);
        expect(stored.toSorted()).toEqual([...expected].toSorted());
      }),
      { numRuns: 15 },
    );
  });
});

describe("nodes", () => {
  const edges = "src,dst\na,b\nb,c\nc,d\n";
  const nodes = "id,y,set,f0,f1\na,10,train,1,2\nb,9,valid,3,4\nc,,TEST,5,6\nd,9,,7,8\n";
  const mapped = { files: ["nodes.csv"], id: "id", label: "y", split: "set" };

  it("orders classes as numbers when all are, and leaves empty labels unlabelled", async () => {
    const graph = await ingest({ "edges.csv": edges, "nodes.csv": nodes }, { ...edgesOnly, nodes: mapped });
    expect(graph.manifest.info["classes"]).toEqual(["9", "10"]);
    expect([...(await readNpy(join(graph.dir, "nodes/labels.npy"), "int32")).values]).toEqual([1, 0, -1, 0]);
    expect(graph.manifest.info["labelCounts"]).toEqual([
      { label: "9", count: 2 },
      { label: "10", count: 1 },
    ]);
    expect([...(await readNpy(join(graph.dir, "nodes/split.npy"), "int8")).values]).toEqual([1, 2, 3, 0]);
    expect(graph.manifest.info["splits"]).toEqual({ train: 1, val: 1, test: 1, none: 1 });
  });

  it("takes a text of several labels as one class, and warns", async () => {
    const graph = await ingest(
      { "edges.csv": edges, "nodes.csv": nodes.replace(",10,", ",x|y,") },
      { ...edgesOnly, nodes: mapped },
    );
    expect(graph.manifest.info["classes"]).toEqual(["9", "x|y"]);
    expect(graph.manifest.info["report"]).toMatchObject({ warnings: [expect.stringMatching(/contain \|/)] });
  });

  it("writes feature columns row by row, with zeros for nodes that only the edges name", async () => {
    const graph = await ingest(
      { "edges.csv": `${edges}d,e\n`, "nodes.csv": nodes },
      { ...edgesOnly, nodes: { ...mapped, features: { columns: ["f1", "f0"] } }, missingNodes: "add" },
    );
    expect(graph.manifest.info["features"]).toEqual({ kind: "dense", dim: 2, values: "nonNegative", numNonZero: 8 });
    expect(await floats(graph, "nodes/features.npy")).toEqual([2, 1, 4, 3, 6, 5, 8, 7, 0, 0]);
  });

  it("keeps a CSR matrix sparse", async () => {
    const graph = await ingest(
      { "edges.csv": `${edges}d,e\n`, "nodes.csv": nodes, "x.npz": await csrFile() },
      { ...edgesOnly, nodes: { ...mapped, features: { file: "x.npz" } }, missingNodes: "add" },
    );
    expect(graph.manifest.info["features"]).toEqual({
      kind: "csr",
      dim: 3,
      numValues: 4,
      values: "nonNegative",
      numNonZero: 4,
    });
    const { values } = await readNpy(join(graph.dir, "nodes/features/indptr.npy"), "int64");
    expect([...values]).toEqual([0n, 1n, 1n, 3n, 4n, 4n]);
    expect([...(await readNpy(join(graph.dir, "nodes/features/indices.npy"), "int32")).values]).toEqual([2, 0, 1, 1]);
    expect(existsSync(join(graph.dir, "nodes/features.npy"))).toBe(false);
  });

  it("refuses a matrix with other rows than the nodes", async () => {
    const short = nodes.split("\n").slice(0, 4).join("\n");
    const ingesting = ingest(
      { "edges.csv": "src,dst\na,b\n", "nodes.csv": short, "x.npz": await csrFile() },
      { ...edgesOnly, nodes: { ...mapped, features: { file: "x.npz" } } },
    );
    await expect(ingesting).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID", place: { file: "x.npz" } });
  });
});

describe("the step", () => {
  it("reports progress and stops when it is cancelled", async () => {
    const text = `src,dst\n${Array.from({ length: 20_000 }, (_, i) => `${i},${i + 1}\n`).join("")}`;
    const files = await filesArtifact({ "edges.csv": text });
    const phases = new Set<string>();
    await runStep(ingestStep, { files }, edgesOnly, {
      onEvent: (event) => event.type === "progress" && phases.add(event.phase),
    });
    expect(phases).toContain("read edges");
    const cancelled = AbortSignal.abort();
    const running = runStep(ingestStep, { files }, edgesOnly, { signal: cancelled });
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  });

  it("gives the same digest each time", async () => {
    const contents = { "edges.csv": "src,dst\na,b\nb,c\n" };
    const first = await ingest(contents, edgesOnly);
    const second = await ingest(contents, edgesOnly);
    expect(first.manifest.digest).toBe(second.manifest.digest);
    expect(readdirSync(join(first.dir, "graph")).toSorted()).toEqual(["indices.npy", "indptr.npy"]);
  });
});
