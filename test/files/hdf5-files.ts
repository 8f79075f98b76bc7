import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { type DataSet, hdf5File } from "../support/hdf5-file.ts";
import { type FileCase, lines } from "./case.ts";

const int64 = (values: readonly number[], ...shape: readonly number[]): DataSet => ({
  data: BigInt64Array.from(values, BigInt),
  shape: shape.length > 0 ? shape : [values.length],
});
const float32 = (values: readonly number[], ...shape: readonly number[]): DataSet => ({
  data: Float32Array.from(values),
  shape,
});
const bytes = (...values: readonly number[]): DataSet => ({ data: Uint8Array.from(values), shape: [values.length] });

const ids = ["0", "1", "2", "3"];
const x = [0, 1, 2, 3].map((node) => [2 * node, 2 * node + 1]);
const xFlat = x.flat();
const edgeIndex = int64([0, 1, 0, 1, 2, 3], 2, 3);
const ofNodes = {
  x: float32(xFlat, 4, 2),
  y: int64([0, 1, 0, 1]),
  train_mask: bytes(1, 1, 0, 0),
  val_mask: bytes(0, 0, 1, 0),
  test_mask: bytes(0, 0, 0, 1),
};
const whole = { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, split: [2, 1, 1] } as const;

const plain = await hdf5File({ dataSets: { edge_index: edgeIndex, ...ofNodes } });
const inGroups = await hdf5File({
  dataSets: {
    "edges/src": int64([0, 1, 0]),
    "edges/dst": int64([1, 2, 3]),
    "nodes/feat": { ...float32(xFlat, 4, 2), chunks: [3, 1], gzip: 6 },
    "nodes/label": { ...int64([0, 1, 0, 1]), chunks: [2], gzip: 1 },
    "train/mask": bytes(1, 1, 0, 0),
    "val/mask": bytes(0, 0, 1, 0),
    "test/mask": bytes(0, 0, 0, 1),
    "about/names": { data: ["a", "b"], shape: [2] },
  },
});
/** 0 → 1 (2), 0 → 3 (1), 1 → 2 (5) by rows */
const rows = { indptr: int64([0, 2, 3, 3, 3]), indices: int64([1, 3, 2]), data: float32([2, 1, 5], 3) };
const under = (group: string, members: Readonly<Record<string, DataSet>>) =>
  Object.fromEntries(Object.entries(members).map(([name, array]) => [`${group}/${name}`, array]));
const square = BigInt64Array.of(4n, 4n);
const csr = await hdf5File({
  dataSets: under("adj", rows),
  attributes: { adj: { "encoding-type": "csr_matrix", shape: square } },
});
const csc = await hdf5File({
  dataSets: { ...under("g/adjacency", { ...rows, data: float32([2, 1, 5], 3) }), y: int64([0, 1, 0, 1]) },
  attributes: { "g/adjacency": { h5sparse_format: "csc", h5sparse_shape: square } },
});
const coo = await hdf5File({
  dataSets: { row: int64([0, 1, 0]), col: int64([1, 2, 3]), data: float32([1, 1, 1], 3), shape: int64([4, 4]) },
});
const sparseFeatures = await hdf5File({
  dataSets: {
    edge_index: edgeIndex,
    ...under("x", { indptr: int64([0, 1, 3, 3, 4]), indices: int64([1, 0, 2, 2]), data: float32([5, 6, 7, 8], 4) }),
  },
  attributes: { x: { shape: BigInt64Array.of(4n, 3n) } },
});
const strange = await hdf5File({
  dataSets: { "run/loss": float32([1, 0.5], 2), "run/who": { data: ["a"], shape: [1] } },
});
const elsewhere = await hdf5File({
  dataSets: { y: int64([0, 1]) },
  links: { edge_index: ["other.h5", "/edge_index"] },
});
const rectangular = await hdf5File({
  dataSets: under("adj", rows),
  attributes: { adj: { shape: BigInt64Array.of(4n, 7n) } },
});
const twoGraphs = await hdf5File({ dataSets: { "a/edge_index": edgeIndex, "b/edge_index": edgeIndex } });
/** An array of whole numbers with their other end first: a bit of the type, and each number turned round. */
function bigEndian(file: Uint8Array, numbers: readonly number[]): Uint8Array {
  const turned = Buffer.from(file);
  const type = Buffer.from([0x10, 8, 0, 0, 8, 0, 0, 0, 0, 0, 64, 0]);
  turned[turned.indexOf(type) + 1]! |= 1;
  const stored = Buffer.from(BigInt64Array.from(numbers, BigInt).buffer);
  const at = turned.indexOf(stored);
  turned.subarray(at, at + stored.length).swap64();
  return turned;
}
const otherEnd = bigEndian(
  await hdf5File({ dataSets: { edges: int64([7, 1, 1, 2, 2, 3], 3, 2) } }),
  [7, 1, 1, 2, 2, 3],
);
/** No library here writes halves: the type of doubles is made one of halves, the first of their bytes hold four. */
function withHalves(file: Uint8Array, doubles: Float64Array, bits: readonly number[]): Uint8Array {
  const changed = Buffer.from(file);
  const doublesType = Buffer.from([0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0]);
  changed.set([0x11, 0x20, 15, 0, 2, 0, 0, 0, 0, 0, 16, 0, 10, 5, 0, 10, 15, 0, 0, 0], changed.indexOf(doublesType));
  changed.set(new Uint8Array(Uint16Array.from(bits).buffer), changed.indexOf(Buffer.from(doubles.buffer)));
  return changed;
}
const doubles = Float64Array.of(0.1, 0.2, 0.3, 0.4);
const halves = withHalves(
  await hdf5File({ dataSets: { edge_index: edgeIndex, x: { data: doubles, shape: [4, 1] } } }),
  doubles,
  [0x3c00, 0x4000, 0xc200, 0],
);
/** The user's block that a file may begin with; MATLAB writes its own there. */
const behind512 = Buffer.concat([Buffer.alloc(512, "MATLAB 7.3 MAT-file "), plain]);
const edgesAlone = await hdf5File({ dataSets: { edge_index: edgeIndex } });
const newest = await hdf5File({ dataSets: { edge_index: edgeIndex, ...ofNodes }, libver: "latest" });

const refusal = (title: string, content: Uint8Array, ...warns: readonly RegExp[]): FileCase => ({
  title,
  files: { "graph.h5": content },
  graph: null,
  warns,
});

/** What h5py, pandas, PyTables and AnnData wrote: `test/fixtures/hdf5/make.py` */
const saved = (name: string) => gunzipSync(readFileSync(new URL(`../fixtures/hdf5/${name}.gz`, import.meta.url)));
/** The ring of twelve nodes in each of them */
const ring = { nodes: 12, edges: 12, ids: ["n0", "n5", "n11"] } as const;
const colours = { classes: ["blue", "green", "red"] } as const;
const scores = Array.from({ length: 12 }, (_, i) => [i / 4]);
const wideFrame = await hdf5File({
  dataSets: {
    edge_index: edgeIndex,
    "f/axis1": int64([0]),
    "f/block0_values": { data: new Float32Array(200_000), shape: [1, 200_000], chunks: [1, 50_000], gzip: 1 },
    "f/block0_items": { data: new Int32Array(200_000), shape: [200_000], chunks: [50_000], gzip: 1 },
  },
  attributes: { f: { pandas_type: "frame" }, "f/axis1": { kind: "integer" } },
});
const ageIsLeft = /nodes\.jsonl: "age" is left out: whole numbers/;

/** HDF5 files with tables. */
export const hdf5TableCases: readonly FileCase[] = [
  {
    title: "structured arrays of h5py, with numbers of both orders of bytes, texts of any length, and lists",
    files: { "graph.h5": saved("structured.h5") },
    graph: { ...ring, ...colours, rows: scores, weighted: true },
    warns: [ageIsLeft, /"seen" is left out: true and false/, /"place" is left out: lists of 2 whole numbers/],
  },
  {
    title: "big-endian structures, with ids that no double holds",
    files: { "graph.h5": saved("numbers.h5") },
    graph: { nodes: 12, edges: 12, ids: ["1152921504606846976", "1152921504606846977", "1152921504606846987"] },
  },
  {
    title: "structured arrays with a matrix of features beside them",
    files: { "graph.h5": saved("mixed.h5") },
    graph: {
      nodes: 12,
      edges: 12,
      ids: ["100", "111"],
      classes: ["0", "1"],
      rows: Array.from({ length: 12 }, (_, i) => [2 * i, 2 * i + 1]),
    },
    warns: [/the arrays grid, losses are left out/, /the table empty is left out: it has no rows/],
  },
  {
    title: "frames that pandas wrote as tables, with times and categories",
    files: { "graph.h5": saved("table.h5") },
    graph: { ...ring, ...colours, rows: scores, weighted: true, sidesOfLinks: ["time"] },
    warns: [ageIsLeft, /edges\.jsonl: "kind" is left out: text/],
  },
  {
    title: "frames that pandas wrote as arrays, with a named index",
    files: { "graph.h5": saved("fixed.h5") },
    graph: { nodes: 12, edges: 12, ids: ["100", "111"], classes: ["0", "1", "2"], rows: scores, weighted: true },
    warns: [/the arrays alone\/index, alone\/values are left out/],
  },
  {
    title: "a frame of pandas with 200,000 columns beside edges",
    files: { "graph.h5": wideFrame },
    graph: { nodes: 4, edges: 3 },
    warns: [
      /the columns of f\/block0_values are left out: there are 200000, expected at most 100000/,
      /the table f is/,
    ],
  },
  {
    title: "a frame of pandas some of whose columns are pickled",
    files: { "graph.h5": saved("pickled.h5") },
    graph: { nodes: 12, edges: 12, ids: ["0", "11"] },
    warns: [
      /the columns of edges\/block1_values are left out: pandas has pickled them\. .*format="table"/,
      /the columns of mixed\/block0_values are left out: their names are not read/,
    ],
  },
  {
    title: "a table of PyTables with an index",
    files: { "graph.h5": saved("pytables.h5") },
    graph: { ...ring, weighted: true },
    warns: [/"seen" is left out: true and false/],
  },
  {
    title: "cells of AnnData, their features sparse, with what is known of each",
    files: { "cells.h5ad": saved("cells.h5ad") },
    graph: { ...ring, ...colours, rows: Array.from({ length: 12 }, (_, i) => [3 * i, 3 * i + 1, 3 * i + 2]) },
    warns: [
      /the arrays obsm\/X_pca, obsp\/distances\/data, .* are left out/,
      /"age" is left/,
      /"remark" is left/,
      /the table uns\/facts is left out/,
    ],
  },
  {
    title: "cells of AnnData whose names are alike, with one matrix of pairs",
    files: { "cells.h5ad": saved("dense.h5ad") },
    graph: { nodes: 12, edges: 12, ids: ["0", "11"], ...colours, features: 3 },
    warns: [/the names of obs are left out, and nodes go by their numbers: some of its texts are alike/],
  },
];

/** HDF5 files, as h5py writes arrays into them. */
export const hdf5FileCases: readonly FileCase[] = [
  { title: "the arrays of a graph", files: { "graph.h5": plain }, graph: { ...whole, directed: true } },
  {
    title: "the same under a name that says nothing",
    files: { "graph.data": plain },
    graph: { ...whole, directed: true },
  },
  {
    title: "arrays in groups, packed in pieces",
    files: { "graph.hdf5": inGroups },
    graph: { ...whole, directed: true },
    warns: [/the array about\/names is left out/],
  },
  {
    title: "big-endian pairs",
    files: { "graph.h5": otherEnd },
    graph: { nodes: 4, edges: 3, ids: ["1", "2", "3", "7"] },
  },
  {
    title: "features in half precision",
    files: { "graph.h5": halves },
    graph: { nodes: 4, edges: 3, rows: [[1], [2], [-3], [0]] },
  },
  {
    title: "compressed rows in a group, whose attributes say what they are",
    files: { "adj.h5": csr },
    graph: { nodes: 4, edges: 3, ids, weighted: true, directed: true },
  },
  {
    title: "compressed columns in a group, as h5sparse writes them",
    files: { "adj.h5": csc },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], weighted: true, directed: true },
  },
  {
    title: "coordinates with a shape",
    files: { "adj.h5": coo },
    graph: { nodes: 4, edges: 3, ids, weighted: false, directed: true },
  },
  {
    title: "a sparse matrix of features beside edges",
    files: { "graph.h5": sparseFeatures },
    graph: {
      nodes: 4,
      edges: 3,
      rows: [
        [0, 5, 0],
        [6, 0, 7],
        [0, 0, 0],
        [0, 0, 8],
      ],
    },
  },
  refusal(
    "arrays of which none holds edges",
    strange,
    /graph\.h5 is an HDF5 file of 2 groups without edges by a name that is known: it has run\/loss \(2 × <f4\), run\/who \(1 × \|O\); expected edge_index or edges/,
  ),
  refusal("edges that lie in another file", elsewhere, /the array edge_index cannot be read: it is a link to another/),
  refusal("a matrix that is no adjacency matrix", rectangular, /graph\.h5: the matrix has 4 rows and 7 columns/),
  refusal("two graphs", twoGraphs, /it has a\/edge_index \(2 × 3 × <i8\), b\/edge_index/),
  refusal("a file that is cut off", plain.subarray(0, 4000), /graph\.h5 is a damaged HDF5 file/),
  {
    title: "a file in an archive",
    files: { "g.zip": zipSync({ "graph.h5": plain }) },
    graph: null,
    warns: [/is an HDF5 file in an archive: upload it by itself/],
  },
  {
    title: "a file that was packed with gzip",
    files: { "graph.h5.gz": gzipSync(plain) },
    graph: null,
    warns: [/graph\.h5\.gz is packed with gzip and holds an HDF5 file that is packed with gzip|unpack it first/],
  },
  {
    title: "a file in the newest form, whose parts have sums",
    files: { "graph.h5": newest },
    graph: { ...whole, directed: true },
  },
  {
    title: "a file behind a block of the user",
    files: { "graph.h5": behind512 },
    graph: { ...whole, directed: true },
  },
  {
    title: "a file beside a table of nodes",
    files: { "edges.h5": edgesAlone, "nodes.csv": lines("id,label", "0,a", "1,b", "2,a", "3,b") },
    graph: { nodes: 4, edges: 3, classes: ["a", "b"] },
  },
];
