import { describe, expect, it } from "vitest";
import { Uploads } from "../../src/io/archives/uploads.ts";
import type { NodesSection } from "../../src/io/dataset-spec.ts";
import type { GraphInfo } from "../../src/io/ingest/ingest-report.ts";
import { findLastRows } from "../../src/io/ingest/last-rows.ts";
import { readNodeSection } from "../../src/io/ingest/read-last-rows.ts";
import { Deadline } from "../../src/io/limits/deadline.ts";
import { defaultReadingLimits } from "../../src/io/limits/reading-limits.ts";
import { StepProgress } from "../../src/io/step-progress.ts";
import { uploadedFilesOf } from "../../src/io/uploaded-files.ts";
import { loadRegistry } from "../../src/spec/index.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep, temporaryDir } from "../support/run-step.ts";

type Files = Record<string, string>;
type Row = readonly string[];

async function graphOf(files: Files, spec: unknown) {
  const { manifest } = await runStep(ingestStep, { files: await filesArtifact(files) }, spec);
  const digests = manifest.blobs.map(({ name, sha256 }) => [name, sha256]);
  return { info: manifest.info as GraphInfo, digests };
}

/** The rows as they have to be read: the last of each id, where the first stood. By brute force. */
function lastInPlace(rows: readonly Row[]): Row[] {
  const isFirst = (row: Row, at: number) => rows.findIndex(([id]) => id === row[0]) === at;
  return rows.filter(isFirst).map(([id]) => rows.findLast(([other]) => other === id)!);
}

const text = (head: string, rows: readonly Row[]) => `${[head, ...rows.map((row) => row.join(","))].join("\n")}\n`;

const head = "id,label,age,vec,kind,split";
const labels = ["cs", "bio", "", "math"];
const splits = ["train", "val", "test", "none"];

/** Row i of a table whose values all depend on i, so that a mix of two rows is seen */
function nodeRow(id: string, i: number): Row {
  const vector = `"[${i}, ${i / 4}]"`;
  return [id, labels[i % 4]!, i % 7 === 3 ? "" : String(i / 2), vector, `k${i % 3}`, splits[i % 4]!];
}

const nodes = {
  id: "id",
  label: "label",
  split: "split",
  repeatedIds: "last",
  features: {
    columns: ["age", "vec"],
    widths: { vec: 2 },
    missing: { age: { fill: "mean" } },
    oneHot: ["kind"],
  },
};
const edges = { files: ["edges.csv"], src: "src", dst: "dst" };

describe("a later row of the same id", () => {
  it.each([
    ["numbers", (i: number) => String(i)],
    ["texts", (i: number) => `n${i}`],
    ["numbers and texts", (i: number) => (i % 2 ? String(i) : `n ${i}`)],
  ])("replaces the earlier one, whole and in its place, where ids are %s", async (_, idOf) => {
    // Ids 0 … 19, then 5, 8, …, then 3, 8, …: some are there three times, some in two files, some twice in one.
    const order = [...Array(20).keys(), 5, 8, 11, 14, 5, 17, 20, 3, 8, 21, 0];
    const rows = order.map((id, i) => nodeRow(idOf(id), i));
    const files = {
      "edges.csv": text(
        "src,dst",
        order.map((id, i) => [idOf(id), idOf((i * 7) % 20)]),
      ),
      "nodes.csv": text(head, rows.slice(0, 22)),
      "tuesday.csv": text(head, rows.slice(22, 27)),
      "wednesday.csv": text(head, rows.slice(27)),
    };
    const spec = { edges, nodes: { ...nodes, files: ["nodes.csv", "tuesday.csv", "wednesday.csv"] } };
    const read = await graphOf(files, spec);
    const edited = { "edges.csv": files["edges.csv"], "nodes.csv": text(head, lastInPlace(rows)) };
    const expected = await graphOf(edited, { edges, nodes: { ...nodes, repeatedIds: "error", files: ["nodes.csv"] } });
    expect(read.digests).toEqual(expected.digests);
    const { report, ...others } = read.info;
    const { report: _report, ...expectedOthers } = expected.info;
    expect(others).toEqual(expectedOthers);
    // 31 rows of 22 ids: the first rows of 0, 3, 5, 8, 11, 14 and 17, and the second ones of 5 and 8.
    expect(report).toMatchObject({
      rowsRead: 31 + 31,
      nodeRows: 31,
      replacedRows: 9,
      files: [
        { name: "nodes.csv", nodeRows: 22, edgeRows: 0, replacedRows: 7 + 2 },
        { name: "tuesday.csv", nodeRows: 5, edgeRows: 0 },
        { name: "wednesday.csv", nodeRows: 4, edgeRows: 0 },
        { name: "edges.csv", nodeRows: 0, edgeRows: 31 },
      ],
    });
    expect(report.warnings).toContain("9 rows of nodes were replaced by later rows of the same id (9 of nodes.csv).");
  });

  it("is looked for in its type alone, and leaves edges as they are", async () => {
    const rows = ["a", "b", "c", "a", "b"].map((id, i) => nodeRow(id, i));
    const files = {
      "papers.csv": text(head, rows),
      "people.csv": "name\na\nb\n",
      "wrote.csv": "who,what\na,a\nb,c\na,a\n",
    };
    const spec = (repeatedIds: string) => ({
      nodeTypes: {
        paper: { ...nodes, repeatedIds, files: ["papers.csv"] },
        person: { files: ["people.csv"], id: "name" },
      },
      relations: [{ source: "person", name: "wrote", target: "paper", files: ["wrote.csv"], src: "who", dst: "what" }],
    });
    const read = await graphOf(files, spec("last"));
    const expected = await graphOf({ ...files, "papers.csv": text(head, lastInPlace(rows)) }, spec("error"));
    expect(read.digests).toEqual(expected.digests);
    expect(read.info.report).toMatchObject({ nodeRows: 5 + 2, replacedRows: 2, edgeRows: 3, duplicateEdges: 1 });
    expect(read.info.report.files).toBeUndefined();
    expect(read.info.report.warnings).toContain("2 rows of nodes were replaced by later rows of the same id.");
  });

  it("counts inside its graph where ids do", async () => {
    const files = {
      "edges.csv": "graph,src,dst\n1,a,b\n2,a,b\n",
      "nodes.csv": "graph,id,x\n1,a,1\n1,b,2\n1,a,3\n2,a,4\n2,b,5\n",
      "graphs.csv": "graph,label\n1,yes\n2,no\n",
    };
    const spec = (repeatedIds: string) => ({
      edges: { ...edges, graph: "graph" },
      nodes: { files: ["nodes.csv"], id: "id", graph: "graph", repeatedIds, features: { columns: ["x"] } },
      graphs: { files: ["graphs.csv"], id: "graph", label: "label" },
    });
    const edited = { ...files, "nodes.csv": "graph,id,x\n1,a,3\n1,b,2\n2,a,4\n2,b,5\n" };
    const read = await graphOf(files, spec("last"));
    expect(read.digests).toEqual((await graphOf(edited, spec("error"))).digests);
  });

  it("changes nothing, the report included, where no id is repeated", async () => {
    const files = { "edges.csv": "src,dst\na,b\n", "nodes.csv": text(head, [nodeRow("a", 1), nodeRow("b", 2)]) };
    const spec = (repeatedIds: string) => ({ edges, nodes: { ...nodes, repeatedIds, files: ["nodes.csv"] } });
    const [read, expected] = [await graphOf(files, spec("last")), await graphOf(files, spec("error"))];
    expect(read).toEqual(expected);
  });

  it("that cannot be read is named by its own file and line", async () => {
    const files = {
      "edges.csv": "src,dst\na,b\n",
      "nodes.csv": text(head, [nodeRow("a", 1), nodeRow("b", 2)]),
      "more.csv": `${head}\nc,cs,1,"[1, 2]",k0,train\nb,cs,1,"[1, 2]",k0,teach\n`,
    };
    const spec = { edges, nodes: { ...nodes, files: ["nodes.csv", "more.csv"] } };
    await expect(graphOf(files, spec)).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      message: expect.stringMatching(/^more\.csv, line 3, column "split": "teach"/),
      place: { file: "more.csv", line: 3, field: "split" },
    });
    const empty = { ...files, "more.csv": `${head}\nb,cs,1,"[1, 2]",k0,train\n,cs,1,"[1, 2]",k0,train\n` };
    await expect(graphOf(empty, spec)).rejects.toThrow(/^more\.csv, line 3, column "id": the id is empty/);
  });

  it("may not be one where features are the rows of a matrix", async () => {
    const spec = { edges, nodes: { files: ["nodes.csv"], id: "id", repeatedIds: "last", features: { file: "x.npy" } } };
    const { success, error } = ingestStep.options.safeParse(spec);
    expect(success).toBe(false);
    expect(error?.issues).toMatchObject([
      { path: ["nodes", "repeatedIds"], message: expect.stringMatching(/rows of a matrix/) },
    ]);
  });

  it("is fetched with few others at a time, and from each file that has some", async () => {
    const rows = [...Array(40).keys()].map((i) => nodeRow(`n${i % 15}`, i));
    const files = ["a.csv", "b.csv", "c.csv"];
    const cuts = [rows.slice(0, 18), rows.slice(18, 29), rows.slice(29)];
    const context = await contextOf(Object.fromEntries(files.map((name, i) => [name, text(head, cuts[i]!)])));
    const section = { ...nodes, files } as unknown as NodesSection;
    const last = await findLastRows(context, section, false);
    const wanted = [
      { name: "id", as: "text" },
      { name: "vec", as: "vector", width: 2 },
    ] as const;
    for (const rowsAtOnce of [1, 2, 7, 100]) {
      const found: (string | number)[][] = [];
      for await (const { numRows, columns } of readNodeSection(context, section, wanted, "read", last, rowsAtOnce)) {
        const [ids, vectors] = columns as unknown as [string[], Float64Array];
        for (let i = 0; i < numRows; i++) found.push([ids[i]!, vectors[2 * i]!, vectors[2 * i + 1]!]);
      }
      const expected = lastInPlace(rows).map(([id, , , vector]) => [id, ...JSON.parse(vector!.slice(1, -1))]);
      expect(found).toEqual(expected);
    }
  });
});

async function contextOf(files: Files) {
  const [scratchDir, limits] = [await temporaryDir("rows"), defaultReadingLimits];
  const uploaded = uploadedFilesOf(await filesArtifact(files));
  return {
    files: new Uploads(uploaded, { scratchDir, limits, check: () => {} }),
    registry: await loadRegistry(),
    outDir: scratchDir,
    scratchDir,
    progress: new StepProgress({ onEvent: () => {}, signal: new AbortController().signal }),
    limits,
    deadline: new Deadline(limits.ingestSeconds),
    notes: new Set<string>(),
    onFailure: [],
  };
}
