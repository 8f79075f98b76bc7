import { type FileCase, lines } from "./case.ts";

const nodes = (...rows: readonly string[]) => lines("id,label", ...rows);
const edges = (...rows: readonly string[]) => lines("src,dst", ...rows);

/** Tables that other programs write as a folder of pieces. */
export const folderFileCases: readonly FileCase[] = [
  {
    title: "a folder of pieces for nodes and one for edges",
    files: {
      "edges/part-00000-6f1c.c000.csv": edges("1,2", "2,3"),
      "edges/part-00001-6f1c.c000.csv": edges("3,4"),
      "nodes/part-00000-9a2b.c000.csv": nodes("1,a", "2,b"),
      "nodes/part-00001-9a2b.c000.csv": nodes("3,a", "4,b"),
    },
    graph: { nodes: 4, edges: 3, classes: ["a", "b"], unlabelled: 0 },
  },
  {
    title: "pieces that are numbered, in folders of an upload",
    files: {
      "export/edges/000000000000.csv": edges("1,2", "2,3"),
      "export/edges/000000000001.csv": edges("3,4"),
      "export/nodes/data_0.csv": nodes("1,a", "2,b"),
      "export/nodes/data_1.csv": nodes("3,a", "4,b"),
    },
    graph: { nodes: 4, edges: 3, classes: ["a", "b"] },
  },
  {
    title: "a folder of pieces for each type",
    files: {
      "papers/part.0.csv": nodes("p1,a", "p2,b"),
      "papers/part.1.csv": nodes("p3,a"),
      "authors/part.0.csv": lines("id,age", "x1,30.5", "x2,40.5"),
      "writes/part.0.csv": lines("author,paper", "x1,p1", "x2,p3"),
      "writes/part.1.csv": lines("author,paper", "x1,p2"),
    },
    graph: { nodes: 5, edges: 3, classes: ["a", "b"], edgeTypes: ["rev_writes", "writes"] },
    warns: [/papers \(papers\/part\.0\.csv, papers\/part\.1\.csv\)/],
  },
  {
    title: "folders that stand for a column",
    files: { "edges/year=2020/part-0.csv": edges("1,2", "2,3"), "edges/year=2021/part-0.csv": edges("3,4") },
    graph: { nodes: 4, edges: 3 },
    warns: [/Folders such as "year=2020" are read as folders/],
  },
];
