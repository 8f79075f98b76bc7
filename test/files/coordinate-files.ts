import { type FileCase, lines } from "./case.ts";

const banner = (words: string) => `%%MatrixMarket matrix coordinate ${words}`;
const refusal = (title: string, content: string, says: RegExp): FileCase => ({
  title,
  files: { "a.mtx": content },
  graph: null,
  warns: [says],
});

/** Files whose first lines say how many nodes there are, and whether edges have a direction. */
export const coordinateFileCases: readonly FileCase[] = [
  {
    title: "a symmetric matrix with a row of zeros: a node without an edge",
    files: { "a.mtx": lines(banner("real symmetric"), "% made by hand", "5 5 3", "2 1 0.5", "3 2 1.5", "4 3 2") },
    graph: { nodes: 5, edges: 3, ids: ["1", "2", "3", "4", "5"], directed: false, weighted: true },
  },
  {
    title: "a general matrix leads from row to column",
    files: { "a.mtx": lines(banner("pattern general"), "4 4 3", "1 2", "2 3", "4 1") },
    graph: { nodes: 4, edges: 3, directed: true },
  },
  {
    title: "a matrix that is not square: its rows and columns are nodes of two kinds",
    files: { "a.mtx": lines(banner("integer general"), "2 3 3", "1 1 5", "1 2 4", "2 3 1") },
    graph: { nodes: 5, edges: 3, ids: ["row/1", "column/1", "row/2", "column/3"], directed: false, weighted: true },
    warns: [/a\.mtx: edges join nodes of two kinds.*called row\/1 and column\/1/],
  },
  {
    title: "a matrix beside a table of its nodes",
    files: {
      "a.mtx": lines(banner("pattern symmetric"), "3 3 2", "2 1", "3 2"),
      "nodes.csv": lines("id,label", "1,x", "2,y", "3,x"),
    },
    graph: { nodes: 3, edges: 2, classes: ["x", "y"] },
  },
  refusal(
    "a skew-symmetric matrix, whose entries stand for two of opposite sign",
    lines(banner("real skew-symmetric"), "3 3 1", "2 1 0.5"),
    /a\.mtx, line 1: the matrix is skew-symmetric.*scipy\.io\.mmwrite/,
  ),
  refusal(
    "a matrix of complex numbers",
    lines(banner("complex hermitian"), "3 3 1", "2 1 0.5 1"),
    /a\.mtx, line 1: its values are complex numbers/,
  ),
  refusal(
    "a matrix that was cut off",
    lines(banner("pattern general"), "3 3 5", "2 1", "3 1"),
    /a\.mtx: found 2 rows, expected 5 as its line of sizes says: it may be cut off/,
  ),
  refusal(
    "an entry outside of the matrix",
    lines(banner("pattern general"), "3 3 2", "2 1", "3 4"),
    /a\.mtx, line 4, column "dst": found "4", expected a number from 1 to 3/,
  ),
  refusal(
    "a matrix without its line of sizes",
    lines(banner("pattern general"), "% sizes are missing", "two rows"),
    /a\.mtx, line 3: found "two rows", expected rows, columns and entries/,
  ),
  refusal(
    "a matrix of more nodes than a file of this size is about",
    lines(banner("pattern general"), "2000000000 2000000000 1", "2 1"),
    /a\.mtx: its first lines speak of 2000000000 nodes in a file of \d+ bytes/,
  ),
  {
    title: "KONECT: edges with a direction, weights and times, and a node without an edge",
    files: { "out.moreno": lines("% asym positive", "% 3 5 5", "1 2 1 1001", "2 3 2 1002", "3 4 1 1003") },
    graph: { nodes: 5, edges: 3, directed: true, weighted: true },
    warns: [/out\.moreno: "time" is left out/],
  },
  {
    title: "KONECT between tabs, without numbers of nodes",
    files: {
      "out.mail": lines("% sym unweighted", "1\t2\t1\t1090272000", "2\t3\t1\t1090272001", "3\t4\t1\t1090272002"),
    },
    graph: { nodes: 4, edges: 3, directed: false },
    warns: [/out\.mail: "time" is left out/],
  },
  {
    title: "KONECT: two kinds of nodes with the same numbers",
    files: { "out.brunson": lines("% bip unweighted", "% 3 2 3", "1 1", "1 2", "2 3") },
    graph: { nodes: 5, edges: 3, ids: ["left/1", "left/2", "right/1", "right/3"], directed: false },
    warns: [/out\.brunson: edges join nodes of two kinds.*left\/1 and right\/1/],
  },
  {
    title: "a list of SNAP whose comment says that the graph is directed",
    files: {
      "web.txt": lines(
        "# Directed graph (each unordered pair of nodes is saved once): web.txt",
        "# FromNodeId\tToNodeId",
        "0\t1",
        "1\t2",
        "2\t3",
      ),
    },
    graph: { nodes: 4, edges: 3, directed: true },
  },
  {
    title: "a list of SNAP whose comment says that the graph is undirected",
    files: { "com.txt": lines("# Undirected graph: com.txt", "# FromNodeId ToNodeId", "0 1", "1 2", "2 3") },
    graph: { nodes: 4, edges: 3, directed: false },
  },
];
