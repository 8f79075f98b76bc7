import { type FileCase, lines, path } from "./case.ts";

const nodes = lines("id,label", "ann,x", "bob,y", "cid,x", "dan,y");

/** Ids as people write them. */
export const idFileCases: readonly FileCase[] = [
  {
    title: "blanks behind the commas",
    files: { "edges.csv": lines("src, dst", "1, 2", "2, 3", "3, 4") },
    graph: { ...path, weighted: false },
  },
  {
    title: "blanks behind the commas of a file without a header",
    files: { "edges.txt": lines("1 , 2", "2 , 3", "3 , 4") },
    graph: path,
  },
  {
    title: "blanks around the ids of the edges, none around those of the nodes",
    files: { "edges.csv": lines("src, dst", "ann, bob", "bob,  cid", "cid , dan"), "nodes.csv": nodes },
    graph: { nodes: 4, edges: 3, ids: ["ann", "bob", "cid", "dan"], classes: ["x", "y"] },
  },
  {
    title: "a no-break space behind an id",
    files: { "edges.csv": lines("src,dst", "a\u00a0,b", "a,c", "b,c") },
    graph: { nodes: 3, edges: 3, ids: ["a", "b", "c"] },
  },
  {
    title: "weights behind blanks",
    files: { "edges.csv": lines("src, dst, weight", "1, 2, 0.5", "2, 3, 1", "3, 4, 2") },
    graph: { ...path, weighted: true },
  },
  ...["nan", "NULL", "\\N"].map((word) => ({
    title: `ends that are ${word}`,
    files: { "edges.csv": lines("source,target", "1,2", `2,${word}`, `${word},4`) },
    graph: { nodes: 4, edges: 3 },
    reports: [/is the id of a node, found in "source", "target".*remove these rows/],
  })),
  {
    title: "an end that is missing",
    files: { "edges.csv": lines("source,target", "1,2", "2,", "3,4") },
    graph: null,
    refused: /edges\.csv, line 3, column "target": the id is empty/,
  },
  {
    title: "an end of nothing but blanks",
    files: { "edges.csv": lines("source,target", "1,2", "2,  ", "3,4") },
    graph: null,
    refused: /edges\.csv, line 3, column "target": the id is empty/,
  },
  {
    title: "a comment between the edges of a CSV that has as many fields",
    files: { "edges.csv": lines("source,target", "1,2", "2,3", "# from here on: 2020, revised", "3,4") },
    graph: { nodes: 6, edges: 4 },
    reports: [/edges\.csv: 1 of its rows begins with #, % or \/\/.*remove these lines if they are comments/],
  },
  {
    title: "a comment between the nodes of a CSV that has as many fields",
    files: {
      "edges.csv": lines("source,target", "ann,bob", "bob,cid"),
      "nodes.csv": lines("id,label", "ann,x", "# second survey,", "bob,y", "cid,x"),
    },
    graph: { nodes: 4, edges: 2 },
    reports: [/nodes\.csv: 1 of its rows begins with #/],
  },
  {
    title: "a comment between the edges of a CSV",
    files: { "edges.csv": lines("source,target", "1,2", "# second part", "3,4") },
    graph: null,
    warns: [/edges\.csv, line 3: found 1 columns, expected 2.* begins as a comment does.*remove it/],
  },
  {
    title: "hashtags as ids",
    files: { "edges.csv": lines("source,target", "#ai,#ml", "#ml,#gnn", "#gnn,#graphs") },
    graph: { nodes: 4, edges: 3 },
  },
  {
    title: "the header again further down",
    files: { "edges.csv": lines("source,target", "1,2", "2,3", "source,target", "3,4") },
    graph: { nodes: 6, edges: 4 },
    reports: [/edges\.csv: 1 row repeats the names of the columns, "source" and "target"/],
  },
  {
    title: "the size of the graph on the first line",
    files: { "g.txt": lines("4 3", "0 1", "1 2", "2 3") },
    graph: { nodes: 5, edges: 4 },
    reports: [/g\.txt: the first row \(4, 3\) .* 3 is also how many rows follow/],
  },
  {
    title: "ids that pandas made floats of, beside nodes that it did not",
    files: {
      "edges.csv": lines("source,target", "1.0,2.0", "2.0,3.0"),
      "nodes.csv": lines("id,label", "1,a", "2,b", "3,a"),
    },
    graph: null,
    refused: /line 2, column "source": "1\.0" is not among the nodes\. "1" is: write ids alike/,
  },
  {
    title: "ids of edges that are written as numbers with a fraction here and without one there",
    files: { "edges.csv": lines("source,target", "1,2.0", "2,3.0", "3,4.0") },
    graph: { nodes: 1 + 3 + 2, edges: 3 },
    reports: [/edges\.csv: "2\.0" and "2" are ids of two nodes/],
  },
  {
    title: "ids in capitals in one file alone",
    files: { "edges.csv": lines("src,dst", "ANN,BOB", "BOB,CID"), "nodes.csv": nodes },
    graph: null,
    refused: /"ANN" is not among the nodes\. "ann" is: write ids alike/,
  },
  {
    title: "whole numbers beyond 2^53",
    files: {
      "edges.csv": lines("src,dst", "9007199254740993,9007199254740992", "9007199254740992,18446744073709551615"),
    },
    graph: { nodes: 3, edges: 2, ids: ["9007199254740993", "9007199254740992", "18446744073709551615"] },
  },
  {
    title: "negative ids",
    files: { "edges.csv": lines("src,dst", "-1,2", "2,-3", "-3,4") },
    graph: { nodes: 4, edges: 3, ids: ["-1", "2", "-3", "4"] },
  },
  {
    title: "names with blanks, other scripts and emoji",
    files: { "edges.csv": lines("src,dst", "Ann Lee,😀", "😀,日本", "日本,Ann Lee") },
    graph: { nodes: 3, edges: 3, ids: ["Ann Lee", "😀", "日本"] },
  },
  {
    title: "addresses",
    files: { "edges.csv": lines("source,target", "http://a.com/?x=1,//b.org", "//b.org,http://c.net") },
    graph: { nodes: 3, edges: 2, ids: ["http://a.com/?x=1", "//b.org", "http://c.net"] },
  },
];
