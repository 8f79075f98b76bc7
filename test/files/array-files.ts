import { readFileSync } from "node:fs";
import { zipSync } from "fflate";
import { formatNpyHeader, formatNpyHeaderOf } from "../../packages/gnn-core/src/io/npy-header.ts";
import { type FileCase, lines } from "./case.ts";

/** What numpy and scipy wrote: `test/fixtures/numpy/make.py` */
const saved = (name: string) => readFileSync(new URL(`../fixtures/numpy/${name}`, import.meta.url));

const x = [0, 1, 2, 3].map((node) => [2 * node, 2 * node + 1]);
const ids = ["0", "1", "2", "3"];
const nodes = lines("id,label", "0,a", "1,b", "2,a", "3,b");
const edges = lines("src,dst", "0,1", "1,2", "0,3");

const numbers = (values: readonly number[], ...shape: readonly number[]) =>
  Buffer.concat([formatNpyHeader("float32", shape), Buffer.from(Float32Array.from(values).buffer)]);
/** An array's bytes as that of numpy in Fortran's order which has the transposed shape. */
const inFortransOrder = (npy: Buffer) =>
  Buffer.from(npy.toString("latin1").replace("'fortran_order': False", "'fortran_order': True "), "latin1");
const texts = (kind: "U" | "S", words: readonly string[]) => {
  const width = Math.max(...words.map(({ length }) => length));
  const items = words.map((word) => {
    const item = Buffer.alloc(width * (kind === "U" ? 4 : 1));
    if (kind === "S") item.write(word);
    else for (const [i, letter] of word.split("").entries()) item.writeUInt32LE(letter.codePointAt(0)!, 4 * i);
    return item;
  });
  const descr = kind === "U" ? `<U${width}` : `|S${width}`;
  return Buffer.concat([formatNpyHeaderOf(descr, [words.length]), ...items]);
};
const archive = (arrays: Readonly<Record<string, Uint8Array>>) =>
  zipSync(Object.fromEntries(Object.entries(arrays).map(([name, bytes]) => [`${name}.npy`, bytes])));
const refusal = (title: string, arrays: Readonly<Record<string, Uint8Array>>, says: RegExp): FileCase => ({
  title,
  files: { "graph.npz": archive(arrays) },
  graph: null,
  warns: [says],
});

/** Graphs and features as numpy and scipy save them. */
export const arrayFileCases: readonly FileCase[] = [
  {
    title: "edge_index, features in Fortran's order and big-endian, labels and masks in one archive",
    files: { "pyg.npz": saved("pyg.npz") },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, split: [2, 1, 1], directed: false },
  },
  {
    title: "weights beside edges, and arrays by whose names nobody knows what they are",
    files: {
      "graph.npz": archive({
        edges: numbers([0, 1, 1, 2, 0, 3], 3, 2),
        edge_weight: numbers([0.5, 2, 3], 3),
        positions: numbers([1, 2, 3, 4], 4),
        edge_attr: numbers([1, 2, 3, 4, 5, 6], 3, 2),
        weight_decay: numbers([1], 1),
      }),
    },
    graph: { nodes: 4, edges: 3, weighted: true },
    warns: [/the arrays positions, edge_attr, weight_decay are left out: what is read of a graph is called/],
  },
  {
    title: "weights that are not one for each edge",
    files: {
      "graph.npz": archive({ src: numbers([0, 1], 2), dst: numbers([1, 2], 2), weight: numbers([1, 2, 3], 3) }),
    },
    graph: { nodes: 3, edges: 2, weighted: false },
    warns: [/the array weight is left out/],
  },
  {
    title: "pairs in Fortran's order",
    files: { "pairs.npz": saved("pairs.npz") },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, directed: false },
  },
  {
    title: "the arrays of sparse matrices of edges and features, beside names that are Python objects",
    files: { "photo.npz": saved("shchur.npz") },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, weighted: false, directed: false },
    warns: [/the array node_names is left out/],
  },
  {
    title: "two archives as DGL publishes Reddit, with the sides of the nodes",
    files: { "reddit_graph.npz": saved("reddit_graph.npz"), "reddit_data.npz": saved("reddit_data.npz") },
    graph: {
      nodes: 4,
      edges: 3,
      ids,
      classes: ["0", "1"],
      rows: x,
      split: [2, 1, 1],
      weighted: false,
      directed: false,
    },
    warns: [/the array node_ids is left out/],
  },
  {
    title: "an archive beside an adjacency matrix whose node_types are kinds of nodes, and no sides",
    files: {
      "set_graph.npz": saved("reddit_graph.npz"),
      "set_data.npz": archive({ node_types: numbers([7, 1, 1, 2], 4), label: numbers([0, 1, 0, 1], 4) }),
    },
    graph: { nodes: 4, edges: 3, classes: ["0", "1"] },
    warns: [/the array node_types is left out: expected 1 for train, 2 for val or 3 for test/],
  },
  ...["csr", "csc", "coo"].flatMap((form): FileCase[] => [
    {
      title: `an adjacency matrix in scipy's form ${form}, which leads one way`,
      files: { "adj.npz": saved(`adj-${form}.npz`) },
      graph: { nodes: 4, edges: 3, ids, weighted: true, directed: true },
    },
    {
      title: `a matrix of features in scipy's form ${form}`,
      files: { "edges.csv": edges, "nodes.csv": nodes, "features.npz": saved(`features-${form}.npz`) },
      graph: { nodes: 4, edges: 3, rows: x },
    },
  ]),
  {
    title: "arrays in files of their own, big-endian and in Fortran's order",
    files: { "edge_index.npy": saved("edge_index.npy"), "x.npy": saved("x.npy"), "y.npy": saved("y.npy") },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, directed: true },
  },
  {
    title: "an archive of arrays in a zip archive, beside a text about it",
    files: { "g.zip": zipSync({ "data/pyg.npz": saved("pyg.npz"), "data/README": Buffer.from("A graph\n") }) },
    graph: { nodes: 4, edges: 3, ids, classes: ["0", "1"], rows: x, split: [2, 1, 1], directed: false },
    warns: [/README/],
  },
  {
    title: "arrays of one folder in a zip archive",
    files: { "g.zip": zipSync({ "d/edge_index.npy": saved("edge_index.npy"), "d/x.npy": saved("x.npy") }) },
    graph: { nodes: 4, edges: 3, ids, rows: x, directed: true },
  },
  {
    title: "a matrix of features beside tables in a zip archive",
    files: {
      "g.zip": zipSync({
        "edges.csv": Buffer.from(edges),
        "nodes.csv": Buffer.from(nodes),
        "features.npz": saved("features-csr.npz"),
      }),
    },
    graph: { nodes: 4, edges: 3, rows: x },
  },
  {
    title: "edges as an array beside a table of nodes and a matrix of features",
    files: { "edge_index.npy": saved("edge_index.npy"), "nodes.csv": nodes, "x.npy": saved("x.npy") },
    graph: { nodes: 4, edges: 3, classes: ["a", "b"], rows: x },
  },
  {
    title: "labels as zeros and ones of each class: one class each, or none",
    files: {
      "set.npz": archive({ edges: numbers([0, 1, 1, 2], 2, 2), y: numbers([0, 1, 1, 0, 0, 0], 3, 2) }),
    },
    graph: { nodes: 3, edges: 2, classes: ["0", "1"], unlabelled: 1 },
  },
  {
    title: "labels as zeros and ones of each class, of which a node has several",
    files: {
      "set.npz": archive({ edges: numbers([0, 1, 1, 2], 2, 2), y: numbers([1, 1, 0, 0, 0, 1, 1, 0, 0], 3, 3) }),
    },
    graph: { nodes: 3, edges: 2, classes: ["0", "1", "2"] },
  },
  {
    title: "rows of other numbers than zeros and ones, which are no labels",
    files: {
      "set.npz": archive({
        edges: numbers([0, 1, 1, 2], 2, 2),
        y: numbers([1, 2, 0, 0, 0, 1], 3, 2),
        x: numbers([1, 2, 3], 3, 1),
      }),
    },
    graph: { nodes: 3, edges: 2, features: 1 },
    warns: [/the array y is left out: it has the shape \(3, 2\), expected one number for each node, or zeros and ones/],
  },
  {
    title: "several splits side by side, one after another: the first is proposed, the others are columns",
    files: {
      "set.npz": archive({
        edges: numbers([0, 1, 1, 2], 2, 2),
        node_labels: numbers([0, 1, 1], 3),
        train_masks: numbers([1, 1, 0, 0, 1, 0], 2, 3),
        test_masks: numbers([0, 0, 1, 1, 0, 0], 2, 3),
      }),
    },
    graph: { nodes: 3, edges: 2, classes: ["0", "1"], split: [2, 0, 1] },
    warns: [/set\.npz\/edges\.csv: the masks hold 2 splits side by side: .* the other one is split_1/],
  },
  {
    title: "several splits side by side, a row for each node, and one mask of all",
    files: {
      "wiki.npz": archive({
        edge_index: numbers([0, 1, 1, 2, 0, 3], 2, 3),
        y: numbers([0, 1, 1, 0], 4),
        train_mask: numbers([1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0], 4, 3),
        val_mask: inFortransOrder(numbers([0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], 4, 3)),
        test_mask: numbers([0, 0, 0, 1], 4),
      }),
    },
    graph: { nodes: 4, edges: 3, features: 0, classes: ["0", "1"], split: [2, 1, 1] },
    warns: [/the masks hold 3 splits side by side: .* the others are split_1 to split_2/],
  },
  {
    title: "masks that are of neither so many nodes nor as many splits",
    files: {
      "set.npz": archive({
        edges: numbers([0, 1, 1, 2], 2, 2),
        y: numbers([0, 1, 1], 3),
        train_mask: numbers([1, 0, 0, 1, 0, 1], 3, 2),
        val_mask: numbers([0, 1, 0, 0, 0, 1, 0, 0, 0], 3, 3),
        test_mask: inFortransOrder(numbers([0, 1, 0, 0], 2, 2)),
      }),
    },
    graph: { nodes: 3, edges: 2, classes: ["0", "1"], split: [1, 0, 0] },
    warns: [
      /the array val_mask is left out: it has the shape \(3, 3\) for 3 nodes/,
      /the array test_mask is left out: it has the shape \(2, 2\) for 3 nodes/,
    ],
  },
  {
    title: "names of nodes and of classes as texts of numpy",
    files: {
      "named.npz": archive({
        edges: numbers([0, 1, 1, 2], 2, 2),
        labels: numbers([1, 0, 1], 3),
        node_names: texts("U", ["Zürich, old town", "#2", "Bern"]),
        class_names: texts("S", ["large", "small"]),
      }),
    },
    graph: { nodes: 3, edges: 2, ids: ["Zürich, old town", "#2", "Bern"], classes: ["large", "small"] },
  },
  {
    title: "names that are not one for each",
    files: {
      "named.npz": archive({
        edges: numbers([0, 1, 1, 2], 2, 2),
        labels: numbers([1, 0, 2], 3),
        node_names: texts("U", ["a", "b", "a"]),
        class_names: texts("U", ["large", "small"]),
      }),
    },
    graph: { nodes: 3, edges: 2, ids: ["0", "1", "2"], classes: ["0", "1", "2"] },
    warns: [
      /the array node_names is left out, and nodes go by their numbers: some of its texts are alike/,
      /the array class_names is left out, and classes go by their numbers: it has no name for some label/,
    ],
  },
  refusal(
    "an edge to a node that is not there",
    { edge_index: numbers([0, 9, 1, 2], 2, 2), y: numbers([0, 1, 1], 3) },
    /graph\.npz: an edge names node 9, and there are 3, numbered from 0/,
  ),
  {
    title: "a matrix with each edge both ways and another weight each way keeps both",
    files: {
      "adj.npz": archive({
        row: numbers([0, 1, 1], 3),
        col: numbers([1, 0, 2], 3),
        data: numbers([0.5, 2, 1], 3),
        shape: numbers([3, 3], 2),
      }),
      "nodes.csv": lines("id,label", "0,a", "1,b", "2,a"),
    },
    graph: { nodes: 3, edges: 3, weighted: true, directed: true },
  },
  refusal(
    "a node to learn from that is to be judged by, too",
    {
      edge_index: numbers([0, 1, 1, 2], 2, 2),
      train_mask: numbers([1, 1, 0], 3),
      test_mask: numbers([0, 1, 1], 3),
      y: numbers([0, 1, 1], 3),
    },
    /graph\.npz: node 1 is in test_mask and in another mask/,
  ),
  refusal(
    "an array that is shorter than it says",
    { edge_index: numbers([0, 1, 1, 2], 2, 2), y: numbers([0, 1, 1], 3_000_000_000) },
    /graph\.npz: y\.npy ends before its last number/,
  ),
  refusal("half a node", { edge_index: numbers([0, 1.5, 1, 2], 2, 2) }, /graph\.npz: "1\.5" is no number of a node/),
  refusal(
    "edges of three ends",
    { edge_index: numbers([0, 1, 1, 2, 2, 0, 1, 1, 1], 3, 3) },
    /graph\.npz: edge_index has the shape \(3, 3\), expected \(2, edges\) or \(edges, 2\)/,
  ),
  refusal(
    "arrays that speak of other numbers of nodes",
    { edge_index: numbers([0, 1, 1, 2], 2, 2), x: numbers([1, 2, 3, 4], 4, 1), y: numbers([0, 1, 1], 3) },
    /graph\.npz: the arrays speak of 3, 4 nodes/,
  ),
  refusal(
    "offsets of rows that do not reach the last edge",
    {
      adj_indptr: numbers([0, 1, 1], 3),
      adj_indices: numbers([1, 0], 2),
      adj_shape: numbers([2, 2], 2),
    },
    /graph\.npz: adj_indptr, adj_indices and adj_data do not fit together/,
  ),
];
