import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphInfo } from "../../../src/io/ingest/ingest-report.ts";
import { ingestStep } from "../../../src/steps/ingest.step.ts";
import { copyAs } from "../../support/duckdb.ts";
import { filesArtifact, runStep } from "../../support/run-step.ts";

type Files = Record<string, string | Uint8Array>;
type Row = Readonly<Record<string, string>>;

const columns = ["label", "age", "vec", "kind", "split", "score", "type"] as const;
type Column = (typeof columns)[number];

const row = fc.record({
  label: fc.constantFrom("cs", "bio", "", "math"),
  age: fc.constantFrom("", "1", "2.5", "-3e-2"),
  vec: fc.constantFrom("[1, 2]", "[0.5, -1]"),
  kind: fc.constantFrom("a", "b", "c"),
  split: fc.constantFrom("train", "val", "test", ""),
  score: fc.constantFrom("", "7", "8.25"),
  type: fc.constantFrom("p", "q"),
});

/** A node may have nothing of these. */
const mayBeEmpty: readonly Column[] = ["label", "age", "split", "score"];

const section = {
  id: "id",
  label: "label",
  split: "split",
  type: "type",
  targets: ["score"],
  features: {
    columns: ["age", "vec"],
    widths: { vec: 2 },
    missing: { age: { fill: "mean" } },
    oneHot: ["kind"],
  },
};

const idKinds = [(i: number) => String(i * 3), (i: number) => `n ${i}`, (i: number) => (i % 2 ? String(i) : `0${i}`)];

function csv(rows: readonly Row[], names: readonly string[], delimiter = ","): string {
  const cell = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${[names, ...rows.map((one) => names.map((name) => cell(one[name]!)))].map((cells) => cells.join(delimiter)).join("\n")}\n`;
}

const formats = {
  csv: (rows: readonly Row[], names: readonly string[]) => csv(rows, names),
  tsv: (rows: readonly Row[], names: readonly string[]) => csv(rows, names, "\t"),
  jsonl: (rows: readonly Row[], names: readonly string[]) =>
    rows
      .map((one) => Object.fromEntries(names.map((name) => [name, one[name] === "" ? null : one[name]])))
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(""),
};
type Format = keyof typeof formats;

async function graphOf(files: Files, spec: unknown) {
  const { manifest } = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  const { report, ...info } = manifest.info as GraphInfo;
  return { blobs: manifest.blobs.map(({ name, sha256 }) => [name, sha256]), info, numRows: report.nodeRows };
}

/** Where each column goes: table 0 is that of the nodes, the others are joined. */
const cut = fc.record({
  rows: fc.array(row, { minLength: 3, maxLength: 12 }),
  tables: fc.array(fc.nat(3), { minLength: columns.length, maxLength: columns.length }),
  order: fc.infiniteStream(fc.nat(1_000)),
  formats: fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom<Format>("csv", "tsv", "jsonl"))),
  idKind: fc.constantFrom(...idKinds),
  dropsEmpty: fc.boolean(),
});

describe("a table of nodes that is cut into several by columns", () => {
  it("gives the graph of the whole one, bit for bit, in whatever order rows come", async () => {
    const cases = fc.asyncProperty(cut, async ({ rows: drawn, tables, order, formats: chosen, idKind, dropsEmpty }) => {
      // The means and the classes have to be known of some node.
      const rows = drawn.map((one, i) => ({ ...one, ...(i === 0 && { age: "4" }), id: idKind(i) }));
      const edges = rows.map(({ id }, i) => ({ src: id, dst: rows[(i * 5 + 1) % rows.length]!.id }));
      const others = { "edges.csv": csv(edges, ["src", "dst"]) };
      const whole = { ...others, "nodes.csv": csv(rows, ["id", ...columns]) };
      const columnsOf = (table: number) => columns.filter((_, i) => tables[i] === table);
      const cutFiles: Files = { ...others, "nodes.csv": csv(rows, ["id", ...columnsOf(0)]) };
      const join = [1, 2, 3].flatMap((table) => {
        const names = columnsOf(table);
        if (names.length === 0) return [];
        const isTold = (one: Row) =>
          !dropsEmpty || names.some((name) => !mayBeEmpty.includes(name) || one[name] !== "");
        const keyed = rows.filter(isTold).map((one) => ({ key: order.next().value as number, one }));
        const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ one }) => ({ ...one, of: one.id }));
        if (shuffled.length === 0) shuffled.push({ ...rows[0]!, of: rows[0]!.id });
        const format = chosen[table - 1]!;
        const file = `table${table}.${format}`;
        cutFiles[file] = formats[format](shuffled, ["of", ...names]);
        return [{ files: [file], id: "of" }];
      });
      const edgesSection = { files: ["edges.csv"], src: "src", dst: "dst" };
      const spec = (more: object) => ({
        edges: edgesSection,
        nodes: { ...section, files: ["nodes.csv"], ...more },
        selfLoops: "keep",
      });
      const expected = await graphOf(whole, spec({}));
      expect(await graphOf(cutFiles, spec(join.length > 0 ? { join } : {}))).toEqual(expected);
    });
    await fc.assert(cases, { numRuns: 12 });
  });

  it("gives it where a type of nodes is cut, and the lists of the split are files of ids", async () => {
    const relations = [{ source: "user", name: "likes", target: "item", files: ["likes.csv"], src: "u", dst: "i" }];
    const likes = { "likes.csv": "u,i\nb,1\na,2\nc,1\n", "items.csv": "id\n1\n2\n" };
    const item = { files: ["items.csv"], id: "id" };
    const features = { columns: ["x"] };
    const whole = { ...likes, "users.csv": "id,x,y,side\na,1,p,train\nb,2,q,test\nc,3,p,val\nd,4,q,\n" };
    const user = { files: ["users.csv"], id: "id", label: "y", features };
    const expected = await graphOf(whole, { nodeTypes: { user: { ...user, split: "side" }, item }, relations });
    const parts = {
      ...likes,
      "users.csv": "id\na\nb\nc\nd\n",
      "features.jsonl": '{"x": 3, "who": "c"}\n{"x": 1, "who": "a"}\n{"x": 4, "who": "d"}\n{"x": 2, "who": "b"}\n',
      "labels.csv": "user,y\nd,q\nc,p\nb,q\na,p\n",
      "train.txt": "a\n",
      "val.csv": "id\nc\n",
      "test.csv": "id\nb\n",
    };
    const list = (file: string, id = "id") => ({ files: [file], id });
    const header = { type: "csv", options: { header: false } };
    const cutUser = {
      ...user,
      join: [list("features.jsonl", "who"), list("labels.csv", "user")],
      splitFiles: {
        train: { ...list("train.txt", "column1"), reader: header },
        val: list("val.csv"),
        test: list("test.csv"),
      },
    };
    const read = await graphOf(parts, { nodeTypes: { user: cutUser, item }, relations });
    // There is no column of the split of which a profile could tell.
    const profile = expect.anything();
    expect(read).toEqual({ ...expected, info: { ...expected.info, profile } });
  });

  it("may have Parquet beside CSV, its vectors in it, and later rows in place of earlier ones", async () => {
    const path = await copyAs(
      "parquet",
      "SELECT 'n' || (7 - i) AS node, [i, i / 4]::FLOAT[] AS emb FROM range(8) t(i)",
    );
    const ids = [...Array(8).keys()];
    const edges = { "edges.csv": `src,dst\n${ids.map((i) => `n${i},n${(i + 1) % 8}\n`).join("")}` };
    const features = { columns: ["emb"], widths: { emb: 2 } };
    const spec = (more: object) => ({
      edges: { files: ["edges.csv"], src: "src", dst: "dst" },
      nodes: { files: ["nodes.csv"], id: "id", label: "y", features, repeatedIds: "last", ...more },
    });
    const emb = (i: number) => `"[${7 - i}, ${(7 - i) / 4}]"`;
    const whole = { ...edges, "nodes.csv": `id,y,emb\n${ids.map((i) => `n${i},${i % 3},${emb(i)}\n`).join("")}` };
    const parts = {
      ...edges,
      "nodes.csv": `id\n${ids.map((i) => `n${i}\n`).join("")}n3\n`,
      "labels.csv": `who,y\n${ids.map((i) => `n${i},9\n`).join("")}${ids.map((i) => `n${7 - i},${(7 - i) % 3}\n`).join("")}`,
      "emb.parquet": new Uint8Array(await readFile(path)),
    };
    const join = [
      { files: ["emb.parquet"], id: "node" },
      { files: ["labels.csv"], id: "who" },
    ];
    const expected = await graphOf(whole, spec({}));
    const read = await graphOf(parts, spec({ join }));
    expect(read.blobs).toEqual(expected.blobs);
    expect(read.info.classes).toEqual(["0", "1", "2"]);
  });
});
