import { type FileCase, lines, pairs, path } from "./case.ts";

const edges = lines("src,dst", ...pairs(","));
const prose = lines(
  "This folder holds a graph of friends.",
  "It was collected by hand in 2026, and is",
  "free to use for whatever you like.",
  "Ask us.",
);
const magic = (text: string, size = 64) => Buffer.concat([Buffer.from(text, "latin1"), Buffer.alloc(size)]);

/** Files that lie beside a graph, or are not what their names say. */
export const otherFileCases: readonly FileCase[] = [
  {
    title: "a README.md beside the edges",
    files: { "edges.csv": edges, "README.md": prose },
    graph: path,
    warns: [/README\.md holds text, but its lines do not have the same number of fields/],
  },
  {
    title: "a README.txt of prose",
    files: { "edges.csv": edges, "README.txt": prose },
    graph: path,
    warns: [/README\.txt holds text/],
  },
  {
    title: "a LICENSE without an ending",
    files: { "edges.csv": edges, LICENSE: prose },
    graph: path,
    warns: [/LICENSE holds text/],
  },
  {
    title: "a picture",
    files: { "edges.csv": edges, "plot.png": magic("\x89PNG\r\n\x1a\n") },
    graph: path,
    warns: [/plot\.png is a picture/],
  },
  {
    title: "a PDF",
    files: { "edges.csv": edges, "paper.pdf": magic("%PDF-1.7") },
    graph: path,
    warns: [/paper\.pdf is a PDF document/],
  },
  {
    title: "a pickle",
    files: { "edges.csv": edges, "data.pkl": magic("\x80\x04\x95") },
    graph: path,
    warns: [/data\.pkl is a Python pickle.*numpy\.save/],
  },
  {
    title: "an empty file",
    files: { "edges.csv": edges, "nodes.csv": "" },
    graph: path,
    warns: [/nodes\.csv has no bytes/],
  },
  {
    title: "a file of blank lines",
    files: { "edges.csv": edges, "nodes.csv": "\n\n\n" },
    graph: path,
    warns: [/nodes\.csv has no rows/],
  },
  {
    title: "JSON of another kind",
    files: { "edges.csv": edges, "meta.json": '{"version": 1}\n' },
    graph: path,
    warns: [/meta\.json holds JSON that lists no records, which no reader takes yet/],
  },
  {
    title: "GEXF without anything in it",
    files: { "edges.csv": edges, "graph.gexf": "<?xml version='1.0'?><gexf/>" },
    graph: path,
    warns: [/graph\.gexf holds no edges; correct the file, or leave its edges out/],
  },
  { title: "a CSV called .parquet", files: { "edges.parquet": edges }, graph: path },
  {
    title: "a CSV called .npy beside the edges",
    files: { "edges.csv": edges, "x.npy": "1,2\n3,4\n" },
    graph: path,
    warns: [/x\.npy is not used by the proposal: a matrix needs a nodes file/],
  },
  {
    title: "a file of bytes that are no text",
    files: { "edges.csv": edges, "junk.csv": Buffer.from([1, 0, 2, 0]) },
    graph: path,
    warns: [/junk\.csv is not a text file/],
  },
  {
    title: "two columns of one name",
    files: { "edges.csv": edges, "nodes.csv": lines("id,x,x", "1,a,b") },
    graph: path,
    warns: [/nodes\.csv has two columns called "x"; rename one of them, or switch the header off if line 1 is a row/],
  },
  {
    title: "OGB's raw edges",
    files: { "edge.csv": lines("0,1", "1,2", "2,3") },
    graph: { nodes: 4, edges: 3 },
    warns: [/edge\.csv: The first line \(0, 1\) is read as a row/],
  },
  {
    title: "OGB's raw features, which have no ids",
    files: {
      "edge.csv": lines("0,1", "1,2", "2,3"),
      "node-feat.csv": lines("0.00,0.00,1.5", "0.00,0.5,1.5", "0.25,0.00,1.5", "1.0,0.00,1.5"),
    },
    graph: { nodes: 4, edges: 3, features: 0 },
    warns: [/node-feat\.csv is not used by the proposal: no column of it holds another id in every row/],
  },
  {
    title: "nothing that looks like edges",
    files: { "things.csv": lines("height,width", "1,2", "3,4") },
    graph: null,
    warns: [/No file looks like edges: choose its source and destination columns/],
  },
  {
    title: "only prose",
    files: { "README.md": prose },
    graph: null,
    warns: [/No file looks like edges/, /README\.md holds text/],
  },
];
