import { datasetSpec } from "@hopwise/contracts";
import { expect, test } from "vitest";
import { typeName, withRole } from "../../src/services/column-roles.ts";
import {
  type DatasetMapping,
  fittingSpec,
  mappingFromPreview,
  type PreviewFile,
  tableKey,
} from "../../src/services/dataset-mapping.ts";
import { specFromMapping } from "../../src/services/spec-from-mapping.ts";
import { previewFile } from "../support/preview-file.ts";

const edges = previewFile("edges.csv", [
  ["a", "src"],
  ["b", "dst"],
  ["w", "weight"],
]);
const nodes = previewFile("nodes.csv", [
  ["id", "id"],
  ["topic", "label"],
  ["part", "split"],
  ["f0", "feature"],
  ["f1", "feature"],
]);

test("proposed roles become the spec that ingest accepts", () => {
  const files = [edges, nodes];
  const result = specFromMapping(files, mappingFromPreview(files, null));
  const spec = "spec" in result ? result.spec : null;
  expect(spec?.edges).toMatchObject({ files: ["edges.csv"], src: "a", dst: "b", weight: "w" });
  expect(spec?.nodes).toEqual({
    files: ["nodes.csv"],
    id: "id",
    type: null,
    label: "topic",
    labelSeparator: null,
    labelColumns: [],
    labelFile: null,
    targets: [],
    split: "part",
    splitWords: {},
    splitMasks: null,
    features: { columns: ["f0", "f1"], widths: {}, missing: {} },
  });
  expect(datasetSpec.parse(spec)).toMatchObject(spec ?? {});
});

test("a file that holds a whole graph gives its edges and its nodes by the reader of each", () => {
  const whole = (part: string, columns: readonly [string, string][]): PreviewFile => ({
    ...previewFile("g.graphml", columns),
    reader: "graphml",
    options: { part },
  });
  const ends = whole("edges", [
    ["source", "src"],
    ["target", "dst"],
  ]);
  const described = whole("nodes", [
    ["id", "id"],
    ["label", "label"],
  ]);
  const files = [ends, described];
  const reader = (part: string) => ({ type: "graphml", options: { part } });
  const made = (mapping: DatasetMapping) => {
    const result = specFromMapping(files, mapping);
    return "spec" in result ? datasetSpec.parse(result.spec) : null;
  };
  const mapping = mappingFromPreview(files, null);
  const spec = made(mapping);
  expect(spec?.edges).toMatchObject({ files: ["g.graphml"], reader: reader("edges"), src: "source", dst: "target" });
  expect(spec?.nodes).toMatchObject({ files: ["g.graphml"], reader: reader("nodes"), id: "id", label: "label" });
  expect(made(mappingFromPreview(files, spec))).toEqual(spec);
  const latin = (part: string) => ({ type: "graphml", options: { part, encoding: "windows-1252" } });
  const inLatin = { ...mapping, readers: { edges: latin("edges"), nodes: latin("nodes") } };
  expect(made(inLatin)).toMatchObject({ edges: { reader: latin("edges") }, nodes: { reader: latin("nodes") } });
  const withoutNodes = { ...mapping, uses: { ...mapping.uses, [tableKey(described)]: "ignore" as const } };
  expect(made(withoutNodes)).toMatchObject({ nodes: null, edges: { files: ["g.graphml"] } });
});

test("reading the API's proposal and writing it again gives the proposal", () => {
  const files = [edges, nodes, previewFile("x.npz", [])];
  const proposed = datasetSpec.parse({
    edges: { files: ["edges.csv"], src: "b", dst: "a" },
    nodes: { files: ["nodes.csv"], id: "id", label: "topic", features: { file: "x.npz" } },
    directed: true,
    missingNodes: "add",
  });
  expect(specFromMapping(files, mappingFromPreview(files, proposed))).toEqual({ spec: proposed });
});

test.each([
  { label: "topic", labelSeparator: "|" },
  { labelColumns: ["f0", "f1"] },
  { type: "topic", typeRule: { map: { "a;b": "b" }, prefer: ["b", "a"] } },
  { targets: ["f0"], features: { columns: ["f1"] } },
  { labelFile: { files: ["labels.csv"], node: "id", label: "genre" } },
])("several labels and numbers to predict come back as they were: %j", (labelling) => {
  const files = [edges, nodes];
  const proposed = datasetSpec.parse({
    edges: { files: ["edges.csv"], src: "a", dst: "b", weight: "w" },
    nodes: { files: ["nodes.csv"], id: "id", ...labelling },
  });
  expect(specFromMapping(files, mappingFromPreview(files, proposed))).toEqual({ spec: proposed });
});

test("a rule for repeated ids comes back as it was, and goes with a matrix that counts every row", () => {
  const matrix = previewFile("x.npy", []);
  const files = [edges, nodes, matrix];
  const proposed = datasetSpec.parse({
    edges: { files: ["edges.csv"], src: "a", dst: "b" },
    nodes: { files: ["nodes.csv"], id: "id", repeatedIds: "last" },
  });
  const mapping = mappingFromPreview(files, proposed);
  expect(specFromMapping(files, mapping)).toMatchObject({ spec: { nodes: { repeatedIds: "last" } } });
  const withMatrix = specFromMapping(files, { ...mapping, uses: { ...mapping.uses, "x.npy": "features" } });
  const spec = "spec" in withMatrix ? withMatrix.spec : null;
  expect(spec?.nodes).not.toHaveProperty("repeatedIds");
});

test("an edge list alone makes a graph without a nodes file", () => {
  const result = specFromMapping([edges], mappingFromPreview([edges], null));
  expect(result).toMatchObject({ spec: { nodes: null } });
});

test("what is not decided is said in words", () => {
  const plain = previewFile("edges.csv", [["a", "src"]]);
  expect(specFromMapping([plain], mappingFromPreview([plain], null))).toEqual({
    missing: ["Choose the column with the destination id of each edge."],
  });
  const matrix = previewFile("x.npy", []);
  expect(specFromMapping([edges, matrix], mappingFromPreview([edges, matrix], null))).toEqual({
    missing: ["A feature matrix needs a nodes file: its rows follow that file's order."],
  });
});

test("a role for one column leaves the column that had it; features may be many", () => {
  expect(withRole({ a: "src", b: "dst" }, "b", "src")).toEqual({ a: "ignore", b: "src" });
  expect(withRole({ a: "feature", b: "ignore" }, "b", "feature")).toEqual({ a: "feature", b: "feature" });
});

test("a column name with a comma, a quote or an emoji stays as it is", () => {
  const odd = previewFile("e.csv", [
    ['from, "x"', "src"],
    ["🐙", "dst"],
  ]);
  const result = specFromMapping([odd], mappingFromPreview([odd], null));
  expect(result).toMatchObject({ spec: { edges: { src: 'from, "x"', dst: "🐙" } } });
});

test("the mapping of the version before is taken as long as the files that are used are the same", () => {
  const earlier = datasetSpec.parse({ edges: { files: ["edges.csv"], src: "b", dst: "a" } });
  const withNodes = datasetSpec.parse({ ...earlier, nodes: { files: ["nodes.csv"], id: "id" } });
  expect(fittingSpec([edges], earlier, earlier)).toBe(earlier);
  expect(fittingSpec([edges], earlier, null)).toBe(earlier);
  expect(fittingSpec([edges, nodes], earlier, withNodes)).toBeNull(); // a file that it does not know
  expect(fittingSpec([edges], withNodes, earlier)).toBeNull(); // a file that is gone
  expect(fittingSpec([edges], null, earlier)).toBeNull();
});

test("types of columns are said in words; one that has no better word is said as it is", () => {
  expect(["int64", "double", "boolean", "text", "list"].map((type) => typeName({ type }))).toEqual([
    "whole number",
    "number",
    "true or false",
    "text",
    "list",
  ]);
});

test("files of pairs without a link are mapped for both sides or for neither", () => {
  const pairs = (name: string) =>
    previewFile(name, [
      ["a", "src"],
      ["b", "dst"],
    ]);
  const files = [edges, pairs("val.csv"), pairs("test.csv")];
  const spec = datasetSpec.parse({
    edges: {
      files: ["edges.csv"],
      src: "a",
      dst: "b",
      weight: "w",
      negatives: { val: ["val.csv"], test: ["test.csv"] },
    },
  });
  const mapping = mappingFromPreview(files, spec);
  expect(mapping.uses).toMatchObject({ "val.csv": "valNegatives", "test.csv": "testNegatives" });
  const result = specFromMapping(files, mapping);
  expect("spec" in result && datasetSpec.parse(result.spec)).toEqual(spec);
  expect(fittingSpec(files, spec, null)).toBe(spec);
  expect(fittingSpec(files.slice(0, 2), spec, null)).toBeNull();
  const half = { ...mapping, uses: { ...mapping.uses, "test.csv": "ignore" as const } };
  expect(specFromMapping(files, half)).toEqual({
    missing: ["Pairs without a link are needed both for validation and for the test: choose a file of each."],
  });
});
