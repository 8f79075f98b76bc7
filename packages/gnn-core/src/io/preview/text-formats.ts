import type { TextHead } from "../dialect/detect-dialect.ts";
import { matrixText } from "./matrix-text.ts";

/** What writes another form of a graph as a list of edges */
const byNetworkx = (reading: string) => `networkx.write_edgelist(networkx.${reading}, "edges.txt") writes its edges`;
const asTable = "Write its edges as a table, one row for each edge with its two ids: CSV, TSV or Parquet.";

/** How files of these formats begin, comments of their own included. */
const beginnings: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^(c\b[^\n]*\n)*p +(max|min|asn|ged|cnf|aux|td|cep|mc|ocr)\b/, "a DIMACS file of another problem than a graph's"],
  [/^([ea] \d+ \d+( \S+)?\r?\n){2}/, "lines of a DIMACS graph without its line p (p edge 4 3)"],
  [/^\s*LEDA\.GRAPH\b/, "a LEDA graph"],
  [/^\s*(#[^\n]*\n\s*)*@(nodes|arcs)\b/, "a LEMON graph"],
  [/^\s*\*node data\b/i, "a VNA file of NetDraw"],
  [/^\s*dl\s+(n|nr|nm|format)\s*=/i, "a DL file of UCINET"],
  [/^%%MatrixMarket\s+matrix\s+array/i, "a MatrixMarket file of all values of a matrix"],
];

/** How files begin that hold a whole graph and have a reader. */
const graphBeginnings: readonly (readonly [beginning: RegExp, reader: string])[] = [
  [/^\s*(%[^\n]*\n\s*)*\*(vertices|network|arcs|edges)\b/i, "pajek"],
  [/^\s*((#|creator|version|comment)[^\n]*\n\s*)*graph\s*\[/i, "gml"],
  [/^\s*((\/\/|#)[^\n]*\n\s*)*(strict\s+)?(di)?graph\b[^\n{,;\t]*\{/i, "dot"],
  [/^\s*nodedef>/i, "gdf"],
  [/^%%MatrixMarket\s+matrix\s+coordinate\b/i, "matrix-market"],
  [/^%[ \t]*(sym|asym|bip)[ \t]+[a-z]+[ \t]*\r?\n(%[^\n]*\n)*[ \t]*\d+[ \t]+\d+([ \t]|\r?\n|$)/, "konect"],
];

/** The reader of text that holds a whole graph; null: it is something else. */
export function graphReaderOf(text: string): string | null {
  return graphBeginnings.find(([beginning]) => beginning.test(text))?.[1] ?? null;
}

/** How files begin that a library writes in a form which is read, and what it takes. */
const convertible: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^>>graph6<</, `graphs in graph6: ${byNetworkx("read_graph6(path)")}.`],
  [/^(>>sparse6<<)?:[?-~]+\r?(\n|$)/, `graphs in sparse6: ${byNetworkx("read_sparse6(path)")}.`],
  [/^(>>digraph6<<)?&[?-~]+\r?(\n|$)/, "graphs in digraph6: write the edges of each as a table."],
];

/** What no reader takes, by its ending: nothing in it says what it is. */
const byEnding: readonly (readonly [ending: RegExp, what: string])[] = [
  [
    /\.sql$/i,
    "SQL: a query is asked of the SQLite or DuckDB file beside it, of several the one whose name stands before its own (shop.orders.sql for shop.db); load a dump into such a file first.",
  ],
  [/\.g6$/i, `graphs in graph6: ${byNetworkx("read_graph6(path)")}.`],
];

const arrow = /^\s*[^\s,;|]+\s*(->|<-|<->|--|=>|→)\s*[^\s,;|]+\s*;?\s*$/;
const bracketed = /^\s*[([]\s*[^,()[\]]+,[^()[\]]+[)\]][,;]?\s*$/;
const behindColon = /^\s*[^\s:,;|]+:(\s+\S.*)?$/;
const onlyDict = /^\s*\S+\s+\{.*\}\s*$/;
const underline = /^\s*\|?(\s*:?-{3,}:?\s*\|)+(\s*:?-{3,}:?\s*)?$/;

const sampled = 200;

/**
 * What a text is that would pass for a table of edges but is none, and what to do instead; null: nothing of the kind.
 */
export function foreignText({ text, isWhole }: TextHead, name: string): string | null {
  const written =
    convertible.find(([beginning]) => beginning.test(text)) ?? byEnding.find(([ending]) => ending.test(name));
  if (written) return written[1];
  const known = beginnings.find(([beginning]) => beginning.test(text));
  if (known) return `${known[1]}, which no reader takes yet. ${asTable}`;
  const all = text.split(/\r\n|\n|\r/);
  if (!isWhole) all.pop();
  const lines = all.filter((line) => line.trim() !== "" && !/^(#|%|\/\/)/.test(line));
  return shapeOfLines(lines.slice(0, sampled)) ?? matrixText(lines, isWhole) ?? (isWhole ? shapeOfWhole(lines) : null);
}

function shapeOfLines(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  if (lines[1] !== undefined && underline.test(lines[1]))
    return "a table in Markdown: remove the line of dashes and the outer bars, or save it as CSV.";
  if (lines.every((line) => arrow.test(line)))
    return "text with an arrow or dashes between the ends of each edge: write a comma in their place.";
  if (lines.every((line) => bracketed.test(line)))
    return "text with each edge in brackets, as Python prints it: write the two ids with a comma between them, without brackets.";
  if (lines.every((line) => behindColon.test(line)))
    return "text with a colon behind the first word of each line, not a table. If it lists the neighbours of nodes, choose the reader of lists of neighbours.";
  if (lines.some((line) => onlyDict.test(line)))
    return "a list of neighbours as networkx writes it: write the edges with networkx.write_edgelist(graph, path, data=False).";
  return null;
}

function shapeOfWhole(lines: readonly string[]): string | null {
  const rows = lines.slice(0, 3).map((line) => line.trim().split(/[\s,;]+/));
  if (rows.length === 2 && rows[0]!.length > 8 && rows.every((row) => row.every((field) => /^\d+$/.test(field))))
    return "two long rows of numbers, as edge_index of PyTorch Geometric: save it transposed, one row for each edge.";
  return null;
}
