import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { tableFromIPC } from "apache-arrow";
import { beforeAll, describe, expect, it } from "vitest";
import type { ArtifactDir, ManifestDraft } from "../../src/io/manifest.ts";
import { buildManifest, readManifestFile, writeManifestFile } from "../../src/io/manifest-file.ts";
import { readNpy, writeNpy } from "../../src/io/npy.ts";
import { ServedRows } from "../../src/serving/served-rows.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { projectionInfo } from "../../src/spec/projection-info.ts";
import { exportStep } from "../../src/steps/export.step.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { projectStep } from "../../src/steps/project.step.ts";
import { remapStep } from "../../src/steps/remap.step.ts";
import { query } from "../support/duckdb.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const trapIds = ["007", "7", "1e5", "000413E7", "🦉", "Doe, Jane", 'say "hi"', "two\nlines", "back\\slash", "100000"];
const labels = ["a", "b", null, "b", "a", "a", "b", null, "a", "b"];
const splits = ["train", "val", "test", "test", "test", "val", "train", "none", "train", "test"];
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const dim = 3;

/** globalId → nodeIndex of two parts of five nodes */
const nodeMap = Int32Array.from([3, 1, 4, 0, 5, 9, 2, 6, 8, 7]);
/** A value that names its node and its column. */
const embeddingAt = (node: number, column: number) => Math.fround(node + column / 8);
/** Class 1 for odd nodes. */
const logitsAt = (node: number) => (node % 2 === 1 ? [0, 2] : [2, 0]);

async function artifact(kind: string, write: (dir: string) => Promise<ManifestDraft>): Promise<ArtifactDir> {
  const dir = await mkdtemp(join(tmpdir(), `hopwise-${kind}-`));
  const draft = await write(dir);
  const context = { kind, step: kind, stepVersion: 1, engine: "test", inputs: {}, options: {} };
  await writeManifestFile(dir, await buildManifest(dir, draft, context));
  return readManifestFile(dir);
}

async function graphOf(ids: readonly string[]): Promise<ArtifactDir> {
  const nodes = ids.map((id, i) => `${quoted(id)},${labels[i] ?? ""},${splits[i]}`);
  const edges = ids.slice(1).map((id) => `${quoted(ids[0]!)},${quoted(id)}`);
  const files = await filesArtifact({
    "nodes.csv": `id,label,split\n${nodes.join("\n")}\n`,
    "edges.csv": `src,dst\n${edges.join("\n")}\n`,
  });
  const spec = {
    edges: { files: ["edges.csv"], src: "src", dst: "dst" },
    nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split" },
  };
  return runStep(ingestStep, { files }, spec);
}

async function partsOf(graph: ArtifactDir): Promise<ArtifactDir> {
  const { info } = graph.manifest;
  const graphLabels = (await readNpy(join(graph.dir, "nodes/labels.npy"), "int32")).values;
  const graphSplit = (await readNpy(join(graph.dir, "nodes/split.npy"), "int8")).values;
  return artifact("parts", async (dir) => {
    await writeNpy(join(dir, "node_map.npy"), "int32", [10], nodeMap);
    for (const part of [0, 1]) {
      const nodes = nodeMap.subarray(part * 5, part * 5 + 5);
      const ofPart = Int32Array.from(nodes, (node) => graphLabels[node]!);
      await writeNpy(join(dir, `part${part}/labels.npy`), "int32", [5], ofPart);
      await writeNpy(
        join(dir, `part${part}/split.npy`),
        "int8",
        [5],
        Int8Array.from(nodes, (node) => graphSplit[node]!),
      );
    }
    const names = ["part0/labels.npy", "part0/split.npy", "part1/labels.npy", "part1/split.npy", "node_map.npy"];
    const { classes, features, splits: counts, idType, directed } = info;
    const parts = [0, 1].map((part) => ({ part, nodes: 5, edges: 9, trainNodes: 1, haloNodes: 1 }));
    const imbalance = { nodes: 1, edges: 1, train: 1 };
    const report = { numParts: 2, edgeCut: 0, communicationVolume: 0, expectedRemoteReads: 0, imbalance, parts };
    return {
      info: {
        numParts: 2,
        numNodes: 10,
        numEdges: 18,
        nodeOffsets: [0, 5, 10],
        edgeOffsets: [0, 9, 18],
        partitioner: { type: "random", options: {} },
        graph: { classes, features, splits: counts, idType, directed },
        report,
      },
      blobs: names.map((name) => ({ name })),
    };
  });
}

/** The ids of a map's points, decoded as the format says. */
async function idsOf({ dir }: ArtifactDir): Promise<string[]> {
  const { values: offsets } = await readNpy(join(dir, "ids/offsets.npy"), "int32");
  const { values: bytes } = await readNpy(join(dir, "ids/bytes.npy"), "uint8");
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    Buffer.from(bytes.subarray(offsets[i], offsets[i + 1])).toString("utf8"),
  );
}

const inferred = () =>
  artifact("inferred", async (dir) => {
    const rows = Array.from(nodeMap, (node) => [0, 1, 2].map((column) => embeddingAt(node, column)));
    await writeNpy(join(dir, "embeddings.npy"), "float32", [10, dim], Float32Array.from(rows.flat()));
    const logits = Float32Array.from(Array.from(nodeMap, logitsAt).flat());
    await writeNpy(join(dir, "logits.npy"), "float32", [10, 2], logits);
    return { info: { temperature: 1.6 }, blobs: [{ name: "embeddings.npy" }, { name: "logits.npy" }] };
  });

describe.each([
  ["string", trapIds],
  ["int64", trapIds.map((_, i) => String(i * 1_000_000_007 - 5))],
])("results of a graph with %s ids", (idType, ids) => {
  let graph: ArtifactDir;
  let remapped: ArtifactDir;
  let exported: ArtifactDir;
  beforeAll(async () => {
    graph = await graphOf(ids);
    expect(graph.manifest.info["idType"]).toBe(idType);
    remapped = await runStep(remapStep, { graph, parts: await partsOf(graph), inferred: await inferred() }, {});
    const options = {
      embeddings: { formats: ["parquet", "npy", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] },
      predictions: { formats: ["parquet", "csv", "arrow", "jsonl", "neo4j", "pgcopy"] },
    };
    exported = await runStep(exportStep, { graph, remapped }, options);
  });
  const file = (name: string) => join(exported.dir, name);

  it("remaps every row to its node", async () => {
    const { values } = await readNpy(join(remapped.dir, "embeddings.npy"), "float32");
    const expected = ids.flatMap((_, node) => [0, 1, 2].map((column) => embeddingAt(node, column)));
    expect([...values]).toEqual(expected);
  });

  it("counts the accuracy of each split from the remapped rows", () => {
    // test: 4 (a, even: right), 3 (b, odd: right), 9 (b, odd: right); 2 is unlabelled. val: 1 right, 5 (a, odd) wrong.
    // train: 0 right, 6 (b, even) wrong, 8 right.
    const metrics = { "train/accuracy": 2 / 3, "val/accuracy": 1 / 2, "test/accuracy": 3 / 3 };
    expect(remapped.manifest.info["metrics"]).toEqual(metrics);
  });

  it("writes embeddings as Parquet that DuckDB reads, each original id once", async () => {
    const rows = await query(`SELECT id::VARCHAR, embedding FROM '${file("embeddings.parquet")}'`);
    expect(rows).toEqual(ids.map((id, node) => [id, [0, 1, 2].map((column) => embeddingAt(node, column))]));
    const types = await query(`DESCRIBE SELECT * FROM '${file("embeddings.parquet")}'`);
    expect(types.map(([name, type]) => [name, type])).toEqual([
      ["id", idType === "int64" ? "BIGINT" : "VARCHAR"],
      ["embedding", "FLOAT[]"],
    ]);
  });

  it("writes predictions whose columns agree with the logits", async () => {
    const rows = await query(
      `SELECT id::VARCHAR, split, label, predicted, confidence, p_a, p_b FROM '${file("predictions.parquet")}'`,
    );
    expect(rows.map((row) => row.slice(0, 4))).toEqual(
      ids.map((id, node) => [id, splits[node], labels[node], node % 2 === 1 ? "b" : "a"]),
    );
    // The logits 2 and 0 at the temperature 1.6
    const sure = 1 / (1 + Math.exp(-2 / 1.6));
    for (const [node, row] of rows.entries()) {
      expect(row[4]).toBeCloseTo(sure, 6);
      expect(row[5]).toBeCloseTo(node % 2 === 1 ? 1 - sure : sure, 6);
      expect(Number(row[5]) + Number(row[6])).toBeCloseTo(1, 6);
    }
  });

  it("writes words by a dictionary, and ids and vectors without one, which would be as long as they are", async () => {
    const encoded = await query(
      `SELECT path_in_schema, bool_or(contains(encodings, 'DICTIONARY')) FROM
       (SELECT * FROM parquet_metadata('${file("embeddings.parquet")}') UNION ALL
        SELECT * FROM parquet_metadata('${file("predictions.parquet")}')) GROUP BY ALL ORDER BY ALL`,
    );
    const columns = Object.fromEntries(encoded as [string, boolean][]);
    expect(columns).toMatchObject({ id: false, split: true, label: true, predicted: true, confidence: false });
    expect(Object.entries(columns).filter(([name]) => name.startsWith("embedding"))).toEqual([
      [expect.anything(), false],
    ]);
  });

  it("answers single questions with the rows of the exports", async () => {
    const registry = await loadRegistry();
    const rows = await ServedRows.open({ graph, remapped, registry });
    const stored = await query(`SELECT * FROM '${file("predictions.parquet")}'`);
    expect(rows.predict(ids).map((values) => Object.values(values))).toEqual(stored.map((row) => row.slice(2)));
    expect(() => rows.predict([ids[3]!, "nobody"])).toThrow(
      expect.objectContaining({ code: "NODE_UNKNOWN", place: { pointer: "/ids/1" } }),
    );
    // The embedding of a node is its number and a bit: those of the next numbers are nearest, the lower number first.
    const near = await rows.neighbors({ id: ids[4]!, k: 3, metric: "l2" });
    expect(near.map(({ id }) => id)).toEqual([ids[3], ids[5], ids[2]]);
    expect(near[0]!.score).toBeCloseTo(Math.sqrt(3), 12);
    const vector = [0, 1, 2].map((column) => embeddingAt(9, column));
    const labelled = await rows.neighbors({ vector, k: 3, metric: "l2", label: "a" });
    expect(labelled.map(({ id }) => id)).toEqual([ids[8], ids[5], ids[4]]);
    const bad = { metric: "dot", k: 1 } as const;
    await expect(rows.neighbors({ ...bad, vector: [1] })).rejects.toMatchObject({ place: { pointer: "/vector" } });
    await expect(rows.neighbors({ ...bad, id: ids[0]!, label: "c" })).rejects.toThrow("expected one of a, b");
  });

  it("writes CSV that reads back the same ids and float32 values", async () => {
    const rows = await query(
      `SELECT * FROM read_csv('${file("embeddings.csv")}', all_varchar=true, header=true, quote='"', escape='"', delim=',')`,
    );
    expect(rows.map(([id]) => id)).toEqual(ids);
    expect(rows.map((row) => row.slice(1).map(Number))).toEqual(
      ids.map((_, node) => [0, 1, 2].map((column) => embeddingAt(node, column))),
    );
    const predictions = await readFile(file("predictions.csv"), "utf8");
    expect(predictions.split("\n")[0]).toBe("id,split,label,predicted,confidence,p_a,p_b");
  });

  it("writes Arrow files that the Arrow library reads", async () => {
    const table = tableFromIPC(await readFile(file("embeddings.arrow")));
    expect(table.toArray().map((row) => String(row["id"]))).toEqual(ids);
    expect([...table.get(9)!["embedding"]]).toEqual([0, 1, 2].map((column) => embeddingAt(9, column)));
    expect(tableFromIPC(await readFile(file("predictions.arrow"))).numRows).toBe(10);
  });

  it("writes JSON lines with the same ids, vectors and predictions, unknown ones null", async () => {
    const parsed = async (name: string) =>
      (await readFile(file(name), "utf8"))
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const expected = ids.map((id, node) => ({
      id: idType === "int64" ? Number(id) : id,
      embedding: [0, 1, 2].map((column) => embeddingAt(node, column)),
    }));
    expect(await parsed("embeddings.jsonl")).toEqual(expected);
    const predictions = await parsed("predictions.jsonl");
    expect(predictions.map(({ split, label }) => [split, label])).toEqual(
      ids.map((_, node) => [splits[node], labels[node]]),
    );
    expect(predictions[0]!["confidence"]).toBeCloseTo(1 / (1 + Math.exp(-2 / 1.6)), 6);
  });

  it("writes files for Neo4j that are read again as nodes with these vectors", async () => {
    const nodes = await readFile(file("embeddings.neo4j"));
    expect(nodes.toString().split("\n")[0]).toBe("id:ID,embedding:float[]");
    const predicted = await readFile(file("predictions.neo4j"), "utf8");
    const header = "id:ID,split:string,label:string,predicted:string,confidence:float,p_a:float,p_b:float";
    expect(predicted.split("\n")[0]).toBe(header);
    const edges = `:START_ID,:END_ID\n${quoted(ids[0]!)},${quoted(ids[1]!)}\n`;
    const files = await filesArtifact({ "nodes.csv": nodes, "edges.csv": edges });
    const spec = {
      edges: { files: ["edges.csv"], src: ":START_ID", dst: ":END_ID" },
      nodes: {
        files: ["nodes.csv"],
        id: "id:ID",
        features: { columns: ["embedding:float[]"], widths: { "embedding:float[]": dim } },
      },
    };
    const read = await runStep(ingestStep, { files }, spec);
    const { values } = await readNpy(join(read.dir, "nodes/features.npy"), "float32");
    expect([...values]).toEqual(ids.flatMap((_, node) => [0, 1, 2].map((column) => embeddingAt(node, column))));
  });

  it("writes what PostgreSQL's COPY takes", async () => {
    const database = new PGlite();
    try {
      await database.exec("CREATE TABLE e (id text, embedding text)");
      await database.exec(
        "CREATE TABLE p (id text, split text, label text, predicted text, sure real, a real, b real)",
      );
      for (const [table, name] of [
        ["e", "embeddings.pgcopy"],
        ["p", "predictions.pgcopy"],
      ] as const)
        await database.query(`COPY ${table} FROM '/dev/blob'`, [], { blob: new Blob([await readFile(file(name))]) });
      const { rows } = await database.query<{ id: string; embedding: string }>("SELECT * FROM e");
      expect(rows.map(({ id, embedding }) => [id, JSON.parse(embedding)])).toEqual(
        ids.map((id, node) => [id, [0, 1, 2].map((column) => embeddingAt(node, column))]),
      );
      const { rows: predicted } = await database.query<{ id: string; label: string | null }>("SELECT * FROM p");
      expect(predicted.map(({ id, label }) => [id, label])).toEqual(ids.map((id, node) => [id, labels[node]]));
    } finally {
      await database.close();
    }
  });

  it("says what the columns of files without a header hold, and which tell rows apart", () => {
    const column = (name: string, type: string, dim: number | null = null) => ({ name, type, dim });
    const common = { numRows: 10, key: ["id"], nodeType: null };
    const id = column("id", idType === "int64" ? "int64" : "text");
    const texts = ["split", "label", "predicted"].map((name) => column(name, "text"));
    const numbers = ["confidence", "p_a", "p_b"].map((name) => column(name, "float32"));
    expect(exported.manifest.info["tables"]).toEqual([
      { file: "embeddings.pgcopy", ...common, columns: [id, column("embedding", "vector", 3)] },
      { file: "predictions.pgcopy", ...common, columns: [id, ...texts, ...numbers] },
    ]);
  });

  it("calls the columns as it is told, and keeps vectors of one length in Arrow and Parquet", async () => {
    const options = {
      embeddings: { formats: ["jsonl", "neo4j", "parquet", "arrow"], columns: { id: "pk", vector: "values" } },
      predictions: { formats: [] },
    };
    const { dir, manifest } = await runStep(exportStep, { graph, remapped }, options);
    expect(manifest.info["columns"]).toEqual({ id: "pk", vector: "values" });
    const [line = ""] = (await readFile(join(dir, "embeddings.jsonl"), "utf8")).split("\n");
    expect(Object.keys(JSON.parse(line) as object)).toEqual(["pk", "values"]);
    expect((await readFile(join(dir, "embeddings.neo4j"), "utf8")).split("\n")[0]).toBe("pk:ID,values:float[]");
    const types = await query(`DESCRIBE SELECT * FROM '${join(dir, "embeddings.parquet")}'`);
    expect(types.map(([name]) => name)).toEqual(["pk", "values"]);
    const table = tableFromIPC(await readFile(join(dir, "embeddings.arrow")));
    expect(String(table.schema.fields[1]!.type)).toBe("FixedSizeList[3]<Float32>");
    await expect(
      runStep(exportStep, { graph, remapped }, { embeddings: { columns: { id: "x", vector: "x" } } }),
    ).rejects.toThrow();
  });

  it("writes npy with the ids beside it, one a row", async () => {
    expect((await readNpy(file("embeddings.npy"), "float32")).shape).toEqual([10, dim]);
    if (idType === "int64") {
      expect([...(await readNpy(file("ids.npy"), "int64")).values].map(String)).toEqual(ids);
    } else {
      const lines = (await readFile(file("ids.txt"), "utf8")).split("\n");
      expect(lines).toHaveLength(10 + 1);
      expect(lines[7]).toBe("two\\nlines");
      expect(lines[8]).toBe("back\\\\slash");
    }
  });

  it("projects every node to the plane, the same points each time", async () => {
    const first = await runStep(projectStep, { graph, remapped }, {});
    const second = await runStep(projectStep, { graph, remapped }, {});
    expect(first.manifest.digest).toBe(second.manifest.digest);
    expect([...(await readNpy(join(first.dir, "rows.npy"), "int32")).values]).toEqual(ids.map((_, node) => node));
    expect(await idsOf(first)).toEqual(ids);
    const { values: itsLabels } = await readNpy(join(first.dir, "labels.npy"), "int32");
    const names = first.manifest.info["classes"] as string[];
    expect(Array.from(itsLabels, (label) => names[label] ?? null)).toEqual(labels);
    // All rows lie on the line (1, 1, 1): one direction holds all the variance.
    const [first1, first2] = first.manifest.info["explained"] as number[];
    expect(first1).toBeCloseTo(1, 6);
    expect(first2).toBeCloseTo(0, 6);
    expect(first.manifest.info["effectiveDim"]).toBeCloseTo(1, 6);
  });

  it("says of every point of the map what is known of its node", async () => {
    const { dir, manifest } = await runStep(projectStep, { graph, remapped }, {});
    const info = projectionInfo.parse(manifest.info);
    const column = async (name: string) => {
      const { blob, type, names } = info.columns.find((one) => one.name === name)!;
      if (type === "number") return [...(await readNpy(join(dir, blob), "float32")).values];
      return Array.from((await readNpy(join(dir, blob), "int32")).values, (code) => names[code] ?? null);
    };
    expect(await column("label")).toEqual(labels);
    expect(await column("split")).toEqual(splits);
    expect(await column("predicted")).toEqual(ids.map((_, node) => (node % 2 === 1 ? "b" : "a")));
    expect(await column("mistake")).toEqual(
      labels.map((label, node) => label && (label === (node % 2 === 1 ? "b" : "a") ? "right" : "wrong")),
    );
    // Logits 2 and 0 at the temperature 1.6.
    for (const confidence of await column("confidence"))
      expect(confidence).toBeCloseTo(1 / (1 + Math.exp(-2 / 1.6)), 6);
    // Every edge comes from the first node.
    expect([...(await readNpy(join(dir, "degrees.npy"), "int32")).values]).toEqual(
      ids.map((_, node) => (node === 0 ? 9 : 1)),
    );
    expect([...(await readNpy(join(dir, "neighbors/points.npy"), "int32")).values].slice(-9)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
  });

  it("finds the nearest embeddings of every point, and of none when none are asked for", async () => {
    const { dir, manifest } = await runStep(projectStep, { graph, remapped }, {});
    expect(manifest.info).toMatchObject({ numDetailed: 10, numNearest: 9, hasUmap: false });
    const { values: nearest, shape } = await readNpy(join(dir, "nearest/points.npy"), "int32");
    expect(shape).toEqual([10, 9]);
    // Node n lies at n + (0, 1/8, 2/8): the larger n, the nearer the line (1, 1, 1), and each other.
    expect(nearest[9 * 9]).toBe(8);
    expect(nearest[0]).toBe(1);
    const without = await runStep(projectStep, { graph, remapped }, { maxDetailed: 0 });
    expect(without.manifest.info).toMatchObject({ numPoints: 10, numDetailed: 0, numNearest: 0, hasUmap: false });
  });
});

describe("remap", () => {
  it("refuses parts of another graph", async () => {
    const graph = await graphOf(trapIds);
    const other = await graphOf(trapIds.slice(0, 9));
    const parts = await partsOf(graph);
    const remapping = runStep(remapStep, { graph: other, parts, inferred: await inferred() }, {});
    await expect(remapping).rejects.toMatchObject({ code: "MANIFEST_INVALID" });
  });
});

describe("results of a graph with types", () => {
  it("have a file for each type beside those of all, under the ids that the user gave", async () => {
    const graph = await runStep(
      ingestStep,
      {
        files: await filesArtifact({
          "a.csv": "id,label,split\n1,x,train\n2,y,test\n3,x,none\n4,y,val\n",
          "b.csv": `id\n${[1, 2, 3, 4, 5, 6].join("\n")}\n`,
          "e.csv": "a,b\n1,6\n2,5\n",
        }),
      },
      {
        nodeTypes: {
          "the a": { files: ["a.csv"], id: "id", label: "label", split: "split" },
          b: { files: ["b.csv"], id: "id" },
        },
        relations: [{ source: "the a", name: "to", target: "b", files: ["e.csv"], src: "a", dst: "b" }],
      },
    );
    const remapped = await runStep(remapStep, { graph, parts: await partsOf(graph), inferred: await inferred() }, {});
    const formats = { embeddings: { formats: ["csv", "npy"] }, predictions: { formats: ["csv"] } };
    const exported = await runStep(exportStep, { graph, remapped }, formats);
    const text = (name: string) => readFile(join(exported.dir, name), "utf8");
    // b comes before "the a": its nodes are the first six.
    const rows = [6, 7, 8, 9].map((node, i) => [i + 1, ...[0, 1, 2].map((c) => embeddingAt(node, c))].join(","));
    expect(await text("embeddings.the_a.csv")).toBe(`id,d0,d1,d2\n${rows.join("\n")}\n`);
    expect(await text("embeddings.csv")).toContain(`\nthe a/1,${rows[0]!.slice(2)}\n`);
    expect(
      (await text("predictions.b.csv"))
        .split("\n")
        .slice(1, 3)
        .map((line) => line.split(",")[0]),
    ).toEqual(["1", "2"]);
    expect((await readNpy(join(exported.dir, "embeddings.b.npy"), "float32")).shape).toEqual([6, dim]);
    expect(await text("ids.b.txt")).toBe("1\n2\n3\n4\n5\n6\n");
  });
});
