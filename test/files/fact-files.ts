import { type FileCase, lines } from "./case.ts";

const entities = lines("4", "/m/027rn\t0", "/m/06cx9, x\t1", "/m/017dcd\t2", "/m/06v8s0\t3");
const relations = lines("2", "/location/form\t0", "/tv/actor\t1");
const train = lines("4", "0 1 0", "2 3 1", "1 2 0", "3 0 1");
const whole = {
  "entity2id.txt": entities,
  "relation2id.txt": relations,
  "train2id.txt": train,
  "valid2id.txt": lines("1", "0 3 0"),
  "test2id.txt": lines("1", "3 1 1"),
};

function openKe(title: string, changed: Readonly<Record<string, string>>, warning: RegExp): FileCase {
  return { title, files: { ...whole, ...changed }, graph: null, warns: [warning] };
}

const node = (id: string, labels: readonly string[], properties: object) =>
  JSON.stringify({ type: "node", id, labels, properties });
const relationship = (id: string, label: string, start: string, end: string, properties: object = {}) =>
  JSON.stringify({
    id,
    type: "relationship",
    label,
    properties,
    start: { id: start, labels: ["User"] },
    end: { id: end, labels: ["User"] },
  });
const neo4j = [
  node("0", ["User"], { name: "Adam", age: 42.5, kids: ["Sam"], male: true }),
  node("1", ["User"], { name: "Jim", age: 41 }),
  node("2", ["User"], { name: "Bob", age: 40.5, id: "b" }),
  relationship("0", "KNOWS", "0", "1", { since: 1993, type: "old" }),
  relationship("1", "LIKES", "1", "2"),
];

/** Facts as OpenKE numbers them, and graphs of Neo4j as APOC writes them. */
export const factFileCases: readonly FileCase[] = [
  {
    title: "OpenKE: the tail stands before the relation, and the names are those of the lists",
    files: whole,
    graph: {
      nodes: 4,
      edges: 6,
      ids: ["/m/027rn", "/m/06cx9, x"],
      edgeTypes: ["/location/form", "/tv/actor"],
      directed: true,
    },
  },
  {
    title: "OpenKE without lists of names, more rows than are looked at first",
    files: {
      "train2id.txt": lines("3000", ...Array.from({ length: 3000 }, (_, i) => `${i} ${(i + 1) % 3000} ${i % 2}`)),
    },
    graph: { nodes: 3000, edges: 3000, edgeTypes: ["0", "1"], directed: true },
  },
  openKe(
    "OpenKE's order turned round, where the middle number is a relation",
    { "train2id.txt": lines("2", "0 1 3", "2 0 1") },
    /train2id\.txt, line 2: 3 is no number of relation2id\.txt, which has 2\. OpenKE writes the head, the tail, then the relation/,
  ),
  openKe(
    "OpenKE that is cut off",
    { "train2id.txt": lines("4", "0 1 0") },
    /it has 1 rows, and its first line counts 4/,
  ),
  openKe(
    "OpenKE with more rows than it counts",
    { "train2id.txt": lines("1", "0 1 0", "1 2 0") },
    /line 3: a row follows/,
  ),
  openKe(
    "OpenKE without its count",
    { "train2id.txt": lines("0 1 0", "1 2 0") },
    /line 1: found "0 1 0", expected the number/,
  ),
  openKe(
    "a name of OpenKE's with two numbers",
    { "entity2id.txt": lines("2", "a\t0", "a\t1") },
    /entity2id\.txt, line 3: the name "a", also on line 2, is there a second time/,
  ),
  openKe(
    "a number of OpenKE's twice",
    { "entity2id.txt": lines("2", "a\t0", "b\t0") },
    /line 3: the number 0 is there/,
  ),
  openKe(
    "a number of OpenKE's that is too large",
    { "entity2id.txt": lines("2", "a\t0", "b\t2") },
    /its number below 2/,
  ),
  {
    title: "lists of what numbers mean beside triples of names",
    files: {
      "entities.dict": lines("0\ta", "1\tb", "2\tc"),
      "relations.dict": lines("0\tr", "1\ts"),
      "train.txt": lines("a\tr\tb", "b\ts\tc", "a\ts\tc", "c\tr\ta"),
    },
    graph: { nodes: 3, edges: 4, ids: ["a", "b", "c"], edgeTypes: ["r", "s"], directed: true },
    warns: [/relations\.dict is not used by the proposal: it says what numbers of relations mean/],
  },
  {
    title: "APOC's export of a Neo4j database",
    files: { "export.json": lines(...neo4j) },
    graph: {
      nodes: 3,
      edges: 2,
      ids: ["0", "1", "2"],
      edgeTypes: ["KNOWS", "LIKES"],
      directed: true,
      rows: [[42.5], [41], [40.5]],
    },
    warns: [/"name", "kids", .* left out/],
  },
  {
    title: "APOC's export by another name, relationships first, one end not among the nodes",
    files: { "graph.jsonl": lines(relationship("0", "KNOWS", "0", "7"), node("0", ["User"], {})) },
    graph: null,
    refused: /"7" is not among the nodes/,
  },
  {
    title: "APOC's export with a line that is neither node nor relationship",
    files: { "export.json": lines(...neo4j, '{"type":"path"}') },
    graph: null,
    warns: [/export\.json, line 6: found "\{"type":"path"\}", expected a node/],
  },
  {
    title: "APOC's export as one array",
    files: { "export.json": `[${neo4j.join(",")}]` },
    graph: null,
    warns: [/export\.json holds an export of APOC as one value.*jsonFormat: "JSON_LINES"/],
  },
];
