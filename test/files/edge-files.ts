import { type FileCase, lines, pairs, path } from "./case.ts";

/** How the same three edges are written. */
export const edgeFileCases: readonly FileCase[] = [
  { title: "a CSV with a header", files: { "edges.csv": lines("src,dst", ...pairs(",")) }, graph: path },
  { title: "a blank line before the header", files: { "edges.csv": lines("", "src,dst", ...pairs(",")) }, graph: path },
  {
    title: "blank lines at the top, between and at the end",
    files: { "edges.csv": lines("", "  ", "src,dst", "1,2", "", "2,3", "3,4", "", "") },
    graph: path,
  },
  { title: "a CSV without a header", files: { "edges.csv": lines(...pairs(",")) }, graph: path },
  { title: "a CSV without a header, ended by no line break", files: { "edges.csv": "1,2\n2,3\n3,4" }, graph: path },
  {
    title: "a CSV of names without a header",
    files: { "edges.csv": lines("ann,bob", "bob,cid", "cid,dan") },
    graph: { nodes: 4, edges: 3, ids: ["ann", "bob", "cid", "dan"] },
  },
  {
    title: "a CSV of names that never come again, which could be read both ways",
    files: { "edges.csv": lines("ann,bob", "cid,dan") },
    graph: { nodes: 2, edges: 1 },
    warns: [/edges\.csv: The first line \(ann, bob\) is taken for the names of the columns.*switch the header off/],
  },
  {
    title: "an edge from 0 to 1 at the top, which could be pandas' numbered columns",
    files: { "edges.csv": lines("0,1", "1,2", "2,3") },
    graph: { nodes: 4, edges: 3 },
    warns: [/edges\.csv: The first line \(0, 1\) is read as a row.*switch the header on/],
  },
  {
    title: "pandas' numbered columns",
    files: { "edges.csv": lines("0,1,2", "1,2,0.5", "2,3,0.25", "3,4,1") },
    graph: { ...path, weighted: true },
    warns: [/edges\.csv: the numbers of "2" are proposed as the weights/],
  },
  {
    title: "pandas' index as a column without a name",
    files: { "edges.csv": lines(",source,target", "0,1,2", "1,2,3", "2,3,4") },
    graph: { ...path, weighted: false },
    warns: [/edges\.csv: "column1" is left out: it counts the rows/],
  },
  { title: "Excel's line sep=;", files: { "edges.csv": lines("sep=;", "src;dst", ...pairs(";")) }, graph: path },
  { title: "semicolons", files: { "edges.csv": lines("src;dst", ...pairs(";")) }, graph: path },
  { title: "vertical bars", files: { "edges.csv": lines("src|dst", ...pairs("|")) }, graph: path },
  { title: "tabs in a file called .csv", files: { "edges.csv": lines("src\tdst", ...pairs("\t")) }, graph: path },
  { title: "commas in a file called .tsv", files: { "edges.tsv": lines("src,dst", ...pairs(",")) }, graph: path },
  { title: "blanks in a file called .csv", files: { "edges.csv": lines("src dst", ...pairs(" ")) }, graph: path },
  { title: "a TSV", files: { "edges.tsv": lines("src\tdst", ...pairs("\t")) }, graph: path },
  {
    title: "a TSV with # comments",
    files: { "edges.tsv": lines("# made by hand", "# in 2026", "src\tdst", ...pairs("\t")) },
    graph: path,
  },
  {
    title: "a TSV whose header is a comment",
    files: { "edges.tsv": lines("#source\ttarget", ...pairs("\t")) },
    graph: path,
  },
  {
    title: "a CSV with % comments",
    files: { "edges.csv": lines("% sym unweighted", "% 3 4", ...pairs(",")) },
    graph: path,
  },
  {
    title: "a CSV with // comments",
    files: { "edges.csv": lines("// exported", "src,dst", ...pairs(",")) },
    graph: path,
  },
  {
    title: "quoted values",
    files: { "edges.csv": lines('"src","dst"', '"1","2"', '"2","3"', '"3","4"') },
    graph: path,
  },
  {
    title: "quoted names with commas",
    files: { "edges.csv": lines("src,dst", '"Doe, J","Roe, R"', '"Roe, R","Poe, E"') },
    graph: { nodes: 3, edges: 2, ids: ["Doe, J", "Roe, R", "Poe, E"] },
  },
  { title: "Windows' line ends", files: { "edges.csv": "src,dst\r\n1,2\r\n2,3\r\n3,4\r\n" }, graph: path },
  {
    title: "Windows' line ends and a blank line first",
    files: { "edges.csv": "\r\nsrc,dst\r\n1,2\r\n2,3\r\n3,4\r\n" },
    graph: path,
  },
  { title: "a byte order mark", files: { "edges.csv": `\ufeff${lines("src,dst", ...pairs(","))}` }, graph: path },
  {
    title: "blanks around the names of columns",
    files: { "edges.csv": lines(" src , dst ", ...pairs(",")) },
    graph: path,
  },
  { title: "columns in capitals", files: { "EDGES.CSV": lines("SOURCE,TARGET", ...pairs(",")) }, graph: path },
  {
    title: "SNAP's text file",
    files: { "web.txt": lines("# Directed graph", "# Nodes: 4 Edges: 3", "# FromNodeId\tToNodeId", ...pairs("\t")) },
    graph: path,
  },
  { title: "a text file with a header", files: { "graph.txt": lines("src dst", ...pairs(" ")) }, graph: path },
  {
    title: "a text file with a header between tabs",
    files: { "graph.txt": lines("source\ttarget", ...pairs("\t")) },
    graph: path,
  },
  { title: "a text file with commas", files: { "graph.txt": lines(...pairs(",")) }, graph: path },
  {
    title: "a text file with commas and a header",
    files: { "graph.txt": lines("from,to", ...pairs(",")) },
    graph: path,
  },
  {
    title: "a text file with sep=; at the top",
    files: { "graph.txt": lines("sep=;", "from;to", ...pairs(";")) },
    graph: path,
  },
  {
    title: "an edge list with weights",
    files: { "g.edgelist": lines(...pairs(" ", "0.5")) },
    graph: { ...path, weighted: true },
    warns: [/g\.edgelist: the numbers of "column3" are proposed as the weights/],
  },
  { title: "an .edges file with commas", files: { "road.edges": lines(...pairs(",")) }, graph: path },
  { title: "an .el file", files: { "a.el": lines(...pairs(" ")) }, graph: path },
  { title: "blanks before each line", files: { "a.txt": lines("  1   2", "  2   3", "  3   4") }, graph: path },
  {
    title: "comments between the edges of a list",
    files: { "a.txt": lines("# one", "1 2", "# two", "2 3", "3 4") },
    graph: path,
  },
  {
    title: "a MatrixMarket pattern",
    files: {
      "a.mtx": lines("%%MatrixMarket matrix coordinate pattern symmetric", "% karate", "4 4 3", "2 1", "3 2", "4 3"),
    },
    graph: { nodes: 4, edges: 3 },
  },
  {
    title: "a MatrixMarket file with values",
    files: { "a.mtx": lines("%%MatrixMarket matrix coordinate real general", "4 4 3", "2 1 0.5", "3 2 1", "4 3 2") },
    graph: { nodes: 4, edges: 3, weighted: true },
  },
  {
    title: "one edge file without an ending",
    files: { edges: lines("src,dst", ...pairs(",")) },
    graph: path,
  },
  { title: "an unknown ending", files: { "edges.dat": lines(...pairs(" ")) }, graph: path },
  {
    title: "ids with leading zeros",
    files: { "edges.csv": lines("src,dst", "007,010", "010,7") },
    graph: { nodes: 3, edges: 2, ids: ["007", "010", "7"] },
  },
  {
    title: "repeated edges and self-loops",
    files: { "edges.csv": lines("src,dst", "1,2", "2,1", "2,2", "2,3") },
    graph: { nodes: 3, edges: 2 },
    reports: [/1 self-loops? were dropped/],
  },
  {
    title: "Gephi's edges, undirected",
    files: {
      "edges.csv": lines(
        "Source,Target,Type,Id,Label,Weight",
        "1,2,Undirected,0,,1",
        "2,3,Undirected,1,,1",
        "3,4,Undirected,2,,2",
      ),
    },
    graph: { ...path, weighted: true, directed: false },
    warns: [/"Id" is left out: it counts the rows/, /"Label" is left out: empty/],
  },
  {
    title: "Gephi's edges, directed",
    files: { "edges.csv": lines("Source,Target,Type,Weight", "1,2,Directed,1", "2,3,Directed,1", "3,4,Directed,2") },
    graph: { ...path, weighted: true, directed: true },
  },
  {
    title: "Neo4j's relations",
    files: { "cites.csv": lines(":START_ID,:END_ID,:TYPE", "1,2,CITES", "2,3,CITES", "3,4,READS") },
    graph: { ...path, edgeTypes: ["CITES", "READS"] },
  },
  {
    title: "Neo4j's relations with groups of ids",
    files: { "r.csv": lines(":START_ID(Person),since:int,:END_ID(Person)", "1,1999,2", "2,2001,3", "3,2002,4") },
    graph: path,
    warns: [/r\.csv: "since:int" is left out: whole numbers/],
  },
  {
    title: "negative weights",
    files: { "edges.csv": lines("src,dst,weight", "1,2,-1", "2,3,0.5", "3,4,1") },
    graph: { ...path, weighted: true },
    warns: [/edges\.csv: the weights in "weight" are not all above zero/],
    reports: [/"weight" .*1 .*below zero/],
  },
  {
    title: "weights of zero",
    files: { "edges.csv": lines("src,dst,weight", "1,2,0", "2,3,0", "3,4,1") },
    graph: { ...path, weighted: true },
    warns: [/the weights in "weight" are not all above zero/],
    reports: [/"weight" .*2 .*zero/],
  },
  {
    title: "ratings with their time, as Bitcoin OTC has them",
    files: { "soc.csv": lines("6,2,4,1289241911", "6,5,2,1289241941", "1,6,-1,1289243140", "4,3,7,1289245277") },
    graph: { nodes: 6, edges: 4, weighted: true },
    warns: [
      /soc\.csv: the numbers of "column3" are proposed as the weights/,
      /the weights in "column3" are not all above zero/,
      /soc\.csv: "column4" is proposed as the time of each edge, in seconds since 1970/,
    ],
  },
  {
    title: "times in the third column",
    files: { "msg.txt": lines("1 2 1082040961", "2 3 1082155839", "3 4 1082414391") },
    graph: { ...path, weighted: false },
    warns: [/msg\.txt: "column3" is proposed as the time of each edge, in seconds since 1970/],
  },
  {
    title: "two edge files alike",
    files: { "edges-1.csv": lines("src,dst", "1,2", "2,3"), "edges-2.csv": lines("src,dst", "3,4") },
    graph: path,
  },
  {
    title: "two edge files with their columns in another order",
    files: { "edges-1.csv": lines("src,dst", "1,2", "2,3"), "edges-2.csv": lines("dst,src", "4,3") },
    graph: path,
  },
  {
    title: "two edge files, one with a further column",
    files: { "edges-1.csv": lines("src,dst", "1,2", "2,3"), "edges-2.csv": lines("src,dst,note", "3,4,x") },
    graph: path,
    warns: [/edges-2\.csv: "note" is left out: text/],
  },
  {
    title: "two edge files, one without the weight of the other",
    files: { "edges-1.csv": lines("src,dst,weight", "1,2,1", "2,3,2"), "edges-2.csv": lines("src,dst", "3,4") },
    graph: { nodes: 3, edges: 2, weighted: true },
    warns: [/edges-2\.csv is left out, with all its edges: it has no column "weight" as edges-1\.csv has/],
  },
  {
    title: "an edge file with a header and no rows",
    files: { "edges.csv": "src,dst\n" },
    graph: null,
    refused: /edges\.csv .*no edge/,
  },
  {
    title: "edges that all lead from a node to itself",
    files: { "edges.csv": lines("src,dst", "1,1", "2,2") },
    graph: null,
    refused: /No edge is left of 2 rows/,
  },
  {
    title: "a ragged row",
    files: { "edges.csv": lines("src,dst", "1,2", "2,3,9", "3,4") },
    graph: null,
    warns: [/edges\.csv, line 3: found 3 columns, expected 2/],
  },
  {
    title: "a ragged row below comments, whose line is that of the file",
    files: { "edges.tsv": lines("# a", "# b", "src\tdst", "1\t2", "2\t3\t9") },
    graph: null,
    warns: [/edges\.tsv, line 5: found 3 columns, expected 2/],
  },
];

const usualEnds: readonly (readonly [string, string])[] = [
  ["src", "dst"],
  ["source", "target"],
  ["from", "to"],
  ["u", "v"],
  ["head", "tail"],
  ["citing", "cited"],
  ["origin", "destination"],
  ["Origin", "Dest"],
  ["sender", "receiver"],
  ["sender_id", "recipient_id"],
  ["i", "j"],
  ["node1", "node2"],
  ["node_a", "node_b"],
  ["protein1", "protein2"],
  ["id_1", "id_2"],
  ["start_node", "end_node"],
  ["parent", "child"],
  ["follower", "followee"],
  ["caller_id", "callee_id"],
  ["buyer", "seller"],
  ["rater", "ratee"],
  ["subject", "object"],
  ["nameOrig", "nameDest"],
  ["source_id", "target_id"],
  ["src_node_id", "dst_node_id"],
  ["FromNodeId", "ToNodeId"],
  ["paper_id_citing", "paper_id_cited"],
  ["row", "col"],
  ["entity1", "entity2"],
  ["Von_Nr", "Nach_Nr"],
  ["origen", "destino"],
];

/** Names that the ends of edges usually have, in a file whose own name says nothing. */
const endsOfOneKind = usualEnds.map(([src, dst]) => ({
  title: `ends called ${src} and ${dst}`,
  files: { "data.csv": lines(`${src},${dst}`, ...pairs(",")) },
  graph: path,
}));

const namesOfTwoKinds: readonly (readonly [string, string])[] = [
  ["user_id", "item_id"],
  ["userId", "movieId"],
  ["author_id", "paper_id"],
];

/** 2 and 3 are on both sides, and are two nodes each. */
const endsOfTwoKinds = namesOfTwoKinds.map(([src, dst]) => ({
  title: `ends called ${src} and ${dst}, which are of two kinds`,
  files: { "data.csv": lines(`${src},${dst}`, ...pairs(",")) },
  graph: { nodes: 6, edges: 3 },
  warns: [/are ids of two kinds/],
}));

export const endNameCases: readonly FileCase[] = [...endsOfOneKind, ...endsOfTwoKinds];
