import { type FileCase, lines } from "./case.ts";

/** `content` under a name, and what it is read as. */
const one = (title: string, name: string, content: string, rest: Omit<FileCase, "title" | "files">): FileCase => ({
  title,
  files: { [name]: content },
  ...rest,
});
const refusal = (title: string, name: string, content: string, warning: RegExp) =>
  one(title, name, content, { graph: null, warns: [warning] });

const square = { nodes: 4, edges: 4, ids: ["1", "2", "3", "4"], directed: false } as const;
const path = { nodes: 4, edges: 3, ids: ["1", "2", "3", "4"], directed: false } as const;
/** A ring whose file is longer than what is looked at first: 60,000 lines of two neighbours */
const ring = Array.from({ length: 60_000 }, (_, i) => `${((i + 59_999) % 60_000) + 1} ${((i + 1) % 60_000) + 1}`);

const lgl: readonly FileCase[] = [
  one("LGL with weights: blocks of neighbours", "g.lgl", lines("# a", "b 0.5", "c 1.5", "# b", "c 2", "# d"), {
    graph: { nodes: 4, edges: 3, ids: ["a", "b", "c", "d"], directed: false, weighted: true },
  }),
  one("LGL by another name, whose lines would pass for edges", "g.txt", lines("# 1", "2 5", "3 15", "# 2", "3 2"), {
    graph: { nodes: 3, edges: 3, ids: ["1", "2", "3"], directed: false, weighted: true },
  }),
  one("LGL without weights", "g.txt", lines("# a", "b", "c", "# b", "c"), { graph: { nodes: 3, edges: 3 } }),
  refusal("LGL with two words behind a neighbour", "g.lgl", lines("# a", "b 1", "c 1 2"), /g\.lgl/),
];

const metis: readonly FileCase[] = [
  one("METIS: an edge is on the lines of both its ends", "g.graph", lines("4 3", "2", "1 3", "2 4", "3"), {
    graph: path,
  }),
  one("METIS with comments, a node without neighbours", "g.graph", lines("% a", "4 2", "2", "1 3", "2", ""), {
    graph: { nodes: 4, edges: 2, ids: ["4"], directed: false },
  }),
  one("METIS by another name, each node with two neighbours", "g.txt", lines("4 4", "2 4", "1 3", "2 4", "1 3"), {
    graph: square,
  }),
  one(
    "METIS with weights of edges and of nodes",
    "g.graph",
    lines("4 3 011", "3 2 5", "3 1 5 3 6", "3 2 6 4 7", "3 3 7"),
    { graph: { ...path, weighted: true }, warns: [/"weight" is left out/] },
  ),
  one("METIS of more lines than are looked at first", "g.txt", lines("60000 60000", ...ring), {
    graph: { nodes: 60_000, edges: 60_000, directed: false },
  }),
  refusal(
    "METIS whose last lines are missing",
    "g.graph",
    lines("60000 60000", ...ring.slice(0, -2)),
    /60000 nodes are said/,
  ),
];

const dimacs: readonly FileCase[] = [
  one("DIMACS: a graph to colour, one node without an edge", "g.col", lines("c made", "p edge 4 2", "e 1 2", "e 2 3"), {
    graph: { nodes: 4, edges: 2, ids: ["4"], directed: false, weighted: false },
  }),
  one("DIMACS: roads lead one way and have a length", "g.gr", lines("p sp 3 2", "a 1 2 8", "a 2 3 1"), {
    graph: { nodes: 3, edges: 2, directed: true, weighted: true },
  }),
  one("PACE: ends alone", "g.gr", lines("c made", "p tw 4 3", "1 2", "2 3", "3 4"), { graph: path }),
  refusal(
    "DIMACS that was cut off",
    "g.col",
    lines("p edge 9 7", "e 1 2", "e 2 3"),
    /7 edges are said to be here, and 2 are/,
  ),
  refusal(
    "an edge to no node",
    "g.col",
    lines("p edge 2 1", "e 1 3"),
    /g\.col, line 2: found "3", expected .*from 1 to 2/,
  ),
  refusal(
    "edges of DIMACS without its first line",
    "g.col",
    lines("e 1 2", "e 2 3"),
    /DIMACS graph without its line p/,
  ),
];

const lists: readonly FileCase[] = [
  one("networkx's lists of neighbours", "g.adjlist", lines("#made", "# GMT", "#", "0 1 2 3", "1 2", "2 3", "3"), {
    graph: { nodes: 4, edges: 5, ids: ["0", "1", "2", "3"] },
  }),
  one("lists of neighbours that are equally long", "g.adjlist", lines("0 1 2", "1 2 3", "2 3 4"), {
    graph: { nodes: 5, edges: 6 },
  }),
  one("neighbours behind a colon", "adj.txt", lines("1: 2 3", "2: 3 4", "3: 4 1", "5:"), {
    graph: { nodes: 5, edges: 5, ids: ["5"] },
  }),
  refusal("settings behind a colon", "a.txt", lines("name: graph", "made: by hand"), /a colon behind the first word/),
];

const networkx: readonly FileCase[] = [
  one("networkx's weights in dicts", "g.edgelist", lines("1 2 {'weight': 3}", "2 3 {'weight': 2.5}", "3 4 {}"), {
    graph: { nodes: 4, edges: 3, ids: ["1", "4"], weighted: true },
  }),
  one(
    "dicts with commas and quotes, which would pass for a table of two columns",
    "g.edgelist",
    lines(`1 2 {'weight': 3, 'note': "it's"}`, "2 3 {'weight': 7, 'note': 'a, b: {c}'}"),
    { graph: { nodes: 3, edges: 2, ids: ["1", "2", "3"], weighted: true }, warns: [/"note" is left out/] },
  ),
];

const zeros = (row: number, size: number) => Array.from({ length: size }, (_, j) => (Math.abs(row - j) === 1 ? 1 : 0));

const named: readonly FileCase[] = [
  refusal(
    "an adjacency matrix of 250 rows between blanks, which would pass for edges with 248 values",
    "graph.txt",
    lines(...Array.from({ length: 250 }, (_, i) => zeros(i, 250).join(" "))),
    /graph\.txt holds a matrix with as many rows as columns.*numpy\.argwhere/,
  ),
  refusal(
    "an adjacency matrix with names that is longer than what is looked at first",
    "graph.csv",
    lines(
      ["", ...zeros(0, 600).map((_, i) => `n${i}`)].join(","),
      ...Array.from({ length: 600 }, (_, i) => [`n${i}`, ...zeros(i, 600)].join(",")),
    ),
    /graph\.csv holds a matrix with as many rows as columns.*pandas\.read_csv/,
  ),
  refusal("graph6", "g.g6", lines("D?{"), /g\.g6 holds graphs in graph6: networkx\.write_edgelist/),
  refusal("sparse6", "g.txt", lines(":Fa@x^"), /g\.txt holds graphs in sparse6/),
  refusal("a LEDA graph", "g.lgr", lines("LEDA.GRAPH", "void", "void", "-1", "0"), /a LEDA graph/),
];

const text: readonly FileCase[] = [
  one(
    "quotes behind backslashes inside quoted values",
    "edges.csv",
    lines("src,dst,note", '"a","b \\"x\\"","he said \\"yes\\", twice"', '"b \\"x\\"","c","\\\\"'),
    { graph: { nodes: 3, edges: 2, ids: ["a", 'b "x"', "c"] }, warns: [/"note" is left out/] },
  ),
  one(
    "a backslash at the end of a quoted value is no escape",
    "edges.csv",
    lines("src,dst", '"a","b\\"', '"b\\","c"'),
    {
      graph: { nodes: 3, edges: 2, ids: ["a", "b\\", "c"] },
    },
  ),
  refusal(
    "both ways to write quotes in one file",
    "edges.csv",
    lines("src,dst", '"a","b \\"x\\""', '"b ""y""","c"'),
    /edges\.csv, line 2: text follows a closing quote/,
  ),
  one(
    "N-Triples without blanks between terms",
    "g.nt",
    lines("<http://a><http://p><http://b>.", "<http://b><http://p>_:c ."),
    {
      graph: { nodes: 3, edges: 2, ids: ["http://a", "_:c"], directed: true },
    },
  ),
];

const graphs: readonly FileCase[] = [
  one("a Pajek matrix leads from row to column", "g.net", lines("*Vertices 3", "*Matrix", "0 1 0", "0 0 2", "0 0 0"), {
    graph: { nodes: 3, edges: 2, directed: true, weighted: true },
  }),
  one("a Pajek network of two kinds of vertices", "g.net", lines("*Vertices 4 2", "*Edges", "1 3", "1 4", "2 4"), {
    graph: { nodes: 4, edges: 3, directed: false },
  }),
  refusal(
    "a row of a Pajek matrix that is cut off",
    "g.net",
    lines("*Vertices 2", "*Matrix", "0 1", "1"),
    /row 2 of the matrix has 1 weights/,
  ),
  refusal(
    "GML with a graph in the graph, whose nodes would be missing",
    "g.gml",
    lines("graph [", "node [ id 1 ]", "graph [ node [ id 2 ] ]", "]"),
    /g\.gml, line 3: a graph begins within another/,
  ),
  one(
    "networkx's adjacency in JSON names each edge twice",
    "g.json",
    '{"directed": false, "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "adjacency": [[{"id": 1}], [{"id": 0}, {"id": 2}], [{"id": 1}]]}',
    { graph: { nodes: 3, edges: 2, ids: ["0", "1", "2"], directed: false } },
  ),
  one(
    "the JSON Graph Format, whose nodes stand by their ids",
    "g.json",
    '{"graph": {"directed": true, "nodes": {"a": {"size": 1.5}, "b": {"size": 2.5}}, "edges": [{"source": "a", "target": "b"}]}}',
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"], rows: [[1.5], [2.5]], directed: true } },
  ),
  one(
    "the JSON Graph Format without a direction, which is a directed one",
    "g.json",
    '{"graph": {"nodes": {"a": {"metadata": {"size": 1.5}}, "b": {"metadata": {"size": 2.5}}}, "edges": [{"source": "a", "target": "b"}]}}',
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"], rows: [[1.5], [2.5]], directed: true } },
  ),
  one(
    "the JSON Graph Format with an edge that leads both ways",
    "g.json",
    '{"graph": {"nodes": {"a": {}, "b": {}, "c": {}}, "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c", "directed": false}]}}',
    { graph: { nodes: 3, edges: 3, ids: ["a", "b", "c"], directed: true } },
  ),
  one(
    "a directed graph of graphology, which says so in its type",
    "g.json",
    '{"options": {"type": "directed"}, "nodes": [{"key": "a"}, {"key": "b"}], "edges": [{"source": "a", "target": "b"}]}',
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"], directed: true } },
  ),
  one(
    "a mixed graph of graphology, one of whose edges leads both ways",
    "g.json",
    '{"options": {"type": "mixed"}, "nodes": [{"key": "a"}, {"key": "b"}, {"key": "c"}], "edges": [{"source": "a", "target": "b"}, {"source": "b", "target": "c", "undirected": true}]}',
    { graph: { nodes: 3, edges: 3, ids: ["a", "b", "c"], directed: true } },
  ),
  one(
    "vis.js, which calls the ends from and to",
    "g.json",
    '{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"from": 1, "to": 2}]}',
    { graph: { nodes: 2, edges: 1, ids: ["1", "2"] } },
  ),
  refusal("rows of a matrix in JSON", "g.json", "[[0, 1], [1, 0]]", /g\.json holds a list of lists/),
  refusal("neighbours by node in JSON", "g.json", '{"0": [1, 2], "1": [0]}', /networkx\.node_link_data/),
];

/** Forms of graphs in lines of text: those with a reader, and those that would pass for a table and are none. */
export const lineFileCases: readonly FileCase[] = [lgl, metis, dimacs, lists, networkx, named, text, graphs].flat();
