import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GraphInfo } from "../../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../../src/io/npy.ts";
import { ingestStep } from "../../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../../support/run-step.ts";

type Files = Record<string, string>;

const files = { "edges.csv": "src,dst\na,b\nb,c\n", "nodes.csv": "id,x\na,1\nb,2\nc,3\n" };

const specOf = (nodes: object) => ({
  edges: { files: ["edges.csv"], src: "src", dst: "dst" },
  nodes: { files: ["nodes.csv"], id: "id", ...nodes },
});

async function read(more: Files, nodes: object) {
  const { dir, manifest } = await runStep(
    ingestStep,
    { files: await filesArtifact({ ...files, ...more }) },
    specOf(nodes),
  );
  return { dir, info: manifest.info as GraphInfo };
}

function issuesOf(nodes: object, others: object = {}) {
  const { error } = ingestStep.options.safeParse({ ...specOf(nodes), ...others });
  return error?.issues.map(({ path, message }) => `${path.join("/")}: ${message}`) ?? [];
}

const labels = { files: ["labels.csv"], id: "who" };

describe("a table that is joined", () => {
  it("is refused where it has ids that no node has, with their number", async () => {
    const more = { "labels.csv": "who,y\nb,q\nz,p\na,q\nw,p\nv,p\n" };
    await expect(read(more, { label: "y", join: [labels] })).rejects.toMatchObject({
      code: "DATASET_NODE_UNKNOWN",
      message:
        'labels.csv, line 3, column "who": "z" is not among the ids of the nodes, nor are those of 2 other rows. Add the nodes, remove the rows, or set unknown to drop: such rows are then left out.',
      place: { file: "labels.csv", line: 3, field: "who" },
    });
    const { info } = await read(more, { label: "y", join: [{ ...labels, unknown: "drop" }] });
    expect(info.classes).toEqual(["q"]);
    expect(info.report.warnings).toEqual(
      expect.arrayContaining([
        'Joining the table with "y": 3 rows of it were left out, as their ids are not among the nodes.',
        'Joining the table with "y": 1 of 3 nodes has no row in it, and nothing of it.',
      ]),
    );
  });

  it("has one row for each node, unless later ones replace the earlier", async () => {
    const more = { "labels.csv": "who,y\nb,q\na,q\nb,p\n" };
    await expect(read(more, { label: "y", join: [labels] })).rejects.toMatchObject({
      code: "DATASET_DUPLICATE",
      message: expect.stringMatching(/^labels\.csv, line 4, column "who": the id "b" is there a second time;/),
      place: { file: "labels.csv", line: 4, field: "who" },
    });
    const { info } = await read(more, { label: "y", repeatedIds: "last", join: [labels] });
    expect(info.labelCounts).toMatchObject([
      { label: "p", count: 1 },
      { label: "q", count: 1 },
    ]);
  });

  it("leaves nodes without a row unlabelled and in no split, and their targets not known", async () => {
    const more = { "labels.csv": "who,y,side,t\nb,q,train,1.5\n" };
    const { dir, info } = await read(more, { label: "y", split: "side", targets: ["t"], join: [labels] });
    expect(info.classes).toEqual(["q"]);
    expect(info.splits).toMatchObject({ train: 1, val: 0, test: 0 });
    const { values } = await readNpy(join(dir, "nodes/targets.npy"), "float32");
    expect(Array.from(values)).toEqual([Number.NaN, 1.5, Number.NaN]);
    expect(info.report.warnings).toContain(
      'Joining the table with "y", "side", "t": 2 of 3 nodes have no row in it, and nothing of it.',
    );
  });

  it("says of a feature that a node does not have where it looked for it", async () => {
    const more = { "ages.csv": "who,age,mood\nb,2,m\na,1,\n" };
    const ages = { files: ["ages.csv"], id: "who", columns: [{ column: "age", as: "years" }, "mood"] };
    await expect(read(more, { features: { columns: ["years"] }, join: [ages] })).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      message:
        'nodes.csv, line 4, column "years": the feature is empty; expected a number. Fill it in, or say in features.missing what to take instead. The node has no row in ages.csv.',
    });
    const kinds = { features: { columns: [], oneHot: ["mood"] }, join: [ages] };
    await expect(read(more, kinds)).rejects.toMatchObject({
      message: expect.stringMatching(/^ages\.csv, line 3, column "mood": the kind is empty/),
      place: { file: "ages.csv", line: 3, field: "mood" },
    });
    const missing = { years: { fill: -1, indicator: false } };
    const { dir } = await read(more, { features: { columns: ["x", "years"], missing }, join: [ages] });
    const { values } = await readNpy(join(dir, "nodes/features.npy"), "float32");
    expect(Array.from(values)).toEqual([1, 1, 2, 2, 3, -1]);
  });

  it("names cells by the table that they stand in, in its words", async () => {
    const more = { "ages.csv": "who,age\nc,3\nb,old\na,1\n", "more.csv": "who,age\n", "sides.csv": "who,s\nb,teach\n" };
    const ages = { files: ["ages.csv", "more.csv"], id: "who", columns: [{ column: "age", as: "years" }] };
    await expect(read(more, { features: { columns: ["years"] }, join: [ages] })).rejects.toMatchObject({
      code: "DATASET_VALUE_INVALID",
      place: { file: "ages.csv", line: 3, field: "age" },
    });
    await expect(read(more, { split: "s", join: [{ files: ["sides.csv"], id: "who" }] })).rejects.toMatchObject({
      message: expect.stringMatching(/^sides\.csv, line 2, column "s": "teach" is no split/),
      place: { file: "sides.csv", line: 2, field: "s" },
    });
  });

  it("needs the columns that are named, and ids in each row", async () => {
    const more = { "labels.csv": "who,y\na,q\n,p\n" };
    const missing = (nodes: object) => expect(read(more, nodes)).rejects;
    await missing({ join: [{ ...labels, id: "user" }] }).toMatchObject({
      code: "DATASET_COLUMN_MISSING",
      message: 'labels.csv has no column "user"; its columns are: who, y.',
    });
    await missing({ join: [{ ...labels, columns: ["y", "z"] }] }).toThrow('labels.csv has no column "z"');
    await missing({ label: "class", join: [labels] }).toMatchObject({
      code: "DATASET_COLUMN_MISSING",
      message:
        'nodes.csv has no column "class", and no table joined to it gives one; its columns are: id, x; labels.csv gives y.',
    });
    await missing({ label: "y", join: [labels] }).toThrow('labels.csv, line 3, column "who": the id is empty');
  });

  it("is asked for another name where two tables have a column of one name, and it is used", async () => {
    const more = { "labels.csv": "who,x,y\na,5,q\nb,6,q\nc,7,q\n" };
    const { info } = await read(more, { label: "y", join: [labels] });
    expect(info.classes).toEqual(["q"]);
    await expect(read(more, { features: { columns: ["x"] }, join: [labels] })).rejects.toMatchObject({
      code: "SPEC_INVALID",
      message: expect.stringMatching(/a column "x" each, nodes\.csv and labels\.csv, .* "as": …\}\.$/),
    });
    const columns = [{ column: "x", as: "x2" }, "y"];
    const { dir } = await read(more, { features: { columns: ["x2", "x"] }, join: [{ ...labels, columns }] });
    const { values } = await readNpy(join(dir, "nodes/features.npy"), "float32");
    expect(Array.from(values)).toEqual([5, 1, 6, 2, 7, 3]);
  });

  it("may call its ids as the nodes do", async () => {
    const more = { "labels.csv": "id,y\nc,q\na,p\n" };
    const { info } = await read(more, { label: "y", join: [{ files: ["labels.csv"], id: "id" }] });
    expect(info.classes).toEqual(["p", "q"]);
  });
});

describe("reading joined tables", () => {
  const more = { "labels.csv": "who,y\na,q\nb,p\n", "train.csv": "id\na\n" };
  const given = { label: "y", join: [labels], splitFiles: { train: { files: ["train.csv"], id: "id" } } };

  it("tells each of its passes, and can be ended in each", async () => {
    const artifact = await filesArtifact({ ...files, ...more });
    const seen: string[] = [];
    const phases = new Set(["read ids", "read split", "read joined rows", "read nodes"]);
    await runStep(ingestStep, { files: artifact }, specOf(given), {
      onEvent: (event) => event.type === "progress" && phases.has(event.phase) && seen.push(event.phase),
    });
    expect([...new Set(seen)]).toEqual([...phases]);
    for (const phase of phases) {
      const ending = new AbortController();
      const running = runStep(ingestStep, { files: artifact }, specOf(given), {
        signal: ending.signal,
        onEvent: (event) => event.type === "progress" && event.phase === phase && ending.abort(),
      });
      await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
    }
  });
});

describe("lists of ids", () => {
  const list = (file: string) => ({ files: [file], id: "id" });

  it("are refused where a node is in two of them, or twice in one, or is no node", async () => {
    const more = {
      "train.csv": "id\na\nb\n",
      "test.csv": "id\nc\nb\n",
      "twice.csv": "id\na\na\n",
      "odd.csv": "id\nz\n",
    };
    const sides = (train: string, test: string) => read(more, { splitFiles: { train: list(train), test: list(test) } });
    await expect(sides("train.csv", "test.csv")).rejects.toMatchObject({
      code: "DATASET_DUPLICATE",
      message: 'test.csv, line 3, column "id": the node "b" is in the list of train too; a node belongs to one side.',
    });
    await expect(sides("twice.csv", "test.csv")).rejects.toThrow('twice.csv, line 3, column "id": the id "a" is there');
    await expect(sides("odd.csv", "test.csv")).rejects.toMatchObject({
      code: "DATASET_NODE_UNKNOWN",
      place: { file: "odd.csv", line: 2, field: "id" },
    });
    const dropped = { train: { ...list("odd.csv"), unknown: "drop" }, test: list("test.csv") };
    const { info } = await read(more, { splitFiles: dropped });
    expect(info.splits).toMatchObject({ train: 0, val: 0, test: 2 });
    expect(info.report.warnings).toContain(
      "Joining the list of train: 1 row of it was left out, as its id is not among the nodes.",
    );
  });

  it("are the only place of the split", () => {
    expect(issuesOf({ split: "x", splitFiles: { train: list("train.csv") } })).toEqual([
      "nodes/splitFiles: The split comes from one of split, splitMasks and splitFiles; set only one of them",
    ]);
    expect(issuesOf({ splitFiles: { test: list("test.csv") } })[0]).toMatch(/^nodes\/splitFiles\/train: /);
  });
});

it("A spec does not call two joined columns alike, or one as the id, and joins no ids of single graphs", () => {
  const clash = [
    { ...labels, columns: ["y", { column: "z", as: "id" }] },
    { ...labels, columns: ["y"] },
  ];
  expect(issuesOf({ join: clash })).toEqual([
    'nodes/join/0/columns/1: "id" is the id of the nodes already; give this one another name, as in {"column": "label", "as": "job"}',
    'nodes/join/1/columns/0: "y" is a column of a join already; give this one another name, as in {"column": "label", "as": "job"}',
  ]);
  const graphs = { graphs: { files: ["graphs.csv"], id: "g" } };
  const edges = { files: ["edges.csv"], src: "src", dst: "dst", graph: "g" };
  expect(issuesOf({ graph: "g", join: [labels] }, { ...graphs, edges })).toEqual([
    "nodes/join: Ids that count inside a graph do not tell which node a row of another table is about; write the columns into the table of nodes",
  ]);
});
