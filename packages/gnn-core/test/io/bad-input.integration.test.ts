import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { copyAs } from "../support/duckdb.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

const edges = "src,dst\na,b\nb,c\n";
const nodes = "id,label,split,f0\na,x,train,1\nb,y,val,2\nc,x,test,3\n";
const spec = {
  edges: { files: ["edges.csv"], src: "src", dst: "dst" },
  nodes: { files: ["nodes.csv"], id: "id", label: "label", split: "split", features: { columns: ["f0"] } },
};
const junk = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));

interface Case {
  readonly what: string;
  readonly files: Record<string, string | Uint8Array>;
  readonly spec?: unknown;
  readonly code: string;
  readonly place: { file?: string; line?: number; field?: string };
  readonly says: RegExp;
}

const cases: Case[] = [
  {
    what: "a wrong header",
    files: { "edges.csv": "from,to\na,b\n", "nodes.csv": nodes },
    code: "DATASET_COLUMN_MISSING",
    place: { file: "edges.csv", line: 1, field: "src" },
    says: /no column "src"; its columns are: from, to/,
  },
  {
    what: "a row with too few columns",
    files: { "edges.csv": "src,dst\na,b\nb\nb,c\n", "nodes.csv": nodes },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.csv", line: 3 },
    says: /found 1 columns, expected 2/,
  },
  {
    what: "several ragged rows after quoted line breaks and blank lines",
    files: { "edges.csv": 'src,dst\n"a\n",b\n\nb,c,d\na,b\nc\n', "nodes.csv": nodes },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.csv", line: 5 },
    says: /2 rows are wrong in all; the others are on lines 7/,
  },
  {
    what: "a ragged row in a gzipped file",
    files: { "edges.csv": gzipSync("src,dst\na,b\nb,c,d\n"), "nodes.csv": nodes },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.csv", line: 3 },
    says: /found 3 columns, expected 2/,
  },
  {
    what: "a quote that is never closed",
    files: { "edges.csv": 'src,dst\na,b\n"b,c\n', "nodes.csv": nodes },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.csv", line: 3 },
    says: /never closed/,
  },
  {
    what: "text after a closing quote",
    files: { "edges.csv": 'src,dst\n"a"x,b\n', "nodes.csv": nodes },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.csv", line: 2 },
    says: /follows a closing quote/,
  },
  {
    what: "a non-numeric feature",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace(",2\n", ",two\n") },
    code: "DATASET_VALUE_INVALID",
    place: { file: "nodes.csv", line: 3, field: "f0" },
    says: /"two" in column "f0" is not a finite number/,
  },
  {
    what: "a feature that only DuckDB takes for a number",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace(",3\n", ",1_0\n") },
    code: "DATASET_VALUE_INVALID",
    place: { file: "nodes.csv", line: 4, field: "f0" },
    says: /"1_0"/,
  },
  {
    what: "a feature that is not finite",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace(",3\n", ",inf\n") },
    code: "DATASET_VALUE_INVALID",
    place: { file: "nodes.csv", line: 4, field: "f0" },
    says: /"inf"/,
  },
  {
    what: "an empty feature, after a row of two lines",
    files: { "edges.csv": edges, "nodes.csv": 'id,label,split,f0\n"a",x,train,1\nb,"y\nz",val,2\nc,x,test,\n' },
    code: "DATASET_VALUE_INVALID",
    place: { file: "nodes.csv", line: 5, field: "f0" },
    says: /the feature is empty/,
  },
  {
    what: "an edge to an id that is not among the nodes",
    files: { "edges.csv": "src,dst\na,b\nb,nobody\n", "nodes.csv": nodes },
    code: "DATASET_NODE_UNKNOWN",
    place: { file: "edges.csv", line: 3, field: "dst" },
    says: /"nobody" is not among the nodes/,
  },
  {
    what: "an empty id",
    files: { "edges.csv": "src,dst\na,b\n,c\n", "nodes.csv": nodes },
    code: "DATASET_VALUE_INVALID",
    place: { file: "edges.csv", line: 3, field: "src" },
    says: /the id is empty/,
  },
  {
    what: "a node that is there twice",
    files: { "edges.csv": edges, "nodes.csv": `${nodes}a,x,train,4\n` },
    code: "DATASET_DUPLICATE",
    place: { file: "nodes.csv", line: 5, field: "id" },
    says: /"a" is there a second time/,
  },
  {
    what: "a word that is no split",
    files: { "edges.csv": edges, "nodes.csv": nodes.replace("val", "holdout") },
    code: "DATASET_VALUE_INVALID",
    place: { file: "nodes.csv", line: 3, field: "split" },
    says: /"holdout" is no split/,
  },
  {
    what: "an empty file",
    files: { "edges.csv": "", "nodes.csv": nodes },
    code: "DATASET_FILE_EMPTY",
    place: { file: "edges.csv" },
    says: /no bytes/,
  },
  {
    what: "a file of blank lines",
    files: { "edges.csv": "\n\n\n", "nodes.csv": nodes },
    code: "DATASET_FILE_EMPTY",
    place: { file: "edges.csv" },
    says: /no rows/,
  },
  {
    what: "no edge and no node",
    files: { "edges.csv": "src,dst\n" },
    spec: { edges: spec.edges },
    code: "DATASET_FILE_EMPTY",
    place: {},
    says: /edges\.csv has no edge\. Upload at least one/,
  },
  {
    what: "binary junk",
    files: { "edges.csv": junk, "nodes.csv": nodes },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "edges.csv", line: 1 },
    says: /not a text file/,
  },
  {
    what: "bytes that are not UTF-8, far behind the beginning",
    files: {
      "edges.csv": Buffer.concat([Buffer.from(`src,dst\n${"a,b\n".repeat(100_000)}a,`), Buffer.from([0xff, 0x0a])]),
      "nodes.csv": nodes,
    },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "edges.csv", line: 100_002 },
    says: /not UTF-8/,
  },
  {
    what: "a gzip file that is cut off",
    files: { "edges.csv": gzipSync(edges.repeat(1000)).subarray(0, 60), "nodes.csv": nodes },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "edges.csv" },
    says: /cut off or damaged/,
  },
  {
    what: "two columns of one name",
    files: { "edges.csv": "src,src\na,b\n", "nodes.csv": nodes },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "edges.csv", line: 1, field: "src" },
    says: /two columns called "src"/,
  },
  {
    what: "Parquet that is none",
    files: { "edges.parquet": "PAR1 this is not it PAR1", "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, files: ["edges.parquet"] } },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "edges.parquet" },
    says: /not a whole Parquet file/,
  },
  {
    what: "a ragged edge list",
    files: { "edges.txt": "# comment\na\tb\n\nb  c  d\nc\n", "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, files: ["edges.txt"] } },
    code: "DATASET_ROW_INVALID",
    place: { file: "edges.txt", line: 4 },
    says: /found 3 columns, expected 2.* Also on lines 5/,
  },
  {
    what: "a file that was not uploaded",
    files: { "nodes.csv": nodes },
    code: "DATASET_FILE_MISSING",
    place: { file: "edges.csv" },
    says: /uploaded are: nodes.csv/,
  },
  {
    what: "an ending that no reader knows",
    files: { "edges.docx": edges, "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, files: ["edges.docx"] } },
    code: "DATASET_FORMAT_UNKNOWN",
    place: { file: "edges.docx" },
    says: /known are .*\.csv/,
  },
  {
    what: "a reader that does not exist",
    files: { "edges.csv": edges, "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, reader: { type: "telepathy" } } },
    code: "COMPONENT_UNKNOWN",
    place: {},
    says: /There is no reader "telepathy"/,
  },
  {
    what: "a reader option that does not exist",
    files: { "edges.csv": edges, "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, reader: { type: "csv", options: { delimiter: "@@" } } } },
    code: "SPEC_INVALID",
    place: { file: "edges.csv" },
    says: /reader csv/,
  },
  {
    what: "a repeated edge when repeats are errors",
    files: { "edges.csv": "src,dst\na,b\nb,a\n", "nodes.csv": nodes },
    spec: { ...spec, duplicates: "error" },
    code: "DATASET_DUPLICATE",
    place: {},
    says: /The edge b → a is there more than once/,
  },
  {
    what: "a weight that is not a number",
    files: { "edges.csv": "src,dst,w\na,b,1\nb,c,heavy\n", "nodes.csv": nodes },
    spec: { ...spec, edges: { ...spec.edges, weight: "w" } },
    code: "DATASET_VALUE_INVALID",
    place: { file: "edges.csv", line: 3, field: "w" },
    says: /"heavy"/,
  },
  {
    what: "a feature matrix that is none",
    files: { "edges.csv": edges, "nodes.csv": nodes, "x.npz": junk },
    spec: { ...spec, nodes: { ...spec.nodes, features: { file: "x.npz" } } },
    code: "DATASET_FORMAT_INVALID",
    place: { file: "x.npz" },
    says: /x\.npz/,
  },
];

describe("bad input", () => {
  it("refuses a zstd file that is cut off anywhere", async () => {
    const whole = await readFile(await copyAs("csv.zst", "SELECT range AS src, range * 7 AS dst FROM range(50000)"));
    for (const length of [whole.length - 1, whole.length >> 1, 10]) {
      const files = await filesArtifact({ "edges.csv.zst": whole.subarray(0, length) });
      const ingesting = runStep(ingestStep, { files }, { edges: { ...spec.edges, files: ["edges.csv.zst"] } });
      const place = { file: "edges.csv.zst" };
      await expect(ingesting).rejects.toMatchObject({ code: "DATASET_FORMAT_INVALID", place });
    }
    const files = await filesArtifact({ "edges.csv.zst": Buffer.concat([whole, whole]).subarray(0, whole.length) });
    const graph = await runStep(ingestStep, { files }, { edges: { ...spec.edges, files: ["edges.csv.zst"] } });
    expect(graph.manifest.info["report"]).toMatchObject({ edgeRows: 50_000 });
  });

  it("refuses a zip that declares a size of gigabytes for a few bytes", async () => {
    const zip = Buffer.from(zipSync({ "shape.npy": new Uint8Array(100) }));
    const directory = zip.indexOf(Buffer.from("PK\x01\x02"));
    zip.writeUInt32LE(0xfffffff0, directory + 24);
    const files = await filesArtifact({ "edges.csv": edges, "nodes.csv": nodes, "x.npz": zip });
    const mapped = { ...spec, nodes: { ...spec.nodes, features: { file: "x.npz" } } };
    await expect(runStep(ingestStep, { files }, mapped)).rejects.toThrow(/x\.npz: it is not a whole \.npz/);
  });

  it.each(cases)(
    "$what is refused as $code with its place",
    async ({ files, spec: mapped = spec, code, place, says }) => {
      const seen = runStep(ingestStep, { files: await filesArtifact(files) }, mapped);
      const error = await seen.then(
        () => expect.fail("the ingest should have failed"),
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: "GnnError", code, place });
      const { message } = error as Error;
      expect(message).toMatch(says);
      expect(message).not.toMatch(/files\/\d|DuckDB|read_csv|\/tmp\//);
    },
  );

  it("names the row of a Parquet file", async () => {
    const parquet = await copyAs("parquet", "SELECT * FROM (VALUES ('a', '1'), ('b', 'two')) t(id, f0)");
    const files = await filesArtifact({ "edges.csv": edges, "nodes.parquet": await readFile(parquet) });
    const mapped = { ...spec, nodes: { files: ["nodes.parquet"], id: "id", features: { columns: ["f0"] } } };
    await expect(runStep(ingestStep, { files }, mapped)).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "nodes.parquet", line: 2, field: "f0" },
    });
  });
});
