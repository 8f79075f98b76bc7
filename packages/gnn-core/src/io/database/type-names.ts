import { withoutPlural } from "../without-plural.ts";
import type { DatabaseTable } from "./database-tables.ts";

/** What the reader of files drops from names, since it says that they hold nodes or edges. */
const kindWords =
  /^(nodes?|vertices|vertex|vert|edges?|links?|relations?|features?|feats?|attributes?|attrs?|knoten|kanten|x)$/i;
/** What columns with ids of nodes are called, beside `id`. */
export const idNames: ReadonlySet<string> = new Set(
  "id node nodeid originalid paperid userid vertex vertexid name key knoten knotenid nœud noeud nodo".split(" "),
);
const idEnding = /(id|key|index|idx|no)$/i;
const mostBytes = 40;

/** Letters and digits in small, as the reader compares names of columns. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Cuts a text to so many bytes: databases cut names of their own accord, and would make two of them equal. */
export function cut(text: string, bytes: number): string {
  let kept = "";
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
}

/**
 * What the nodes of each table are called in names of files and columns, so that the reader of these finds the tables
 * in them again: letters and digits, `_` between, another one for each table.
 */
export function typeNames(tables: readonly DatabaseTable[]): readonly string[] {
  const taken = new Set<string>();
  return tables.map(({ schema, name }) => {
    const isFree = (wanted: string) => !taken.has(plainType(wanted));
    const own = typeName(name);
    const withSchema = typeName(`${schema}_${name}`);
    let found = isFree(own) ? own : withSchema;
    for (let n = 2; !isFree(found); n++) found = `${cut(own, mostBytes - 4)}${n}`;
    taken.add(plainType(found));
    return found;
  });
}

function typeName(name: string): string {
  const parts = name
    .normalize("NFC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
  const joined = parts.some((part) => kindWords.test(part)) ? parts.join("") : parts.join("_");
  const isTaken = kindWords.test(joined) || idNames.has(plain(joined)) || /^[\d_]*$/.test(joined);
  const called = cut(isTaken ? `table${joined}` : joined, mostBytes - 1).replace(/_$/, "");
  return idEnding.test(called) ? `${called}s` : called;
}

/** Singular and plural are one name to the reader. */
function plainType(name: string): string {
  return withoutPlural(plain(name));
}

/** Whether a column of this name would be taken for the name of a type. */
export function namesType(column: string, types: readonly string[]): boolean {
  const found = plainType(column.replace(/[\s_-]*(id|key|index|idx|no)$/i, ""));
  return types.some((type) => plainType(type) === found);
}
