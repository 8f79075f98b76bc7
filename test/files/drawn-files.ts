import { type FileCase, lines } from "./case.ts";

/** `content` under a name, and what it is read as. */
const one = (title: string, name: string, content: string, rest: Omit<FileCase, "title" | "files">): FileCase => ({
  title,
  files: { [name]: content },
  ...rest,
});
const refusal = (title: string, name: string, content: string, warning: RegExp) =>
  one(title, name, content, { graph: null, warns: [warning] });

const gdf: readonly FileCase[] = [
  one(
    "GDF: an edge leads one way, as it says, and a value in quotes holds a comma",
    "g.gdf",
    lines(
      "nodedef>name VARCHAR,title VARCHAR,size DOUBLE",
      "a,'Ann, first',1.5",
      'b,"Bob",2.5',
      "c,,0.5",
      "edgedef>node1 VARCHAR,node2 VARCHAR,weight DOUBLE,directed BOOLEAN",
      "a,b,1.5,true",
      "b,c,0.5,true",
    ),
    {
      graph: { nodes: 3, edges: 2, ids: ["a", "c"], directed: true, weighted: true, rows: [[1.5], [2.5], [0.5]] },
      warns: [/"title" is left out/],
    },
  ),
  one(
    "GDF without a direction, by another name",
    "g.txt",
    lines("nodedef> name", "a", "b", "edgedef> node1,node2", "a,b"),
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"], directed: false } },
  ),
  refusal(
    "GDF with a row that is too short",
    "g.gdf",
    lines("nodedef>name VARCHAR,size DOUBLE", "a,1", "b", "edgedef>node1 VARCHAR,node2 VARCHAR", "a,b"),
    /g\.gdf, line 3: found 1 values, expected 2 as in nodedef>/,
  ),
  refusal(
    "GDF with an open quote",
    "g.gdf",
    lines("nodedef>name VARCHAR", "'a", "edgedef>node1 VARCHAR,node2 VARCHAR", "a,b"),
    /g\.gdf, line 2: a quote is opened/,
  ),
];

const sif: readonly FileCase[] = [
  one("SIF: several targets on a line, a node alone", "net.sif", lines("a pp b c d", "b pd c", "e"), {
    graph: { nodes: 5, edges: 4, ids: ["a", "e"], edgeTypes: ["pd", "pp"], directed: true },
  }),
  one("SIF between tabs, whose names hold blanks", "net.sif", lines("node A\tpp\tnode B\tnode C", "node D"), {
    graph: { nodes: 4, edges: 2, ids: ["node A", "node D"], edgeTypes: ["pp"], directed: true },
  }),
  refusal(
    "SIF with an edge to nothing",
    "net.sif",
    lines("a pp b", "b pd"),
    /net\.sif, line 2: found "b pd", expected/,
  ),
  refusal("SIF with tabs below blanks", "net.sif", lines("a pp b", "b\tpd\tc"), /net\.sif, line 2: a tab stands/),
];

const dot: readonly FileCase[] = [
  one(
    "DOT: chains, attributes, comments, and what draws alone",
    "g.dot",
    lines(
      "# made by hand",
      "strict graph G {",
      "  rankdir=LR; node [shape=box]",
      '  a [size=1.5, title="An \\"a\\""]; /* one',
      "  or more */ b [size=2.5]",
      "  c:n [size=.5] // a port",
      "  a -- b -- c [weight=2]",
      "}",
    ),
    {
      graph: { nodes: 3, edges: 2, ids: ["a", "b", "c"], directed: false, weighted: true, rows: [[1.5], [2.5], [0.5]] },
      warns: [/what node \[…\] sets for all that follow is not read: "shape"/, /"title" is left out/],
    },
  ),
  one(
    "DOT: subgraphs at the ends of edges, nodes that edges name alone",
    "g.gv",
    lines("digraph {", "  subgraph cluster_0 { label=one; x; y }", '  "a b" -> { x y } -> -7.5', "}"),
    { graph: { nodes: 4, edges: 4, ids: ["x", "y", "a b", "-7.5"], directed: true } },
  ),
  refusal(
    "DOT that is cut off",
    "g.dot",
    lines("graph {", "  a -- b"),
    /g\.dot, line 2: the file ends within the graph/,
  ),
  refusal(
    "an arrow in a graph of DOT without direction",
    "g.dot",
    lines("graph {", "  a -> b", "}"),
    /line 2: found ->, expected --/,
  ),
  refusal(
    "two graphs of DOT in a file",
    "g.dot",
    lines("graph { a -- b }", "graph { c -- d }"),
    /line 2: found "graph", expected the end/,
  ),
  refusal("DOT with what is no word", "g.dot", lines("graph {", "  a -- b [w=$3]", "}"), /g\.dot, line 2: found "\$3/),
];

const tgf: readonly FileCase[] = [
  one(
    "the Trivial Graph Format, some of whose edges have a name",
    "g.tgf",
    lines("1 Ann B.", "2", "3 Cy", "#", "1 2 likes", "2 3"),
    {
      graph: { nodes: 3, edges: 2, ids: ["1", "3"] },
      warns: [/"label" is left out: text/],
    },
  ),
  one(
    "the Trivial Graph Format by another name, all of whose lines have two words",
    "g.txt",
    lines("1 a", "2 b", "#", "1 2", "2 1"),
    { graph: { nodes: 2, edges: 1, ids: ["1", "2"] } },
  ),
  refusal(
    "the Trivial Graph Format with an edge to no node",
    "g.tgf",
    lines("1 a", "2 b", "#", "1 2", "2 7"),
    /g\.tgf, line 5: the edge names "7", which is no node above the line #/,
  ),
  refusal(
    "the Trivial Graph Format with half an edge",
    "g.tgf",
    lines("1 a", "2 b", "#", "1"),
    /g\.tgf, line 4: found "1", expected the two ends of an edge/,
  ),
  refusal("nodes of the Trivial Graph Format alone", "g.tgf", lines("1 a", "2 b"), /expected a line # between/),
];

const cx2 = [
  { CXVersion: "2.0", hasFragments: false },
  { metaData: [{ elementCount: 3, name: "nodes" }] },
  {
    attributeDeclarations: [
      { nodes: { name: { a: "n" }, size: { d: "double", v: 0.5 } }, edges: { weight: { a: "w", v: 1 } } },
    ],
  },
  { networkAttributes: [{ name: "made" }] },
  {
    nodes: [
      { id: 7, x: 1, y: 2, v: { n: "TP53", size: 1.5 } },
      { id: 8, v: { n: "BRCA1" } },
    ],
  },
  { nodes: [{ id: 9 }] },
  {
    edges: [
      { id: 0, s: 7, t: 8, v: { w: 2.5 } },
      { id: 1, s: 8, t: 9, v: {} },
    ],
  },
  { status: [{ success: true }] },
];
const cx1 = [
  { numberVerification: [{ longNumber: 281474976710655 }] },
  {
    nodes: [
      { "@id": 1, n: "TP53" },
      { "@id": 2, n: "BRCA1" },
    ],
  },
  { edges: [{ "@id": 3, s: 1, t: 2, i: "binds" }] },
  {
    nodeAttributes: [
      { po: 1, n: "size", v: "1.5", d: "double" },
      { po: [2], n: "size", v: "2.5", d: "double" },
    ],
  },
  {
    edgeAttributes: [
      { po: 3, n: "weight", v: "4", d: "double" },
      { po: 99, n: "weight", v: "4" },
    ],
  },
];

const cx: readonly FileCase[] = [
  one("CX 2, with short names, usual values and two pieces of nodes", "net.cx2", JSON.stringify(cx2), {
    graph: { nodes: 3, edges: 2, ids: ["7", "9"], rows: [[1.5], [0.5], [0.5]], weighted: true },
    warns: [/"name" is left out: text/],
  }),
  one("CX 1 by another name, with attributes behind all", "net.json", JSON.stringify(cx1), {
    graph: { nodes: 2, edges: 1, ids: ["1", "2"], rows: [[1.5], [2.5]], weighted: true },
    warns: [/its attributes name edges that do not stand before them/],
  }),
  refusal(
    "CX 2 with half an edge",
    "net.cx2",
    JSON.stringify([{ CXVersion: "2.0" }, { nodes: [{ id: 1 }] }, { edges: [{ id: 1, s: 1 }] }]),
    /net\.cx2, number 1 of its edges: expected "s" and "t", the ids of its ends/,
  ),
  refusal(
    "CX 1 with two edges of an id",
    "net.json",
    JSON.stringify([...cx1.slice(0, 3), { edges: [{ "@id": 3, s: 2, t: 1 }] }]),
    /net\.json, number 2 of its edges: the "@id" 3 is there before it/,
  ),
  one(
    "CX that begins with something else, by its ending",
    "net.cx",
    JSON.stringify([{ metaData: [] }, ...cx2.slice(2)]),
    {
      graph: { nodes: 3, edges: 2, ids: ["7", "9"], rows: [[1.5], [0.5], [0.5]], weighted: true },
      warns: [/"name" is left out: text/],
    },
  ),
  refusal("CX 2 that is cut off", "net.cx2", JSON.stringify(cx2).slice(0, -30), /net\.cx2 is not JSON throughout/),
];

/** Graphs as programs that draw them write them. */
export const drawnFileCases: readonly FileCase[] = [gdf, sif, dot, tgf, cx].flat();
