import { readFileSync } from "node:fs";
import { unzipSync } from "fflate";
import { fileTables } from "../../files/file-tables.ts";
import { hasPublished, publishedFile, publishedGraphs } from "../../files/graph-files.ts";
import { wholeOgb } from "../../files/ogb-files.ts";
import { type Contents, makeCorpus } from "./corpus.ts";

/** Files that are read whole as they are, and are damaged by the cases. */
export interface Sample {
  /** What they are an example of; every family is damaged as often as every other. */
  readonly family: string;
  readonly title: string;
  readonly files: Contents;
}

/** Valid files of every format: those that somebody would bring, and the published ones where they are at hand. */
export async function makeSamples(): Promise<readonly Sample[]> {
  return [...ofTables(), ...(await makeOwnSamples()), ...published()].filter(
    ({ files }) => bytesOf(files) <= mostBytes,
  );
}

/** One of each format and layout, made here. */
export async function makeOwnSamples(): Promise<readonly Sample[]> {
  return [
    ...(await ofCorpus()),
    ...numbered,
    ...inLines,
    ...numpyArrays(),
    ...planetoid(),
    ...ogb(),
    tuLayout,
    ...joins,
  ];
}

/** Larger ones hold more of the same, and take longer to read. */
const mostBytes = 200_000;

const bytesOf = (files: Contents) => Object.values(files).reduce((sum, { length }) => sum + length, 0);

const asBytes = (files: Readonly<Record<string, string | Uint8Array>>): Contents =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [name, Buffer.from(content as string)]));

/** What the tables of files say is read, by the ending of the first file. */
function ofTables(): Sample[] {
  return fileTables.flatMap(([table, cases]) =>
    cases
      .filter(({ graph, refused }) => graph !== null && refused === undefined)
      .map(({ title, files }) => ({ family: `${table}, ${endingOf(files)}`, title, files: asBytes(files) })),
  );
}

const endingOf = (files: Readonly<Record<string, unknown>>) =>
  /(\.[a-z0-9]+)+$/i.exec(Object.keys(files)[0] ?? "")?.[0];

async function ofCorpus(): Promise<Sample[]> {
  const { edges, nodes, features, graphs } = await makeCorpus();
  const one = (family: string, files: Contents) => ({ family, title: Object.keys(files).join(" and "), files });
  const [[nodesName, nodesBytes]] = Object.entries(nodes) as [[string, Uint8Array]];
  const [[edgesName, edgesBytes]] = Object.entries(edges) as [[string, Uint8Array]];
  return [
    ...Object.entries(edges).map(([name, bytes]) => one(name, { [name]: bytes })),
    ...Object.entries(nodes).map(([name, bytes]) => {
      // The ids of Parquet's nodes are numbers, as those of its edges.
      const itsEdges = name !== "nodes.parquet" ? edgesName : "edges.parquet";
      return one(name, { [itsEdges]: edges[itsEdges]!, [name]: bytes });
    }),
    ...Object.entries(features).map(([name, bytes]) =>
      one(name, { [edgesName]: edgesBytes, [nodesName]: nodesBytes, [name]: bytes }),
    ),
    ...Object.entries(graphs).map(([name, bytes]) => one(name, { [name]: bytes })),
  ];
}

/** Edges between numbered nodes, whose first lines say what they are. */
const numbered: readonly Sample[] = [
  {
    family: "MatrixMarket",
    title: "a matrix that is not square",
    files: asBytes({
      "a.mtx": "%%MatrixMarket matrix coordinate real general\n% made\n2 3 3\n1 1 .5\n1 2 4\n2 3 1e3\n",
    }),
  },
  {
    family: "KONECT",
    title: "ratings with times",
    files: asBytes({ "out.ratings": "% bip weighted\n% 4 2 3\n1 1 5 100\n1 2 4 90\n2 3 1 80\n2 1 3 70\n" }),
  },
];

/** Graphs in lines of text that are no tables. */
const apocLines =
  '{"type":"node","id":"0","labels":["A"],"properties":{"x":1.5}}\n{"type":"node","id":"1","labels":["B"]}\n' +
  '{"id":"0","type":"relationship","label":"R","start":{"id":"0"},"end":{"id":"1"},"properties":{"w":2}}\n';

const cx2 =
  '[{"CXVersion":"2.0"},{"attributeDeclarations":[{"nodes":{"name":{"a":"n"},"size":{"v":0.5}}}]},' +
  '{"nodes":[{"id":1,"v":{"n":"a","size":2}},{"id":2,"v":{"n":"b"}}]},{"edges":[{"id":0,"s":1,"t":2,"v":{"w":1}}]}]';
const cx1 =
  '[{"numberVerification":[{"longNumber":1}]},{"nodes":[{"@id":1,"n":"a"},{"@id":2,"n":"b"}]},' +
  '{"edges":[{"@id":3,"s":1,"t":2,"i":"binds"}]},{"nodeAttributes":[{"po":1,"n":"size","v":"2"}]}]';

const inLines: readonly Sample[] = (
  [
    ["LGL", "g.lgl", "# a\nb 0.5\nc 1.5\n# b\nc 2\n# d\n"],
    ["METIS", "g.graph", "4 3 011\n3 2 5\n3 1 5 3 6\n3 2 6 4 7\n3 3 7\n"],
    ["DIMACS", "g.gr", "c made\np sp 4 3\na 1 2 8\na 2 3 1\na 3 4 7\n"],
    ["lists of neighbours", "g.adjlist", "# made\n0 1 2 3\n1 2\n2: 3\n3\n"],
    ["edges of networkx", "g.edgelist", "1 2 {'weight': 3, 'note': \"it's\"}\n2 3 {'weight': 2.5}\n3 4 {}\n"],
    ["APOC", "export.json", apocLines],
    ["GDF", "g.gdf", "nodedef>name VARCHAR,x DOUBLE\na,1.5\n'b, c',2\nedgedef>node1 VARCHAR,node2 VARCHAR\na,'b, c'\n"],
    ["SIF", "g.sif", "a pp b c\nb pd c\nd\n"],
    ["DOT", "g.dot", 'digraph G { a [x=1.5]; b [x="2"]; a -> b -> {c d} [weight=2] /* e */ }\n'],
    ["TGF", "g.tgf", "1 Ann\n2 Bob B.\n3\n#\n1 2 likes\n2 3\n"],
    ["CX 2", "g.cx2", cx2],
    ["CX 1", "g.cx", cx1],
    [
      "Turtle",
      "g.ttl",
      '@prefix ex: <http://x/> .\nex:a a ex:T ; ex:knows ex:b, [ ex:p "c"@en ] .\nex:b ex:knows ex:c .\n',
    ],
    ["OpenKE", "train2id.txt", "3\n0 1 0\n1 2 1\n2 0 0\n"],
  ] as const
).map(([family, name, content]) => ({ family, title: name, files: asBytes({ [name]: content }) }));

/** What numpy and scipy wrote: edges, matrices of them in three forms, and a whole graph. */
function numpyArrays(): Sample[] {
  const saved = ["edge_index.npy", "pairs.npz", "adj-coo.npz", "adj-csc.npz", "adj-csr.npz", "pyg.npz", "shchur.npz"];
  return saved.map((name) => ({
    family: `arrays ${endingOf({ [name]: null })}`,
    title: name,
    files: { [name]: readFileSync(new URL(`../../fixtures/numpy/${name}`, import.meta.url)) },
  }));
}

function planetoid(): Sample[] {
  return ["toy-2", "toy-5", "toy-py2"].map((name) => {
    const packed = unzipSync(readFileSync(new URL(`../../fixtures/planetoid/${name}.zip`, import.meta.url)));
    const files = Object.fromEntries(
      Object.entries(packed).map(([path, bytes]) => [path.slice(path.indexOf("/") + 1), bytes]),
    );
    return { family: "Planetoid", title: name, files };
  });
}

function ogb(): Sample[] {
  const { binary, ...archives } = wholeOgb;
  return [
    { family: "OGB, binary", title: "binary", files: asBytes(binary) },
    ...Object.entries(archives).map(([title, bytes]) => ({
      family: `OGB, ${title}`,
      title,
      files: { "ogb.zip": bytes },
    })),
  ];
}

const ids = Array.from({ length: 24 }, (_, i) => i);
const asTable = (head: string, rows: readonly string[]) => `${[head, ...rows].join("\n")}\n`;
const follows = asTable(
  "src,dst",
  ids.map((i) => `${i},${(i * 7 + 1) % 24}`),
);
const scores = asTable(
  "id,score",
  ids.map((i) => `${i},${i / 4}`),
);
const listOf = (from: number, to: number) =>
  asTable(
    "id",
    ids.slice(from, to).map((i) => String(i)),
  );

/** Tables of the same nodes that are joined by their ids, lists of ids, and a file of nodes for each side */
const joins: readonly Sample[] = [
  {
    family: "joined tables",
    title: "labels in another order and lists of ids",
    files: asBytes({
      "edges.csv": follows,
      "users.csv": scores,
      "user_labels.jsonl": ids
        .toReversed()
        .map((i) => `{"id": ${i}, "label": "${"abc"[i % 3]}"}\n`)
        .join(""),
      "train.csv": listOf(0, 12),
      "val.csv": listOf(12, 16),
      "test.csv": listOf(16, 24),
    }),
  },
  {
    family: "joined tables",
    title: "vectors and labels of some nodes",
    files: asBytes({
      "edges.csv": follows,
      "users.csv": scores,
      "user_embeddings.csv": asTable(
        "id,e0,e1",
        ids.slice(2).map((i) => `${i},${i / 8},-${i}.5`),
      ),
      "labels.csv": asTable(
        "id,label",
        ids.slice(0, 20).map((i) => `${i},${"xy"[i % 2]}`),
      ),
    }),
  },
  {
    family: "joined lists by key",
    title: "features.json",
    files: asBytes({
      "edges.csv": follows,
      "users.csv": scores,
      "user_features.json": JSON.stringify(
        Object.fromEntries(ids.map((i) => [i, [i % 5, 5 + (i % 3), 9].slice(i % 3)])),
      ),
    }),
  },
  {
    family: "joined split files",
    title: "nodes in a file for each side",
    files: asBytes({
      "edges.csv": follows,
      "train.csv": asTable(
        "id,x,label",
        ids.slice(0, 12).map((i) => `${i},${i}.5,${"ab"[i % 2]}`),
      ),
      "val.csv": asTable(
        "id,x,label",
        ids.slice(12, 18).map((i) => `${i},${i}.5,${"ab"[i % 2]}`),
      ),
      "test.csv": asTable(
        "id,x,label",
        ids.slice(18).map((i) => `${i},${i}.5,${"ab"[i % 2]}`),
      ),
    }),
  },
];

/** Two graphs in the layout of TU Dortmund, with all that it can say of them. */
const tuLayout: Sample = {
  family: "TU layout",
  title: "two graphs",
  files: asBytes({
    "DS_A.txt": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "DS_graph_indicator.txt": "1\n1\n1\n2\n2\n",
    "DS_graph_labels.txt": "1\n-1\n",
    "DS_graph_attributes.txt": "0.5, 7\n-2e3, 8\n",
    "DS_node_labels.txt": "5\n7\n5\n7\n7\n",
    "DS_node_attributes.txt": "0.5, 1\n0, 2\n0, 3\n0, 4\n0, 5\n",
    "DS_edge_labels.txt": "0\n0\n1\n1\n0\n0\n",
    "DS_edge_attributes.txt": "0.5\n0.5\n1\n1\n2\n2\n",
  }),
};

function published(): Sample[] {
  if (!hasPublished) return [];
  return publishedGraphs.map(([name]) => ({
    family: `published ${endingOf({ [name]: null })}`,
    title: name,
    files: { [name]: publishedFile(name) },
  }));
}
