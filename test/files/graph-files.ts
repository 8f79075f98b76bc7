import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { type FileCase, lines } from "./case.ts";

const xml = '<?xml version="1.0" encoding="UTF-8"?>';

/** `g.<ending>` holds the graph; text attributes are left out with a warning, for models do not read them. */
function graph(title: string, name: string, content: string, rest: Omit<FileCase, "title" | "files">): FileCase {
  return { title, files: { [name]: content }, ...rest };
}

const graphml = (edgedefault: string, ...content: readonly string[]) =>
  lines(
    xml,
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '<key id="d0" for="node" attr.name="label" attr.type="string"><default>red</default></key>',
    '<key id="d1" for="edge" attr.name="weight" attr.type="double"/>',
    `<graph id="G" edgedefault="${edgedefault}">`,
    ...content,
    "</graph>",
    "</graphml>",
  );

const fourNodes = [
  '<node id="a"/><node id="b"><data key="d0">blue</data></node>',
  '<node id="c"/><node id="d"><data key="d0">blue</data></node>',
];

const gexf = (type: string, ...content: readonly string[]) =>
  lines(xml, '<gexf xmlns="http://gexf.net/1.3" version="1.3">', `<graph ${type}>`, ...content, "</graph>", "</gexf>");

/** Files that hold a whole graph, in the exchange formats of other programs. */
export const graphFileCases: readonly FileCase[] = [
  graph(
    "GraphML with a default, a weight and an edge without one",
    "g.graphml",
    graphml(
      "undirected",
      ...fourNodes,
      '<edge source="a" target="b"><data key="d1">2.5</data></edge>',
      '<edge source="b" target="c"><data key="d1">1</data></edge><edge source="c" target="d"><data key="d1">1</data></edge>',
    ),
    {
      graph: {
        nodes: 4,
        edges: 3,
        ids: ["a", "b", "c", "d"],
        classes: ["blue", "red"],
        weighted: true,
        directed: false,
      },
    },
  ),
  graph(
    "GraphML in which some edges have a direction: the others lead both ways",
    "g.graphml",
    graphml("directed", ...fourNodes, '<edge source="a" target="b"/><edge source="b" target="c" directed="false"/>'),
    { graph: { nodes: 4, edges: 3, directed: true } },
  ),
  graph(
    "GraphML with a graph in a node",
    "g.xml",
    graphml(
      "undirected",
      '<node id="a"><graph edgedefault="undirected"><node id="b"/><node id="c"/><edge source="b" target="c"/></graph></node>',
      '<edge source="a" target="b"/>',
    ),
    { graph: { nodes: 3, edges: 2, ids: ["a", "b", "c"] } },
  ),
  graph("GraphML of two graphs", "g.graphml", graphml("directed", "</graph>", "<graph>"), {
    graph: null,
    warns: [/g\.graphml, line 7: a second graph begins here.*write each to a file/],
  }),
  graph("GraphML that is cut off", "g.graphml", graphml("directed", ...fourNodes).slice(0, -30), {
    graph: null,
    warns: [/g\.graphml, line \d+: this is not well-formed XML/],
  }),
  graph("GraphML whose edge has no target", "g.graphml", graphml("directed", ...fourNodes, '<edge source="a"/>'), {
    graph: null,
    warns: [/g\.graphml, line 8: <edge> has no attribute "target"/],
  }),
  graph(
    "GraphML that names entities of its own, which grow without end",
    "g.graphml",
    lines(
      '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
      '<graphml><graph edgedefault="directed">',
      '<node id="&b;"/>',
    ),
    { graph: null, warns: [/g\.graphml, line 3: this is not well-formed XML/] },
  ),
  graph("XML of another kind", "g.xml", lines(xml, "<rss><channel/></rss>"), {
    graph: null,
    warns: [/g\.xml holds XML/],
  }),
  graph(
    "GEXF, where an edge without a weight weighs 1",
    "g.gexf",
    gexf(
      'defaultedgetype="undirected"',
      '<attributes class="node"><attribute id="0" title="class" type="string"/></attributes>',
      '<nodes><node id="1"><attvalues><attvalue for="0" value="x"/></attvalues></node>',
      '<node id="2"><attvalues><attvalue for="0" value="y"/></attvalues></node>',
      '<node id="3"><attvalues><attvalue for="0" value="x"/></attvalues></node></nodes>',
      '<edges><edge source="1" target="2" weight="3"/><edge source="2" target="3"/></edges>',
    ),
    { graph: { nodes: 3, edges: 2, classes: ["x", "y"], weighted: true, directed: false } },
  ),
  graph(
    "GEXF without weights",
    "g.gexf",
    gexf(
      'defaultedgetype="directed"',
      '<nodes><node id="1"/><node id="2"/></nodes><edges><edge source="1" target="2"/></edges>',
    ),
    { graph: { nodes: 2, edges: 1, weighted: false, directed: true } },
  ),
  graph(
    "GEXF whose mutual edges lead both ways beside one that does not",
    "g.gexf",
    gexf(
      'defaultedgetype="directed"',
      '<nodes><node id="1"/><node id="2"/><node id="3"/></nodes>',
      '<edges><edge source="1" target="2" type="mutual"/><edge source="2" target="3"/></edges>',
    ),
    { graph: { nodes: 3, edges: 2 + 1, directed: true } },
  ),
  graph(
    "GEXF with a value that changes over time",
    "g.gexf",
    gexf(
      'mode="dynamic" defaultedgetype="undirected"',
      '<attributes class="node" mode="dynamic"><attribute id="0" title="price" type="double"/></attributes>',
      '<nodes><node id="1"><attvalues><attvalue for="0" value="1.5" start="2020"/><attvalue for="0" value="2.5" start="2021"/></attvalues></node>',
      '<node id="2"><attvalues><attvalue for="0" value="0.5"/></attvalues></node></nodes>',
      '<edges><edge source="1" target="2"/></edges>',
    ),
    {
      graph: { nodes: 2, edges: 1, rows: [[1.5], [0.5]] },
      warns: [/g\.gexf: values that change over time are read as they are first written/],
    },
  ),
  graph(
    "GML with brackets on lines of their own, comments and entities",
    "g.gml",
    lines(
      "# made",
      'Creator "me"',
      "graph",
      "[",
      "  directed 0",
      "  node [ id 1 value 0 graphics [ x 1.5 ] body [ size 2.5 of [ hand 0.5 ] ] ]",
      '  node\n  [\n    id 2\n    value 1\n    label "caf&#233;" body [ size 1 of [ hand 1 ] ]\n  ]',
      "  node [ id 3 value 0 body [ size 0 of [ hand 1.5 ] ] ]",
      "  edge [ source 1 target 2 weight 2 ] edge [ source 2 target 3 weight 1 ]",
      "]",
    ),
    {
      graph: { nodes: 3, edges: 2, ids: ["1", "2", "3"], weighted: true, features: 2 },
      warns: [/"value"/],
    },
  ),
  graph("GML that is cut off", "g.gml", lines("graph [", "  node [ id 1 ]", "  node [ id"), {
    graph: null,
    warns: [/g\.gml, line 1: the list that begins here has no end/],
  }),
  graph("GML whose node has no id", "g.gml", lines("graph [", '  node [ label "a" ]', "]"), {
    graph: null,
    warns: [/g\.gml, line 2: the node that begins here has no "id"/],
  }),
  graph(
    "a Pajek network of named vertices, one without a line",
    "g.net",
    lines(
      "% made",
      "*Vertices 4",
      '1 "a b" 0.1 0.2',
      '2 "b"',
      '3 "c"',
      "*Edges",
      "1 2 2",
      "2 3",
      "*Edgeslist",
      "3 4 1",
    ),
    {
      graph: { nodes: 4, edges: 4, ids: ["1", "2", "3", "4"], weighted: true, directed: false },
      warns: [/"name" is left out: text/],
    },
  ),
  graph("arcs and edges of a Pajek network", "g.net", lines("*vertices 3", "*arcs", "1 2", "*edges", "2 3"), {
    graph: { nodes: 3, edges: 3, directed: true },
  }),
  graph("a Pajek network whose arc leads nowhere", "g.net", lines("*Vertices 2", "*Arcs", "1 3"), {
    graph: null,
    warns: [/g\.net, line 3: vertex 3 is not among the 2 of \*Vertices/],
  }),
  graph("a Pajek network that says to be huge", "g.net", lines("*Vertices 999999999999", "*Arcs", "1 2"), {
    graph: null,
    warns: [/g\.net, line 1: 999999999999 vertices are said to be here/],
  }),
  graph(
    "node-link JSON of networkx",
    "graph.json",
    JSON.stringify({
      directed: false,
      multigraph: false,
      nodes: [
        { id: 0, label: "x" },
        { id: 1, label: "y" },
        { id: 2, label: "x" },
      ],
      links: [
        { source: 0, target: 1, weight: 4 },
        { source: 1, target: 2, weight: 5 },
      ],
    }),
    { graph: { nodes: 3, edges: 2, ids: ["0", "1", "2"], classes: ["x", "y"], weighted: true } },
  ),
  graph(
    "links of d3 that name their nodes by place, given before them",
    "miserables.json",
    '{"links": [{"source": 1, "target": 0}, {"source": 2, "target": 0}], "nodes": [{"name": "M"}, {"name": "N"}, {"name": "B"}]}',
    { graph: { nodes: 3, edges: 2, ids: ["0", "1", "2"] }, warns: [/"name" is left out: text/] },
  ),
  graph(
    "links that name their nodes by name",
    "g.json",
    '{"nodes": [{"name": "M"}, {"name": "N"}], "links": [{"source": "M", "target": "N"}]}',
    { graph: { nodes: 2, edges: 1, ids: ["M", "N"] }, warns: [/"name" is left out: text/] },
  ),
  graph(
    "a graph in one line of JSON, its edges as pairs",
    "g.json",
    '{"nodes": [{"id": 1}, {"id": 2}], "edges": [[1, 2]]}\n',
    {
      graph: { nodes: 2, edges: 1, ids: ["1", "2"] },
    },
  ),
  graph("JSON of edges alone", "edges.json", '{"edges": [["a", "b"], ["b", "c"]]}', {
    graph: { nodes: 3, edges: 2, ids: ["a", "b", "c"] },
  }),
  {
    title: "packed JSON of edges alone",
    files: { "edges.json.gz": gzipSync('{"edges": [[1, 2]]}') },
    graph: { nodes: 2, edges: 1, ids: ["1", "2"] },
  },
  graph(
    "Cytoscape's elements by kind",
    "g.cyjs",
    '{"elements": {"nodes": [{"data": {"id": "a"}}, {"data": {"id": "b"}}], "edges": [{"data": {"source": "a", "target": "b"}}]}}',
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"] } },
  ),
  graph(
    "an array of Cytoscape's elements",
    "graph.json",
    '[{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"source": "a", "target": "b"}}]',
    { graph: { nodes: 2, edges: 1, ids: ["a", "b"] } },
  ),
  graph("an id with more digits than JSON keeps", "g.json", '{"nodes": [{"id": 90071992547409931}], "links": []}', {
    graph: null,
    warns: [/g\.json, number 1 of its nodes: an id has more digits than JSON readers keep; write it in quotes/],
  }),
  graph("a graph in JSON that is cut off", "g.json", '{"nodes": [{"id": 1}], "links": [{"source": 1', {
    graph: null,
    warns: [/g\.json is not JSON throughout; its end is missing/],
  }),
  graph("an edge without a target", "g.json", '{"nodes": [{"id": 1}], "links": [{"source": 1}]}', {
    graph: null,
    warns: [/g\.json, number 1 of its edges: expected a "source" and a "target"/],
  }),
];

const shared = new URL("../../../shared/datasets/formats/", import.meta.url);
export const hasPublished = existsSync(shared);

/** Published graphs with the counts that networkx reports, undirected pairs once, without loops. */
export const publishedGraphs: readonly (readonly [name: string, nodes: number, edges: number, directed: boolean])[] = [
  ["lesmis.graphml", 77, 254, false],
  ["lesmis.net", 77, 254, false],
  ["football.gml", 115, 613, false],
  ["power.gml.gz", 4941, 6594, false],
  ["les_miserables.gexf", 77, 254, true],
  ["yeast.gexf.gz", 2361, 7182 - 536, false],
  ["karate.node-link.json", 34, 78, false],
  ["karate.node-link-edges.json", 34, 78, false],
  ["miserables.d3.json", 77, 254, false],
  ["karate.cyjs", 34, 78, false],
  ["genemania.cyjs.gz", 31, 160, false],
  ["genes.cytoscape-array.json.gz", 21, 117, false],
  ["compound.cytoscape-array.json", 28, 35, false],
  ["karate.mtx", 34, 78, false],
  ["karate-weighted-general.mtx", 34, 156, true],
];

export const publishedFile = (name: string) => readFileSync(new URL(name, shared));
