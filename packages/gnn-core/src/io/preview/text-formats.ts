import type { TextHead } from "../dialect/detect-dialect.ts";

const asTable = "Write its edges as a table, one row for each edge with its two ids: CSV, TSV or Parquet.";

/** How files of these formats begin, comments of their own included. */
const beginnings: readonly (readonly [beginning: RegExp, what: string])[] = [
  [/^(c\b[^\n]*\n)*p (edge|edges|sp|col|max|min|asn|ged|cnf|tw)\b/, "a DIMACS graph"],
  [/^\s*((\/\/|#)[^\n]*\n\s*)*(strict\s+)?(di)?graph\b[^\n{,;\t]*\{/i, "a DOT file of Graphviz"],
  [/^nodedef>/i, "a GDF file of GUESS or Gephi"],
  [/^\s*dl\s+n\s*=/i, "a DL file of UCINET"],
  [/^\s*(#[^\n]*\n\s*)*@(prefix|base)\s/i, "RDF in Turtle"],
  [/^%%MatrixMarket\s+matrix\s+array/i, "a MatrixMarket file of all values of a matrix"],
];

/** How files begin that hold a whole graph and have a reader. */
const graphBeginnings: readonly (readonly [beginning: RegExp, reader: string])[] = [
  [/^\s*(%[^\n]*\n\s*)*\*(vertices|network|arcs|edges)\b/i, "pajek"],
  [/^\s*((#|creator|version|comment)[^\n]*\n\s*)*graph\s*\[/i, "gml"],
  [/^%%MatrixMarket\s+matrix\s+coordinate\b/i, "matrix-market"],
  [/^%[ \t]*(sym|asym|bip)[ \t]+[a-z]+[ \t]*\r?\n(%[^\n]*\n)*[ \t]*\d+[ \t]+\d+([ \t]|\r?\n|$)/, "konect"],
];

/** The reader of text that holds a whole graph; null: it is something else. */
export function graphReaderOf(text: string): string | null {
  return graphBeginnings.find(([beginning]) => beginning.test(text))?.[1] ?? null;
}

/** Whether text is RDF with a triple on each line. */
export function isNTriples(text: string): boolean {
  return /^(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*(?:<[^>\s]+>|_:\S+)[ \t]*<[^>\s]+>[ \t]*\S[^\n]*\.[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/.test(
    text,
  );
}

const arrow = /^\s*[^\s,;|]+\s*(->|<-|<->|--|=>|→)\s*[^\s,;|]+\s*;?\s*$/;
const bracketed = /^\s*[([]\s*[^,()[\]]+,[^()[\]]+[)\]][,;]?\s*$/;
const behindColon = /^\s*[^\s:,;|]+:(\s+\S.*)?$/;
const onlyDict = /^\s*\S+\s+\{.*\}\s*$/;
const underline = /^\s*\|?(\s*:?-{3,}:?\s*\|)+(\s*:?-{3,}:?\s*)?$/;

const sampled = 200;

/**
 * What a text is that would pass for a table of edges but is none, and what to do instead; null: nothing of the kind.
 */
export function foreignText({ text, isWhole }: TextHead): string | null {
  const known = beginnings.find(([beginning]) => beginning.test(text));
  if (known) return `${known[1]}, which no reader takes yet. ${asTable}`;
  const all = text.split(/\r\n|\n|\r/);
  if (!isWhole) all.pop();
  const lines = all.filter((line) => line.trim() !== "" && !/^(#|%|\/\/)/.test(line));
  return shapeOfLines(lines.slice(0, sampled)) ?? (isWhole ? shapeOfWhole(lines) : null);
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
    return "text with a colon behind the first word of each line, not a table. If it lists the neighbours of nodes, write one row for each edge.";
  if (lines.some((line) => onlyDict.test(line)))
    return "a list of neighbours as networkx writes it: write the edges with networkx.write_edgelist(graph, path, data=False).";
  return null;
}

function shapeOfWhole(lines: readonly string[]): string | null {
  const rows = lines.slice(0, sampled + 1).map((line) => line.trim().split(/[\s,;]+/));
  if (lines.length > sampled) return null;
  if (isMetis(rows)) return `a METIS graph, whose lines list the neighbours of nodes. ${asTable}`;
  if (isMatrix(rows) || isNamedMatrix(lines))
    return `a matrix with as many rows as columns, as an adjacency matrix is. ${asTable}`;
  if (rows.length === 2 && rows[0]!.length > 8 && rows.every((row) => row.every((field) => /^\d+$/.test(field))))
    return "two long rows of numbers, as edge_index of PyTorch Geometric: save it transposed, one row for each edge.";
  return null;
}

/** The first line holds the numbers of nodes and edges; each further one the neighbours of a node, every edge twice. */
function isMetis([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  if (first.length !== 2 || ![first, ...rest].flat().every((field) => /^\d+$/.test(field))) return false;
  const [nodes, edges] = first.map(Number) as [number, number];
  return rest.length > 2 && rest.length === nodes && rest.flat().length === 2 * edges;
}

function isMatrix(rows: readonly (readonly string[])[]): boolean {
  const size = rows.length;
  if (size < 3 || rows.some((row) => row.length !== size)) return false;
  const values = rows.map((row) => row.map(Number));
  if (values.flat().some(Number.isNaN)) return false;
  const isBinary = values.flat().every((value) => value === 0 || value === 1);
  return isBinary || (size > 3 && values.every((row, i) => row.every((value, j) => value === values[j]![i])));
}

/** The names of the columns are those of the rows. */
function isNamedMatrix(lines: readonly string[]): boolean {
  return [",", ";", "\t"].some((delimiter) => {
    const [names = [], ...rows] = lines.map((line) => line.split(delimiter));
    return names.length > 3 && names.length === rows.length + 1 && rows.every(([name], i) => name === names[i + 1]);
  });
}
