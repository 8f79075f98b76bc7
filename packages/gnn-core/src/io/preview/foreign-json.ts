const listsOrObjects =
  "an object of lists or objects: if it names the neighbours of each node, write networkx.node_link_data(networkx.Graph(value)), which is read";

const shapes: readonly (readonly [beginning: RegExp, what: string])[] = [
  [
    /"@(context|graph|id)"\s*:/,
    'JSON-LD: rdflib.Graph().parse(path, format="json-ld").serialize("graph.nt", format="nt") writes it as N-Triples, which are read',
  ],
  [
    /"edge_index"\s*:/,
    'an edge_index of PyTorch Geometric: numpy.save("edge_index.npy", edge_index) writes what is read',
  ],
  [
    /^\s*\{[^[]*"children"\s*:\s*\[/,
    "a tree: networkx.node_link_data(networkx.tree_graph(tree)) is a form that is read",
  ],
  [
    /^\s*\[\s*\[/,
    'a list of lists: if these are the two ends of edges, write {"edges": [[0, 1], …]}; if they are rows of a matrix, numpy.savetxt("edges.csv", numpy.argwhere(matrix), "%d", ",", header="src,dst", comments="")',
  ],
  [/^\s*\{\s*"[^"]*"\s*:\s*(\[\s*(?:[\d"]|\])|\{)/, listsOrObjects],
];

/** What lists by key may be where no file has edges */
export function maybeNeighbors(name: string): string {
  return `${name} holds ${listsOrObjects}.`;
}

/** What JSON is that lists no records, and what makes a graph of it; null: nothing that is known. */
export function foreignJson(text: string, name: string): string | null {
  const found = shapes.find(([beginning]) => beginning.test(text));
  return found ? `${name} holds ${found[1]}.` : null;
}

const apoc = /^\s*(\[|\{\s*"nodes"\s*:\s*(\[|\{\s*"[^"]*"\s*:))\s*\{\s*"type"\s*:\s*"(node|relationship)"/;

/** What lists of objects are that are no rows of a table; null: nothing that is known. */
export function foreignRecords(text: string, name: string): string | null {
  if (!apoc.test(text)) return null;
  return `${name} holds an export of APOC as one value of JSON: export it with {jsonFormat: "JSON_LINES"}, which is read.`;
}
