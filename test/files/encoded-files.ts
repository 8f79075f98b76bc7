import { gzipSync } from "node:zlib";
import { type FileCase, lines } from "./case.ts";

const table = lines("src,dst,weight", "Zoë,Łukasz,0.5", "Łukasz,José,2", "José,“Ann”,1");
const read = { nodes: 4, edges: 3, ids: ["Zoë", "Łukasz", "José", "“Ann”"], weighted: true } as const;
const western = lines("src,dst", "Zoë,José", "José,Müller", "Müller,€uro");
const westernRead = { nodes: 4, edges: 3, ids: ["Zoë", "José", "Müller", "€uro"] } as const;
const named = (file: string, line: number, text: string) =>
  new RegExp(
    `${file}: its bytes are not UTF-8\\. They are read as Windows-1252.*by which line ${line} holds "${text}"`,
  );

const littleEndian = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const bigEndian = (text: string) => littleEndian(text).swap16();
const withoutMark = (bytes: Buffer) => bytes.subarray(2);
/** Latin-1, with the characters that Windows puts where Latin-1 has control codes. */
const windows = (text: string) => Buffer.from(text.replaceAll("€", "\x80").replaceAll("“", "\x93"), "latin1");

const gml = lines(
  "graph [",
  ' node [ id 1 label "Zoë" ]',
  ' node [ id 2 label "José" ]',
  " edge [ source 1 target 2 ]",
  "]",
);
const pajek = lines("*Vertices 2", '1 "Zoë"', '2 "José"', "*Edges", "1 2");
const xml = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<graphml><graph edgedefault="undirected">` +
  '<node id="Zoë"/><node id="José"/><edge source="Zoë" target="José"/></graph></graphml>\n';
const pair = { nodes: 2, edges: 1 } as const;
const pairOfNames = { ...pair, ids: ["Zoë", "José"] } as const;

/** Text as Excel, PowerShell and older programs write it. */
export const encodedFileCases: readonly FileCase[] = [
  { title: "UTF-8 with a byte order mark", files: { "edges.csv": `\ufeff${table}` }, graph: read },
  {
    title: "an edge list of numbers with a byte order mark",
    files: { "edges.txt": "\ufeff1 2\n2 3\n3 4\n" },
    graph: { nodes: 4, edges: 3, ids: ["1", "2", "3", "4"] },
  },
  { title: "UTF-16 as Excel saves it", files: { "edges.csv": littleEndian(table.replaceAll(",", "\t")) }, graph: read },
  { title: "big-endian UTF-16", files: { "edges.csv": bigEndian(table) }, graph: read },
  { title: "UTF-16 without a mark", files: { "edges.csv": withoutMark(littleEndian(table)) }, graph: read },
  { title: "big-endian UTF-16 without a mark", files: { "edges.csv": withoutMark(bigEndian(table)) }, graph: read },
  { title: "packed UTF-16", files: { "edges.csv.gz": gzipSync(littleEndian(table)) }, graph: read },
  {
    title: "an edge list in UTF-16",
    files: { "edges.txt": littleEndian(lines("a b", "b c", "c ö")) },
    graph: { nodes: 4, edges: 3, ids: ["ö"] },
  },
  {
    title: "JSON lines in UTF-16",
    files: { "edges.jsonl": littleEndian(lines('{"src": "a", "dst": "ö"}', '{"src": "ö", "dst": "c"}')) },
    graph: { nodes: 3, edges: 2, ids: ["ö"] },
  },
  {
    title: "UTF-16 that ends within a character",
    files: { "edges.csv": littleEndian(lines("src,dst", "1,2", "2,3")).subarray(0, -1) },
    graph: null,
    warns: [/edges\.csv, line 3: its bytes are not UTF-16\. Choose another encoding, or save the file as UTF-8/],
  },
  {
    title: "Latin-1, by the characters of Windows",
    files: { "edges.csv": windows(western) },
    graph: westernRead,
    warns: [named("edges\\.csv", 2, "Zoë,José")],
  },
  {
    title: "packed Latin-1",
    files: { "edges.csv.gz": gzipSync(windows(western)) },
    graph: westernRead,
    warns: [named("edges\\.csv\\.gz", 2, "Zoë,José")],
  },
  {
    title: "an edge list in Latin-1",
    files: { "edges.txt": windows(lines("a b", "b c", "c ö")) },
    graph: { nodes: 4, edges: 3, ids: ["ö"] },
    warns: [named("edges\\.txt", 3, "c ö")],
  },
  {
    title: "JSON lines in Latin-1",
    files: { "edges.jsonl": windows(lines('{"src": "a", "dst": "ö"}', '{"src": "ö", "dst": "c"}')) },
    graph: { nodes: 3, edges: 2, ids: ["ö"] },
    warns: [/edges\.jsonl: its bytes are not UTF-8/],
  },
  {
    title: "GML in Latin-1",
    files: { "g.gml": windows(gml) },
    graph: { ...pair, ids: ["1", "2"] },
    warns: [named("g\\.gml", 2, ".*Zoë.*")],
  },
  {
    title: "Pajek in Latin-1",
    files: { "g.net": windows(pajek) },
    graph: { ...pair, ids: ["1", "2"] },
    warns: [named("g\\.net", 2, ".*Zoë.*")],
  },
  { title: "XML that says it is Latin-1", files: { "g.graphml": windows(xml("ISO-8859-1")) }, graph: pairOfNames },
  { title: "XML in UTF-16", files: { "g.graphml": littleEndian(xml("UTF-16")) }, graph: pairOfNames },
  {
    title: "XML in an encoding that is not read",
    files: { "g.graphml": windows(xml("KOI8-R")) },
    graph: null,
    warns: [/g\.graphml, line 1: its XML declaration names the encoding KOI8-R, which is not read/],
  },
  {
    title: "two files of edges in two encodings",
    files: { "edges1.csv": western, "edges2.csv": windows(western) },
    graph: westernRead,
    warns: [/edges2\.csv is left out: it is not in the encoding of edges1\.csv\. Save both as UTF-8/],
  },
  {
    title: "UTF-8 with a damaged character among whole ones",
    files: {
      "edges.csv": Buffer.concat([Buffer.from(table), Buffer.from("a,\xe9\n", "latin1")]),
    },
    graph: null,
    warns: [/edges\.csv is not a text file: its bytes are not UTF-8, first on line 5\./],
  },
];
