import { splitOf } from "../ingest/split-words.ts";
import type { ColumnInfo } from "../table-source.ts";

export type ColumnRole = "src" | "dst" | "weight" | "type" | "id" | "label" | "target" | "split" | "feature" | "none";

const names = {
  src: [
    "src",
    "source",
    "from",
    "fromnodeid",
    "u",
    "head",
    "sourceid",
    "srcid",
    "fromid",
    "citing",
    "id1",
    "node1",
    "user",
  ],
  dst: [
    "dst",
    "target",
    "to",
    "tonodeid",
    "v",
    "tail",
    "targetid",
    "dstid",
    "toid",
    "cited",
    "id2",
    "node2",
    "item",
    "dest",
    "destination",
  ],
  weight: ["weight", "w", "edgeweight"],
  type: ["rel", "relation", "edgetype", "type", "relationtype"],
  id: ["id", "node", "nodeid", "originalid", "paperid", "userid", "name", "key"],
  label: ["label", "class", "y", "target", "category", "subject", "labels", "community"],
  split: ["split", "set", "fold", "subset", "partition"],
  nodeType: ["nodetype", "type", "kind"],
};
const featureName = /^(?:f|x|w|v|d|c|feat|feature|dim|emb|attr|col|word)[_-]?\d+$/i;

const normal = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The first column (in the order of the names) that is called one of them. */
function named(columns: readonly ColumnInfo[], wanted: readonly string[]): number {
  for (const name of wanted) {
    const found = columns.findIndex((column) => normal(column.name) === name);
    if (found >= 0) return found;
  }
  return -1;
}

/**
 * Whether the columns are those of edges: two that are called as ends are, or, in a file whose name speaks of
 * edges, the first two.
 */
export function edgeEnds(file: string, columns: readonly ColumnInfo[]): { src: number; dst: number } | null {
  const src = named(columns, names.src);
  const dst = named(columns, names.dst);
  if (src >= 0 && dst >= 0 && src !== dst) return { src, dst };
  const speaksOfEdges = /edge|link|cites|graph|\.el\b|network|relations/i.test(file);
  return speaksOfEdges && columns.length >= 2 ? { src: 0, dst: 1 } : null;
}

export function edgeRoles(columns: readonly ColumnInfo[], ends: { src: number; dst: number }): ColumnRole[] {
  const weight = named(columns, names.weight);
  const type = named(columns, names.type);
  return columns.map((column, i) => {
    if (i === ends.src) return "src";
    if (i === ends.dst) return "dst";
    if (i === weight && isNumeric(column)) return "weight";
    if (i === type) return "type";
    return featureName.test(column.name) && isNumeric(column) ? "feature" : "none";
  });
}

/** @param rows sampled cells, to see whether a column holds split words */
export function nodeRoles(columns: readonly ColumnInfo[], rows: readonly (readonly string[])[]): ColumnRole[] {
  const id = Math.max(0, named(columns, names.id));
  const split = splitColumn(columns, rows);
  const label = named(columns, names.label);
  const type = named(columns, names.nodeType);
  return columns.map((column, i) => {
    if (i === id) return "id";
    if (i === split) return "split";
    if (i === type) return "type";
    // Classes are texts or whole numbers; a label with decimals is a number to predict.
    if (i === label) return column.type === "double" ? "target" : "label";
    return isFeature(column) ? "feature" : "none";
  });
}

function splitColumn(columns: readonly ColumnInfo[], rows: readonly (readonly string[])[]): number {
  const holdsWords = (i: number) =>
    rows.length > 0 &&
    rows.every((row) => splitOf(row[i] ?? "") !== undefined) &&
    rows.some((row) => (row[i] ?? "") !== "");
  const byName = named(columns, names.split);
  if (byName >= 0 && holdsWords(byName)) return byName;
  return columns.findIndex((_, i) => holdsWords(i));
}

/** Whole numbers are features only when the name says so: they may be ids, years or codes. */
function isFeature(column: ColumnInfo): boolean {
  return isNumeric(column) && (column.type === "double" || featureName.test(column.name));
}

function isNumeric({ type }: ColumnInfo): boolean {
  return type === "int64" || type === "double";
}
