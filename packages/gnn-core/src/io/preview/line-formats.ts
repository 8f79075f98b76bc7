import type { TextHead } from "../dialect/detect-dialect.ts";
import { metisHead } from "../graph-files/metis.ts";
import { isNetworkxEdge } from "../graph-files/networkx-edges.ts";

/**
 * The reader of a text of lines that hold a whole graph and could pass for a table; null: it is none that is told
 * without doubt.
 *
 * @param byName the reader that the file's ending asks for
 */
export function lineReaderOf(head: TextHead, byName: string | null): string | null {
  const lines = linesOf(head);
  if (/^(c\b[^\n]*\n)*p +(sp|edges?|col|tw|ds|vc|hs) +\d+ +\d+ *\r?\n/.test(head.text)) return "dimacs";
  if (isLgl(lines, byName === "lgl")) return "lgl";
  if (isMetis(lines, head.isWhole, byName === "metis")) return "metis";
  const rows = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (rows.length > 0 && rows.every(isNetworkxEdge)) return "networkx-edges";
  if (isAdjacencyList(head, rows, byName === "adjacency-list")) return "adjacency-list";
  return isTrivialGraph(lines) ? "tgf" : null;
}

/** Whole ones: the last of a file that goes on is cut off. */
function linesOf({ text, isWhole }: TextHead): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (!isWhole || lines.at(-1) === "") lines.pop();
  return lines;
}

const vertexLine = /^#\s*(\S+)\s*$/;

/**
 * Blocks below lines `# vertex`: of names alone, or of names and weights, among which a vertex of another block must
 * be, for edges between comments look alike. No vertex is a neighbour of itself.
 */
function isLgl(lines: readonly string[], isCalledSo: boolean): boolean {
  const filled = lines.filter((line) => line.trim() !== "");
  if (!vertexLine.test(filled[0] ?? "")) return false;
  const vertices = new Set<string>();
  const neighbours = new Set<string>();
  let vertex = "";
  let hasWeights = true;
  for (const line of filled) {
    const found = vertexLine.exec(line)?.[1];
    if (found === undefined && line.startsWith("#")) return false;
    if (found !== undefined) {
      vertices.add(found);
      vertex = found;
      continue;
    }
    const [neighbour, weight, ...more] = line.trim().split(/\s+/);
    if (neighbour === vertex || more.length > 0) return false;
    if (weight === undefined) hasWeights = false;
    else if (!Number.isFinite(Number(weight))) return false;
    neighbours.add(neighbour!);
  }
  if (isCalledSo) return neighbours.size > 0;
  return vertices.size > 1 && (!hasWeights || [...vertices].some((one) => neighbours.has(one)));
}

/** Nodes, a line # and edges between them, which alone look like edges with a comment among them. */
function isTrivialGraph(lines: readonly string[]): boolean {
  const place = lines.findIndex((line) => line.trim() === "#");
  if (place < 1) return false;
  const fieldsOf = (line: string) => line.trim().split(/\s+/);
  const nodes = lines.slice(0, place).map((line) => fieldsOf(line)[0]!);
  const known = new Set(nodes);
  const edges = lines.slice(place + 1).filter((line) => line.trim() !== "");
  const isBetweenNodes = (line: string) => {
    const [src, dst] = fieldsOf(line);
    return dst !== undefined && known.has(src!) && known.has(dst);
  };
  return known.size === nodes.length && !known.has("#") && edges.length > 0 && edges.every(isBetweenNodes);
}

/** Where the whole file is not there to be counted, so many edges have to stand on the lines of both their ends. */
const sureMetis = 20;

/**
 * A line of sizes, then a line for each node, its neighbours on it: every edge stands on the lines of both its ends.
 */
function isMetis(lines: readonly string[], isWhole: boolean, isCalledSo: boolean): boolean {
  const [first = "", ...all] = lines.filter((line) => !line.startsWith("%"));
  const head = metisHead(first);
  if (!head) return false;
  const rows = all.map((line) => (line.trim() === "" ? [] : line.trim().split(/\s+/)));
  const isCounted = rows.length >= head.numNodes && rows.slice(head.numNodes).every(({ length }) => length === 0);
  if (isWhole && !isCounted) return false;
  const own = (head.hasSizes ? 1 : 0) + head.numWeights;
  const step = head.hasEdgeWeights ? 2 : 1;
  const neighbours = rows.map((row) => new Set(row.slice(own).flatMap((field, i) => (i % step === 0 ? [field] : []))));
  let numMutual = 0;
  for (const [i, others] of neighbours.entries())
    for (const other of others) {
      if (!/^\d+$/.test(other) || other === String(i + 1) || Number(other) > head.numNodes) return false;
      const there = neighbours[Number(other) - 1];
      if (there && !there.has(String(i + 1))) return false;
      if (there) numMutual++;
    }
  const isSure = isWhole ? numMutual === 2 * head.numEdges && head.numNodes > 2 : numMutual >= sureMetis;
  return isSure || (isCalledSo && !isWhole);
}

const behindColon = /^\s*([^\s:,;|]+):(?:\s+(\S.*))?$/;

/** By its ending, by what networkx writes above it, or by names before colons that come again behind them. */
function isAdjacencyList({ text }: TextHead, rows: readonly string[], isCalledSo: boolean): boolean {
  if (rows.length === 0 || rows.some((row) => /[{}]/.test(row))) return false;
  if (isCalledSo || /^#[^\n]*\n#\s*GMT [^\n]*\n#/.test(text)) return true;
  const found = rows.map((row) => behindColon.exec(row));
  if (rows.length < 2 || found.some((one) => one === null)) return false;
  const nodes = new Set(found.map((one) => one![1]));
  const named = new Set(found.flatMap((one) => (one![2] ?? "").split(/[\s,;]+/).filter((name) => name !== "")));
  const known = [...named].filter((name) => nodes.has(name)).length;
  return named.size > 0 && 2 * known >= named.size;
}
