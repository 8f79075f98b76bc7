import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { formatNpyHeader } from "../../packages/gnn-core/src/io/npy-header.ts";
import { type FileCase, lines } from "./case.ts";

/** The archive of a folder whose files are gzipped, as OGB's downloads are. */
const folder = (files: Readonly<Record<string, readonly string[]>>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([name, rows]) => [`${name}.csv.gz`, gzipSync(lines(...rows))])),
  );

/** The layout of ogbn-mag, with two papers of three in the split and a relation between papers alone. */
const typed = {
  "mag/raw/num-node-dict": ["author,field_of_study,paper", "2,1,3"],
  "mag/raw/nodetype-has-feat": ["author,field_of_study,paper", "False,False,True"],
  "mag/raw/nodetype-has-label": ["author,field_of_study,paper", "False,False,True"],
  "mag/raw/triplet-list": ["author,writes,paper", "paper,cites,paper", "paper,has_topic,field_of_study"],
  "mag/raw/relations/author___writes___paper/edge": ["0,0", "1,0", "1,2"],
  "mag/raw/relations/author___writes___paper/edge_reltype": ["0", "0", "0"],
  "mag/raw/relations/author___writes___paper/num-edge-list": ["3"],
  "mag/raw/relations/paper___cites___paper/edge": ["0,1", "2,1"],
  "mag/raw/relations/paper___has_topic___field_of_study/edge": ["2,0"],
  "mag/raw/node-feat/paper/node-feat": ["0.5,1.5", "2.5,3", "-4,0.25"],
  "mag/raw/node-feat/paper/node_year": ["2015", "2018", "2019"],
  "mag/raw/node-label/paper/node-label": ["246", "131", "246"],
  "mag/split/time/nodetype-has-split": ["author,field_of_study,paper", "False,False,True"],
  "mag/split/time/paper/train": ["0"],
  "mag/split/time/paper/valid": ["1"],
  "mag/split/time/paper/test": ["2"],
};

/** The layout of ogbg-molhiv: three graphs of 3, 2 and 1 nodes. */
const molecules = {
  "hiv/raw/num-node-list": ["3", "2", "1"],
  "hiv/raw/num-edge-list": ["2", "1", "0"],
  "hiv/raw/edge": ["0,1", "1,2", "0,1"],
  "hiv/raw/edge-feat": ["0,0", "1,0", "0,0"],
  "hiv/raw/node-feat": ["0.5,5", "0.25,5", "1.5,7", "0.5,7", "2.5,5", "3.5,7"],
  "hiv/raw/graph-label": ["0", "1", "0"],
  "hiv/split/scaffold/train": ["0"],
  "hiv/split/scaffold/valid": ["1"],
  "hiv/split/scaffold/test": ["2"],
};

const array = (dtype: "float32" | "int64", shape: number[], values: readonly number[]) =>
  Buffer.concat([
    formatNpyHeader(dtype, shape),
    new Uint8Array(dtype === "int64" ? BigInt64Array.from(values, BigInt).buffer : Float32Array.from(values).buffer),
  ]);

/** The layout of ogbn-papers100M. */
const binary = (edges: readonly number[]) => ({
  "data.npz": zipSync({
    "edge_index.npy": array("int64", [2, edges.length / 2], edges),
    "node_feat.npy": array("float32", [4, 2], [0.5, 1, 2, 3, 4, 5, 6, 7]),
    "num_nodes_list.npy": array("int64", [1], [4]),
    "num_edges_list.npy": array("int64", [1], [edges.length / 2]),
  }),
  "node-label.npz": zipSync({ "node_label.npy": array("float32", [4, 1], [3, Number.NaN, 12, 3]) }),
  "train.csv": "0\n",
  "valid.csv": "2\n",
  "test.csv": "3\n",
});

const without = (files: Readonly<Record<string, readonly string[]>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));

/** What is whole, for whoever wants to damage it: archives of gzipped parts, and files. */
export const wholeOgb = { typed: folder(typed), molecules: folder(molecules), binary: binary([0, 1, 2, 1, 2, 3]) };

/** Folders as the Open Graph Benchmark's downloads have them. */
export const ogbFileCases: readonly FileCase[] = [
  {
    title: "OGB's raw folder, its split in lists of nodes, in an archive",
    files: {
      "toy.zip": zipSync({
        "toy/raw/edge.csv.gz": gzipSync("0,1\n1,2\n2,3\n"),
        "toy/raw/num-node-list.csv.gz": gzipSync("5\n"),
        "toy/raw/num-edge-list.csv.gz": gzipSync("3\n"),
        "toy/raw/node-feat.csv.gz": gzipSync("0.5,1\n0,2\n1,-3e-1\n0,4\n7,8\n"),
        "toy/raw/node-label.csv.gz": gzipSync("1\n0\n1\nnan\n0\n"),
        "toy/split/time/train.csv.gz": gzipSync("0\n4\n"),
        "toy/split/time/valid.csv.gz": gzipSync("1\n"),
        "toy/split/time/test.csv.gz": gzipSync("2\n"),
      }),
    },
    graph: {
      nodes: 5,
      edges: 3,
      ids: ["0", "4"],
      classes: ["0", "1"],
      unlabelled: 1,
      split: [2, 1, 1],
      features: 2,
      rows: [
        [0.5, 1],
        [0, 2],
        [1, -0.3],
        [0, 4],
        [7, 8],
      ],
    },
  },
  {
    title: "OGB's raw files with a row of features too few",
    files: {
      "edge.csv": lines("0,1", "1,2"),
      "num-node-list.csv": "3\n",
      "node-feat.csv": lines("0.5,1", "1,2"),
    },
    graph: null,
    warns: [/node-feat\.csv: it has 2 rows for 3 nodes\. Expected a raw folder of the Open Graph Benchmark/],
  },
  {
    title: "OGB's raw files of many graphs",
    files: {
      "edge.csv": lines("0,1", "1,2", "0,1"),
      "num-node-list.csv": lines("3", "2"),
      "node-feat.csv": lines("0", "1", "2", "3", "4"),
    },
    graph: null,
    warns: [/num-node-list\.csv: it counts the nodes of several graphs/],
  },
  {
    title: "OGB's raw folder of a typed graph",
    files: { "mag.zip": folder(typed) },
    graph: {
      nodes: 6,
      edges: 3 + 2 + 1,
      classes: ["131", "246"],
      split: [1, 1, 1],
      features: 2,
      edgeTypes: ["cites", "has_topic", "rev_cites", "rev_has_topic", "rev_writes", "writes"],
    },
    warns: [/node_year is left out/],
  },
  {
    title: "OGB's raw folder of a typed graph with an edge to a paper that is not there",
    files: { "mag.zip": folder({ ...typed, "mag/raw/relations/paper___cites___paper/edge": ["0,1", "7,1"] }) },
    graph: null,
    warns: [/paper___cites___paper\/edge\.csv\.gz, line 2: it names the paper 7; there are 3/],
  },
  {
    title: "OGB's raw folder of a typed graph whose counts are one short",
    files: { "mag.zip": folder({ ...typed, "mag/raw/num-node-dict": ["author,field_of_study,paper", "2,1"] }) },
    graph: null,
    warns: [/num-node-dict\.csv\.gz: expected a line with names of types and one with how many nodes each has/],
  },
  {
    title: "OGB's raw folder of many graphs",
    files: { "hiv.zip": folder(molecules) },
    graph: { nodes: 6, edges: 3, ids: ["0/0", "0/2", "2/0"], features: 3 },
    warns: [/edge-feat is left out/, /read as a set of graphs/],
  },
  {
    title: "OGB's raw folder of many graphs without the number of edges of each",
    files: { "hiv.zip": folder(without(molecules, "hiv/raw/num-edge-list")) },
    graph: null,
    warns: [/counts the nodes of several graphs, for which num-edge-list and graph-label are needed too/],
  },
  {
    title: "OGB's raw folder of many graphs with an edge that leaves its graph",
    files: { "hiv.zip": folder({ ...molecules, "hiv/raw/edge": ["0,1", "1,2", "0,2"] }) },
    graph: null,
    warns: [/edge\.csv\.gz, line 3: it names the node 2 of graph 1, which has 2/],
  },
  {
    title: "OGB's raw files of which one is no gzip behind its first bytes",
    files: {
      "edge.csv.gz": Buffer.from("\x1f\x8b\x00\x00\x00\x00\x00\x00\x00\x00", "latin1"),
      "num-node-list.csv": "3\n",
      "node-label.csv": lines("0", "1", "0"),
    },
    graph: null,
    warns: [/edge\.csv\.gz: its gzip data are cut off or damaged/],
  },
  {
    title: "OGB's raw files in numpy's form",
    files: binary([0, 1, 2, 1, 2, 3]),
    graph: {
      nodes: 4,
      edges: 3,
      classes: ["3", "12"],
      unlabelled: 1,
      split: [1, 1, 1],
      features: 2,
      rows: [
        [0.5, 1],
        [2, 3],
        [4, 5],
        [6, 7],
      ],
    },
  },
  {
    title: "OGB's raw files in numpy's form without labels",
    files: { ...binary([0, 1]), "node-label.npz": zipSync({ "other.npy": array("float32", [1], [0]) }) },
    graph: null,
    warns: [/node-label\.npz: it has no array node_label/],
  },
];
