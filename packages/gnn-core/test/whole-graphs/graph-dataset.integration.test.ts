import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import type { DatasetSpec } from "../../src/io/dataset-spec.ts";
import { datasetSpec } from "../../src/io/dataset-spec.ts";
import { graphInfo } from "../../src/io/ingest/ingest-report.ts";
import { readNpy } from "../../src/io/npy.ts";
import type { PreviewInfo } from "../../src/io/preview/preview-info.ts";
import { ingestStep } from "../../src/steps/ingest.step.ts";
import { mapStep } from "../../src/steps/map.step.ts";
import { filesArtifact, runStep } from "../support/run-step.ts";
import { ringTables } from "./support/rings.ts";

type Files = Record<string, string | Uint8Array>;

async function preview(contents: Files): Promise<PreviewInfo> {
  const { manifest } = await runStep(mapStep, { files: await filesArtifact(contents) }, {});
  return manifest.info as PreviewInfo;
}

async function ingest(contents: Files, spec: unknown) {
  const artifact = await runStep(ingestStep, { files: await filesArtifact(contents) }, spec);
  const read = async (name: string, dtype: "int32" | "float32" | "int8") => [
    ...(await readNpy(join(artifact.dir, name), dtype)).values,
  ];
  return { info: graphInfo.parse(artifact.manifest.info), read };
}

/** Two graphs: a path of three nodes and a pair; the table of graphs names the second one first. */
const tables = {
  "edges.csv": "src,dst\na,b\nb,c\nd,e\n",
  "nodes.csv": "id,graph,atom,charge\na,one,C,0.5\nb,one,N,0.25\nc,one,C,1.5\nd,two,O,2.5\ne,two,O,3.5\n",
  "graphs.csv": "graph,class,solubility,split,fold\ntwo,toxic,-1.5,test,k2\none,harmless,,train,k1\n",
};
const spec = {
  edges: { files: ["edges.csv"], src: "src", dst: "dst" },
  nodes: { files: ["nodes.csv"], id: "id", graph: "graph", features: { columns: ["charge"], oneHot: ["atom"] } },
  graphs: {
    files: ["graphs.csv"],
    id: "graph",
    label: "class",
    targets: ["solubility"],
    split: "split",
    fold: "fold",
  },
};

test("graphs are counted in the order of their nodes, and know what their own table says", async () => {
  const { info, read } = await ingest(tables, spec);
  expect(info.graphs).toEqual({
    numGraphs: 2,
    idType: "string",
    classes: ["harmless", "toxic"],
    labelCounts: [
      { label: "harmless", count: 1 },
      { label: "toxic", count: 1 },
    ],
    targets: [{ name: "solubility", count: 1, mean: -1.5, deviation: 0, min: -1.5, max: -1.5 }],
    splits: { train: 1, val: 0, test: 1, none: 0 },
    folds: [
      { name: "k1", count: 1 },
      { name: "k2", count: 1 },
    ],
    nodes: { min: 2, mean: 2.5, max: 3 },
    edges: { min: 2, mean: 3, max: 4 },
    sizeHistogram: { edges: [1, 2, 4], counts: [0, 2] },
  });
  expect(await read("graphs/offsets.npy", "int32")).toEqual([0, 3, 5]);
  expect(await read("graphs/nodes/labels.npy", "int32")).toEqual([0, 1]);
  expect(await read("graphs/nodes/targets.npy", "float32")).toEqual([Number.NaN, -1.5]);
  expect(await read("graphs/nodes/split.npy", "int8")).toEqual([1, 3]);
  expect(await read("graphs/fold.npy", "int32")).toEqual([0, 1]);
  expect(info.features).toMatchObject({ dim: 4, oneHot: [{ name: "atom", values: ["C", "N", "O"] }] });
  expect((await read("nodes/features.npy", "float32")).slice(0, 8)).toEqual([1, 0, 0, 0.5, 0, 1, 0, 0.25]);
});

test("folds may stand in a table of their own", async () => {
  const files = { ...tables, "folds.csv": "graph,fold\none,2\ntwo,10\n" };
  const foldFile = { files: ["folds.csv"], graph: "graph", fold: "fold" };
  const { info, read } = await ingest(files, { ...spec, graphs: { ...spec.graphs, fold: null, foldFile } });
  expect(info.graphs!.folds.map(({ name }) => name)).toEqual(["2", "10"]);
  expect(await read("graphs/fold.npy", "int32")).toEqual([0, 1]);
});

test("the mapping of a graph-id column is proposed as a whole, and the ingest step takes it", async () => {
  const { proposed, warnings } = await preview(ringTables(24));
  expect(proposed).toMatchObject({
    edges: { files: ["edges.csv"], src: "src", dst: "dst", graph: "graph" },
    nodes: {
      files: ["nodes.csv"],
      id: "node",
      graph: "graph",
      label: null,
      features: { columns: [], oneHot: ["kind"] },
    },
    graphs: { files: ["graphs.csv"], id: "graph", label: "class", targets: ["degree"], fold: "fold" },
  });
  expect(warnings).toContainEqual(expect.stringContaining("says of which graph each node is"));
  expect(warnings).toContainEqual(expect.stringContaining("node 3 of graph 7 is called 7/3"));
  const { info } = await ingest(ringTables(24), proposed);
  expect(info.graphs).toMatchObject({ numGraphs: 24, classes: ["chords", "plain"] });
});

const tu = {
  A: "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
  graph_indicator: "1\n1\n1\n2\n2\n",
  graph_labels: "1\n-1\n",
  graph_attributes: "0.5, 7\n-2e3, 8\n",
  node_labels: "5\n7\n5\n7\n7\n",
  node_attributes: "0.5, 1\n0, 2\n0, 3\n0, 4\n0, 5\n",
};

function tuFiles(changed: Partial<Record<keyof typeof tu | `edge_${"labels" | "attributes"}`, string>> = {}): Files {
  return Object.fromEntries(Object.entries({ ...tu, ...changed }).map(([part, text]) => [`DS_${part}.txt`, text]));
}

function inFolder(folder: string): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(tuFiles()).map(([name, text]) => [`${folder}/${name}`, strToU8(text as string)]),
  );
}

test.each([
  ["as they are", () => tuFiles(), ""],
  ["in a zip archive with a folder", () => ({ "DS.zip": zipSync(inFolder("DS")) }), "DS.zip/DS/"],
])("files of TU's layout %s are mapped by themselves and ingested", async (_name, contents, folder) => {
  const { proposed, warnings } = await preview(contents());
  expect((proposed as DatasetSpec).tu).toMatchObject({
    edges: `${folder}DS_A.txt`,
    graphIndicator: `${folder}DS_graph_indicator.txt`,
    targets: ["target1", "target2"],
    nodeLabels: `${folder}DS_node_labels.txt`,
  });
  expect(warnings).toEqual([expect.stringContaining("TU Dortmund")]);
  const { info, read } = await ingest(contents(), proposed);
  expect(info).toMatchObject({ numNodes: 5, numEdges: 6, idType: "int64" });
  expect(info.graphs).toMatchObject({ numGraphs: 2, classes: ["-1", "1"], idType: "int64" });
  expect(await read("graphs/nodes/labels.npy", "int32")).toEqual([1, 0]);
  expect(await read("graphs/nodes/targets.npy", "float32")).toEqual([0.5, 7, -2000, 8]);
  expect(info.features).toMatchObject({ dim: 4, oneHot: [{ name: "label", values: ["5", "7"] }] });
  expect((await read("nodes/features.npy", "float32")).slice(0, 8)).toEqual([1, 0, 0.5, 1, 0, 1, 0, 2]);
});

const tuSpec = {
  tu: {
    edges: "DS_A.txt",
    graphIndicator: "DS_graph_indicator.txt",
    graphLabels: "DS_graph_labels.txt",
    nodeLabels: "DS_node_labels.txt",
  },
};

const ofEdges = {
  edge_labels: "3\n3\n10\n10\n3\n3\n",
  edge_attributes: "0.5, 1\n0.5, 1\n2, -1\n2, -1\n7e-1, 0\n7e-1, 0\n",
};

test("labels of TU's edges are their types and attributes their features, in both directions", async () => {
  const { proposed, warnings } = await preview(tuFiles(ofEdges));
  expect((proposed as DatasetSpec).tu).toMatchObject({
    edgeLabels: "DS_edge_labels.txt",
    edgeAttributes: "DS_edge_attributes.txt",
  });
  expect(warnings).toEqual([expect.stringContaining("TU Dortmund")]);
  const { info, read } = await ingest(tuFiles(ofEdges), proposed);
  expect(info).toMatchObject({ numNodes: 5, numEdges: 6, edgeTypes: ["3", "10"] });
  // Into node 1 from 2; into 2 from 1 and 3; into 3 from 2; into 4 from 5; into 5 from 4
  expect(await read("graph/indices.npy", "int32")).toEqual([1, 0, 2, 1, 4, 3]);
  expect(await read("edges/type.npy", "int32")).toEqual([0, 0, 1, 1, 0, 0]);
  const [first, middle, last] = [
    [0.5, 1],
    [2, -1],
    [Math.fround(0.7), 0],
  ];
  const expected = [first, first, middle, middle, last, last].flat();
  expect(await read("edges/features.npy", "float32")).toEqual(expected);
});

test("TU's edges that are listed in one direction go both ways with their label; several labels are one type", async () => {
  const files = tuFiles({ A: "2, 1\n3, 2\n5, 4\n", edge_labels: "0, 1\n0, 1\n1, 0\n" });
  const { info, read } = await ingest(files, { tu: { ...tuSpec.tu, edgeLabels: "DS_edge_labels.txt" } });
  expect(info).toMatchObject({ numEdges: 6, edgeTypes: ["0,1", "1,0"] });
  expect(await read("edges/type.npy", "int32")).toEqual([0, 0, 0, 0, 1, 1]);
});

const edgesSpec = {
  tu: { ...tuSpec.tu, edgeLabels: "DS_edge_labels.txt", edgeAttributes: "DS_edge_attributes.txt" },
};

test("two directions with other numbers keep those of the first, and the report says where", async () => {
  const files = tuFiles({ ...ofEdges, edge_attributes: "0.5\n0.5\n2\n9\n7\n7\n" });
  const { info, read } = await ingest(files, edgesSpec);
  expect(await read("edges/features.npy", "float32")).toEqual([0.5, 0.5, 2, 2, 7, 7]);
  const [warning] = info.report.warnings.filter((text) => text.includes("DS_edge_attributes.txt"));
  expect(warning).toContain("1 row repeats an edge with other numbers, the first in line 4, of the edge 3, 2");
  expect(warning).toContain("line 3");
});

test("directed TU edges have the label and numbers of each direction", async () => {
  const files = tuFiles({
    A: "1, 2\n2, 1\n4, 5\n5, 4\n",
    edge_labels: "0\n1\n0\n1\n",
    edge_attributes: "1\n2\n3\n4\n",
  });
  const { info, read } = await ingest(files, { ...edgesSpec, directed: true });
  expect(info.report.warnings.filter((text) => text.includes("DS_edge"))).toEqual([]);
  expect(await read("graph/indices.npy", "int32")).toEqual([1, 0, 4, 3]);
  expect(await read("edges/type.npy", "int32")).toEqual([1, 0, 1, 0]);
  expect(await read("edges/features.npy", "float32")).toEqual([2, 1, 4, 3]);
});

test.each([
  ["a label too few", { edge_labels: "3\n3\n10\n10\n3\n" }, "DATASET_ROW_INVALID", "DS_edge_labels.txt", 6],
  ["a label too many", { edge_labels: `${ofEdges.edge_labels}3\n` }, "DATASET_ROW_INVALID", "DS_edge_labels.txt", 7],
  ["a label that is no integer", { edge_labels: "3\n0.5\n" }, "DATASET_VALUE_INVALID", "DS_edge_labels.txt", 2],
  ["attributes too few", { edge_attributes: "1\n1\n" }, "DATASET_ROW_INVALID", "DS_edge_attributes.txt", 3],
  [
    "a row of attributes that is cut",
    { edge_attributes: "1, 2\n1\n" },
    "DATASET_ROW_INVALID",
    "DS_edge_attributes.txt",
    2,
  ],
  [
    "an attribute that is no number",
    { edge_attributes: "1\n?\n" },
    "DATASET_VALUE_INVALID",
    "DS_edge_attributes.txt",
    2,
  ],
  ["two labels of one edge", { edge_labels: "3\n3\n10\n3\n3\n3\n" }, "DATASET_VALUE_INVALID", "DS_edge_labels.txt", 4],
  ["an edge of three nodes", { A: "1, 2\n2, 1, 3\n" }, "DATASET_ROW_INVALID", "DS_A.txt", 2],
  ["an edge between two graphs", { A: "1, 2\n2, 1\n2, 3\n3, 4\n4, 5\n5, 4\n" }, "DATASET_VALUE_INVALID", "DS_A.txt", 4],
] as const)("TU's files of edges with %s are refused with their place", async (_name, changed, code, file, line) => {
  const found = ingest(tuFiles({ ...ofEdges, ...changed }), edgesSpec);
  await expect(found).rejects.toMatchObject({ code, place: { file, line } });
});

test("lines are those of the file where loops in front of them were dropped", async () => {
  const files = tuFiles({
    A: "1, 1\n1, 2\n2, 2\n2, 1\n",
    edge_labels: "0\n4\n0\n5\n",
    edge_attributes: "1\n1\n1\n1\n",
  });
  const message =
    "DS_edge_labels.txt, line 4: the edge 2, 1 has the label 5, and line 2, which is of the same edge, has 4; " +
    "expected one label for an edge; set directed to true where each direction has a row of its own, or leave edgeLabels out.";
  await expect(ingest(files, { ...edgesSpec, selfLoops: "drop" })).rejects.toMatchObject({
    message,
    place: { line: 4 },
  });
});

test.each([
  [
    "ids of graphs that jump",
    { graph_indicator: "1\n1\n3\n3\n3\n" },
    "DATASET_VALUE_INVALID",
    "DS_graph_indicator.txt",
    3,
  ],
  ["an edge between two graphs", { A: "1, 2\n3, 4\n" }, "DATASET_VALUE_INVALID", "DS_A.txt", 2],
  ["an edge to no node", { A: "1, 2\n3, 9\n" }, "DATASET_NODE_UNKNOWN", "DS_A.txt", 2],
  ["a label too few", { graph_labels: "1\n" }, "DATASET_ROW_INVALID", "DS_graph_labels.txt", 2],
  ["a label too many", { graph_labels: "1\n2\n3\n" }, "DATASET_ROW_INVALID", "DS_graph_labels.txt", 3],
  [
    "a label of a node that is no number",
    { node_labels: "5\nC\n5\n7\n7\n" },
    "DATASET_VALUE_INVALID",
    "DS_node_labels.txt",
    2,
  ],
] as const)("TU files with %s are refused with their place", async (_name, changed, code, file, line) => {
  await expect(ingest(tuFiles(changed), tuSpec)).rejects.toMatchObject({ code, place: { file, line } });
});

test.each([
  [
    "nodes of a graph that come again",
    { "nodes.csv": "id,graph,atom,charge\na,one,C,0\nb,one,C,0\nd,two,C,0\nc,one,C,0\ne,two,C,0\n" },
    "DATASET_VALUE_INVALID",
    { file: "nodes.csv", line: 5, field: "graph" },
  ],
  [
    "a node of an unknown graph",
    { "nodes.csv": "id,graph,atom,charge\na,one,C,0\nb,three,C,0\n" },
    "DATASET_NODE_UNKNOWN",
    { file: "nodes.csv", line: 3, field: "graph" },
  ],
  [
    "an edge between two graphs",
    { "edges.csv": "src,dst\na,b\nc,d\n" },
    "DATASET_VALUE_INVALID",
    { file: "edges.csv", line: 3, field: "dst" },
  ],
  [
    "a graph without a node",
    {
      "graphs.csv": "graph,class,solubility,split,fold\ntwo,toxic,1,test,1\nnone,toxic,1,test,1\none,toxic,1,train,1\n",
    },
    "DATASET_VALUE_INVALID",
    { file: "graphs.csv", line: 3, field: "graph" },
  ],
  [
    "a kind that is empty",
    { "nodes.csv": "id,graph,atom,charge\na,one,C,0\nb,one,,0\nc,one,C,0\nd,two,C,0\ne,two,C,0\n" },
    "DATASET_VALUE_INVALID",
    { file: "nodes.csv", line: 3, field: "atom" },
  ],
] as const)("%s is refused with its place", async (_name, changed, code, place) => {
  await expect(ingest({ ...tables, ...changed }, spec)).rejects.toMatchObject({ code, place });
});

test("an edge between numbered nodes of two graphs is found on the fast way, too", async () => {
  const files = {
    "edges.csv": "src,dst\n0,1\n1,2\n",
    "nodes.csv": "id,graph\n0,7\n1,7\n2,8\n",
    "graphs.csv": "graph,y\n7,a\n8,b\n",
  };
  const numbered = {
    edges: spec.edges,
    nodes: { files: ["nodes.csv"], id: "id", graph: "graph" },
    graphs: { files: ["graphs.csv"], id: "graph", label: "y" },
  };
  const place = { file: "edges.csv", line: 3, field: "dst" };
  await expect(ingest(files, numbered)).rejects.toMatchObject({ code: "DATASET_VALUE_INVALID", place });
});

test.each([
  ["graphs without a column of the nodes", { nodes: { ...spec.nodes, graph: undefined } }, ["nodes"]],
  ["a column of the nodes without graphs", { graphs: undefined }, ["graphs"]],
  ["nodes that edges may add", { missingNodes: "add" }, ["missingNodes"]],
  ["TU's files beside tables", { tu: tuSpec.tu }, ["tu"]],
])("a spec with %s is refused", (_name, changed, path) => {
  const found = datasetSpec.safeParse({ ...spec, ...changed });
  expect(found.error?.issues.map((issue) => issue.path)).toContainEqual(path);
});
