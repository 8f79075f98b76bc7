import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphInfo } from "../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../src/io/npy.ts";
import { featureNames } from "../../src/serving/new-nodes/feature-names.ts";
import { featureReader } from "../../src/serving/new-nodes/feature-reader.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";

type Files = Record<string, string>;

const edges = "src,dst\na,b\nb,c\n";
const reader = { type: "json-lists", options: {} };
const section = {
  files: ["nodes.csv"],
  id: "id",
  features: { columns: ["age"], oneHot: ["kind"], multiHot: "value" },
  join: [{ files: ["lists.json"], reader, id: "key" }],
};
const ofEdges = { files: ["edges.csv"], src: "src", dst: "dst" };

async function built(files: Files, nodes: object) {
  const uploaded = await filesArtifact({ "edges.csv": edges, ...files });
  const { dir, manifest } = await runStep(ingestStep, { files: uploaded }, { edges: ofEdges, nodes });
  const info = manifest.info as GraphInfo;
  return { info, rows: await rowsOf(dir, info.features) };
}

async function rowsOf(dir: string, { kind, dim }: GraphInfo["features"]): Promise<number[][]> {
  expect(kind).toBe("csr");
  const at = (name: string) => join(dir, "nodes/features", name);
  const indptr = [...(await readNpy(at("indptr.npy"), "int64")).values].map(Number);
  const { values: indices } = await readNpy(at("indices.npy"), "int32");
  const { values: data } = await readNpy(at("data.npy"), "float32");
  return indptr.slice(1).map((end, row) => {
    const dense = Array.from({ length: dim }, () => 0);
    for (let entry = indptr[row]!; entry < end; entry++) dense[indices[entry]!]! += data[entry]!;
    return dense;
  });
}

const nodeRow = fc.record({
  age: fc.constantFrom(0, 1, -2.5),
  kind: fc.constantFrom("k", "l"),
  list: fc.option(fc.array(fc.nat(9), { maxLength: 6 })),
});

describe("lists of indices by id", () => {
  it("are the ones of a matrix made by hand, behind kinds and numbers, in whatever order the lists come", async () => {
    const drawn = fc.record({ rows: fc.array(nodeRow, { minLength: 3, maxLength: 8 }), turned: fc.boolean() });
    const cases = fc.asyncProperty(drawn, async ({ rows, turned }) => {
      const names = rows.map((_, i) => "abcdefgh"[i]!);
      // Some list has to have an index, and each kind a node.
      const given = rows.map((row, i) => ({ ...row, ...(i < 2 && { kind: "kl"[i]!, list: [i, 4] }) }));
      const entries = given.flatMap(({ list }, i) => (list ? [[names[i]!, list] as const] : []));
      const csv = ["id,age,kind", ...given.map(({ age, kind }, i) => `${names[i]},${age},${kind}`)].join("\n");
      const lists = JSON.stringify(Object.fromEntries(turned ? entries.toReversed() : entries));
      const { info, rows: found } = await built({ "nodes.csv": `${csv}\n`, "lists.json": lists }, section);
      const width = 1 + Math.max(...entries.flatMap(([, list]) => list));
      const wanted = given.map(({ age, kind, list }) => [
        kind === "k" ? 1 : 0,
        kind === "l" ? 1 : 0,
        age,
        ...Array.from({ length: width }, (_, index) => (list?.includes(index) ? 1 : 0)),
      ]);
      expect(found).toEqual(wanted);
      expect(info.features.dim).toBe(3 + width);
    });
    await fc.assert(cases, { numRuns: 12 });
  });

  const nodes = "id,age,kind\na,1,k\nb,2,l\nc,3,k\n";

  it("have as many columns as widths says, and names by which new nodes are given theirs", async () => {
    const features = { ...section.features, widths: { value: 5 } };
    const { info } = await built(
      { "nodes.csv": nodes, "lists.json": '{"a": [0, 1], "c": [1]}' },
      { ...section, features },
    );
    const spec = ingestStep.options.parse({ edges: ofEdges, nodes: { ...section, features } });
    expect(featureNames(info, spec)).toEqual([
      "kind = k",
      "kind = l",
      "age",
      ...[0, 1, 2, 3, 4].map((i) => `value[${i}]`),
    ]);
    const row = new Float32Array(8);
    featureReader(info, spec).read({ kind: "l", age: 2, value: [4, 0] }, 0, 0, row);
    expect([...row]).toEqual([0, 1, 2, 1, 0, 0, 0, 1]);
    expect(() => featureReader(info, spec).read({ kind: "l", age: 2, value: [5] }, 0, 0, row)).toThrow(
      "expected indices from 0 to 4",
    );
  });

  it("tell of nodes without a list and of indices that stand twice", async () => {
    const { info } = await built({ "nodes.csv": nodes, "lists.json": '{"a": [2, 2, 0], "b": []}' }, section);
    expect(info.report.warnings).toEqual(
      expect.arrayContaining([
        '1 node has no list in "value": all features of it are 0 there.',
        '1 list of "value" name an index twice: it counts once.',
      ]),
    );
  });

  it.each([
    ['{"a": [0], "c": [1, -1]}', /^lists\.json, line 2, column "value": "-1", number 2 of the list, is no index/],
    ['{"a": [0, 1.5]}', /line 1, column "value": "1.5", number 2 of the list/],
    ['{"a": [0], "b": [5000000000]}', /line 2, column "value": "5000000000", number 1/],
    ['{"a": [], "b": []}', /no row lists an index of a feature/],
    ['{"a": [0], "z": [1]}', /^lists\.json, line 2, column "key": "z" is not among the ids/],
    ['{"a": [0], "a": [1]}', /^lists\.json, line 2, column "key": the id "a" is there a second time/],
    ['{"a": [0], "b": [1', /lists\.json is not JSON throughout; its end is missing/],
  ])("are refused at the entry that is wrong: %s", async (lists, message) => {
    const building = built({ "nodes.csv": nodes, "lists.json": lists }, section);
    await expect(building).rejects.toThrow(message);
  });

  it("of one type of several have columns of their own", async () => {
    const spec = {
      nodeTypes: {
        page: { files: ["pages.jsonl"], id: "id", features: { columns: [], multiHot: "words" } },
        user: { files: ["users.csv"], id: "id", features: { columns: ["age"] } },
      },
      relations: [
        { source: "user", name: "likes", target: "page", files: ["edges.csv"], src: "src", dst: "dst", reverse: false },
      ],
    };
    const uploaded = await filesArtifact({
      "edges.csv": "src,dst\nu,p\nv,q\n",
      "pages.jsonl": '{"id": "p", "words": [2]}\n{"id": "q", "words": [0, 1]}\n',
      "users.csv": "id,age\nu,7\nv,8\n",
    });
    const { dir, manifest } = await runStep(ingestStep, { files: uploaded }, spec);
    const { features } = manifest.info as GraphInfo;
    expect(features.types).toEqual([
      { name: "page", first: 0, dim: 3 },
      { name: "user", first: 3, dim: 1 },
    ]);
    expect(await rowsOf(dir, features)).toEqual([
      [0, 0, 1, 0],
      [1, 1, 0, 0],
      [0, 0, 0, 7],
      [0, 0, 0, 8],
    ]);
  });
});
