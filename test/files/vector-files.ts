import { type FileCase, lines } from "./case.ts";

const edges = lines("src,dst", "n1,n2", "n2,n3", "n3,n4");
const four = { nodes: 4, edges: 3, ids: ["n1", "n2", "n3", "n4"] } as const;
const vectors = [
  [0.5, -1, 2e-3],
  [0.25, 0, 1],
  [1, 1, 1.5],
  [0, 7, -0.125],
];
const read = { ...four, features: 3, rows: vectors };

/** The four nodes, each with its vector as `write` has it. */
function nodes(column: string, write: (vector: readonly number[]) => string): string {
  return lines(`id,${column}`, ...vectors.map((vector, i) => `n${i + 1},${write(vector)}`));
}

/** Columns that hold a list of numbers in each cell. */
export const vectorFileCases: readonly FileCase[] = [
  {
    title: "JSON lists in a CSV file, as pandas writes lists",
    files: { "edges.csv": edges, "nodes.csv": nodes("vec", (vector) => `"[${vector.join(", ")}]"`) },
    graph: read,
  },
  {
    title: "numbers between semicolons",
    files: { "edges.csv": edges, "nodes.csv": nodes("vec", (vector) => vector.join(";")) },
    graph: read,
  },
  {
    title: "numpy's arrays as they are printed",
    files: { "edges.csv": edges, "nodes.csv": nodes("vec", (vector) => `[ ${vector.join("  ")} ]`) },
    graph: read,
  },
  {
    title: "arrays in JSON lines",
    files: {
      "edges.csv": edges,
      "nodes.jsonl": lines(...vectors.map((vec, i) => JSON.stringify({ id: `n${i + 1}`, vec }))),
    },
    graph: read,
  },
  {
    title: "arrays of whole numbers in JSON lines, called features",
    files: {
      "edges.csv": edges,
      "nodes.jsonl": lines(...vectors.map((_, i) => JSON.stringify({ id: `n${i + 1}`, features: [i, 1 - i] }))),
    },
    graph: { ...four, features: 2, rows: vectors.map((_, i) => [i, 1 - i]) },
  },
  {
    title: "lists of whole numbers that may be codes",
    files: { "edges.csv": edges, "nodes.csv": lines("id,genres", ...[1, 2, 3, 4].map((i) => `n${i},3;${i}`)) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "genres" is left out: lists of 2 whole numbers, which may be ids or codes; choose “feature”/],
  },
  {
    title: "lists of different lengths",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines("id,vec", 'n1,"[0.5]"', 'n2,"[0.5, 1]"', 'n3,"[]"', 'n4,"[1]"'),
    },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "vec" is left out: lists of numbers, some longer than others/],
  },
  {
    title: "lists of words",
    files: { "edges.csv": edges, "nodes.csv": lines("id,tags", ...[1, 2, 3, 4].map((i) => `n${i},"['a', 'b${i}']"`)) },
    graph: { ...four, features: 0 },
    warns: [/nodes\.csv: "tags" is left out/],
  },
  {
    title: "a list as the label",
    files: { "edges.csv": edges, "nodes.csv": lines("id,label", ...[1, 2, 3, 4].map((i) => `n${i},"[0, ${i % 2}]"`)) },
    graph: { ...four, features: 0, classes: [] },
    warns: [/nodes\.csv: "label" holds a list in each cell, which is no class/],
  },
  {
    title: "vectors beside columns of numbers, in the order of the file",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines(
        "id,height,vec,x1",
        "n1,0.5,1.5;2,7",
        "n2,0.25,0.5;1,8",
        "n3,0.75,0.25;0,9",
        "n4,1.5,0.125;4,10",
      ),
    },
    graph: {
      ...four,
      features: 4,
      rows: [
        [0.5, 1.5, 2, 7],
        [0.25, 0.5, 1, 8],
        [0.75, 0.25, 0, 9],
        [1.5, 0.125, 4, 10],
      ],
    },
  },
  {
    title: "vectors of types of nodes, as Neo4j's bulk import has them",
    files: {
      "people.csv": lines("personId:ID(Person),emb:float[],:LABEL", "0,0.5;1,Person", "1,2;0.25,Person"),
      "films.csv": lines("filmId:ID(Film),emb:double[],stars:int[],:LABEL", "0,1;2;3,4;5,Film", "1,3;2;1,5;5,Film"),
      "acted.csv": lines(":START_ID(Person),:END_ID(Film),:TYPE", "0,1,ACTED_IN", "1,0,ACTED_IN"),
    },
    graph: {
      nodes: 4,
      edges: 2,
      features: 5,
      rows: [
        [1, 2, 3, 0, 0],
        [3, 2, 1, 0, 0],
        [0, 0, 0, 0.5, 1],
        [0, 0, 0, 2, 0.25],
      ],
    },
    warns: [/films\.csv: "stars:int\[\]" is left out: lists of 2 whole numbers/, /Person ACTED_IN Film/],
  },
  {
    title: "a vector that is shorter than the others, beyond the rows that are looked at",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines(
        "id,vec",
        ...Array.from({ length: 300 }, (_, i) => `n${i + 1},${i === 250 ? "0.5" : "0.5;0.25"}`),
      ),
    },
    graph: null,
    refused: /nodes\.csv, line 252, column "vec": found a list of 1 numbers, expected 2/,
  },
  {
    title: "a vector that is missing, beyond the rows that are looked at",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines(
        "id,vec",
        ...Array.from({ length: 300 }, (_, i) => `n${i + 1},${i === 250 ? "" : "0.5;0.25"}`),
      ),
    },
    graph: null,
    refused: /nodes\.csv, line 252, column "vec": the feature is empty/,
  },
  {
    title: "a word in a vector",
    files: {
      "edges.csv": edges,
      "nodes.csv": lines(
        "id,vec",
        ...Array.from({ length: 300 }, (_, i) => `n${i + 1},${i === 250 ? "0.5;nan" : "0.5;0.25"}`),
      ),
    },
    graph: null,
    refused: /nodes\.csv, line 252, column "vec": "nan", number 2 of the list, is not a finite number/,
  },
  {
    title: "arrays on edges, of which no model reads any",
    files: {
      "edges.jsonl": lines(...[1, 2, 3].map((i) => JSON.stringify({ src: `n${i}`, dst: `n${i + 1}`, vec: [0.5, i] }))),
    },
    graph: four,
    warns: [/edges\.jsonl: "vec" is left out: lists of numbers, which edges do not have/],
  },
];
