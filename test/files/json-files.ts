import { gzipSync } from "node:zlib";
import { type FileCase, lines, path } from "./case.ts";

const edge = (src: unknown, dst: unknown, rest: object = {}) => JSON.stringify({ src, dst, ...rest });
const edges = [edge(1, 2), edge(2, 3), edge(3, 4)];

/** Records of JSON: what a column is, and what is refused, is the same as in a table of text. */
export const jsonFileCases: readonly FileCase[] = [
  { title: "JSON lines", files: { "edges.jsonl": lines(...edges) }, graph: path },
  { title: "JSON lines with blank lines among them", files: { "e.ndjson": lines("", ...edges, "", "") }, graph: path },
  { title: "JSON lines with a byte order mark", files: { "e.jsonl": `\ufeff${lines(...edges)}` }, graph: path },
  {
    title: "JSON lines that are one",
    files: { "edges.jsonl": lines(edge(1, 2)) },
    graph: { nodes: 2, edges: 1, ids: ["1", "2"] },
  },
  { title: "packed JSON lines", files: { "edges.jsonl.gz": gzipSync(lines(...edges)) }, graph: path },
  { title: "JSON lines called .txt", files: { "edges.txt": lines(...edges) }, graph: path },
  { title: "an array of records", files: { "edges.json": `[\n${edges.join(",\n")}\n]\n` }, graph: path },
  { title: "an array of records in one line", files: { "edges.json": `[${edges.join(", ")}]` }, graph: path },
  {
    title: "JSON with ids in quotes, whose zeros count",
    files: { "edges.jsonl": lines(edge("01", "1"), edge("1", "001")) },
    graph: { nodes: 3, edges: 2, ids: ["01", "1", "001"] },
  },
  {
    title: "JSON with ids of twenty digits",
    files: { "edges.jsonl": lines('{"src":12345678901234567890,"dst":1}', '{"src":12345678901234567891,"dst":1}') },
    graph: { nodes: 3, edges: 2, ids: ["12345678901234567890", "12345678901234567891", "1"] },
  },
  {
    title: "JSON with ids of more digits than are kept",
    files: { "edges.jsonl": lines(edge(1, 2), '{"src":123456789012345678901234,"dst":1}') },
    graph: null,
    warns: [/edges\.jsonl, line 2: a number has more digits.*write it in quotes/],
  },
  {
    title: "JSON nodes with classes, features and gaps",
    files: {
      "edges.jsonl": lines(...edges),
      "nodes.jsonl": lines(
        '{"id": 1, "label": "a", "f0": 0.5, "f1": 1}',
        '{"id": 2, "label": "b", "f0": 0.25, "f1": -1e-3}',
        '{"f1": 0, "id": 3, "f0": 1, "label": "a"}',
        '{"id": 4, "label": null, "f0": 2, "f1": 4}',
      ),
    },
    graph: { ...path, classes: ["a", "b"], unlabelled: 1, features: 2 },
  },
  {
    title: "a key with a slash, a quote and a tilde",
    files: {
      "edges.jsonl": lines(...edges),
      "nodes.jsonl": lines(...[1, 2, 3, 4].map((id) => JSON.stringify({ id, '~a/"b': id / 2, label: id % 2 }))),
    },
    graph: { ...path, classes: ["0", "1"], features: 1 },
  },
  {
    title: "a damaged line of JSON",
    files: { "edges.jsonl": lines(edge(1, 2), '{"src": 2, "dst"', edge(3, 4)) },
    graph: null,
    warns: [/edges\.jsonl, line 2: found no whole JSON object/],
  },
  {
    title: "a line of JSON that is a list",
    files: { "edges.jsonl": lines(edge(1, 2), "[2, 3]", edge(3, 4)) },
    graph: null,
    warns: [/edges\.jsonl, line 2: found no whole JSON object/],
  },
  {
    title: "an array of JSON that is cut off",
    files: { "edges.json": `[${edges.join(",")}, {"src": 4, ` },
    graph: null,
    warns: [/edges\.json.*(damaged in element|is not JSON throughout)/],
  },
];
