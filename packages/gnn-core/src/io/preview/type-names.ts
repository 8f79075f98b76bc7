import { movieLensTypes } from "../csv/movie-lens.ts";
import { withoutPlural } from "../without-plural.ts";
import { baseName } from "./base-name.ts";

/** What says of a file's name that it holds nodes, edges or features, and nothing of their type. */
const kindWords =
  /^(nodes?|vertices|vertex|vert|edges?|links?|relations?|features?|feats?|attributes?|attrs?|knoten|kanten|x)$/i;

/** The parts of a file's name between separators, without endings and without the words for nodes, edges, features. */
export function nameParts(file: string): string[] {
  const stem = baseName(file).replace(/\.(gz|zst|bz2|xz)$/i, "");
  const known = movieLensTypes[stem];
  if (known) return [known];
  const parts = stem.replace(/\.[^.]*$/, "").split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part !== "" && !kindWords.test(part));
}

/** What two spellings of a type have in common: `Authors`, `author`; `categories`, `category`; `movies`, `movie`. */
export function plainType(name: string): string {
  return withoutPlural(name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ""));
}

/** The type of the nodes in a file by its name: `nodes_paper.csv.gz` → `paper`; null: numbered, or called nodes. */
export function typeOfFile(file: string): string | null {
  const parts = nameParts(file);
  return parts.every((part) => /^\d+$/.test(part)) ? null : parts.join("_");
}

/** A column's type by its name: `author_id` and `author` → the type `authors`, if there is one. */
export function typeOfColumn(column: string, types: readonly string[]): string | null {
  const plain = plainType(column.replace(/[\s_-]*(id|key|index|idx|no)$/i, ""));
  return plain === "" ? null : (types.find((type) => plainType(type) === plain) ?? null);
}

export interface NamedRelation {
  readonly source: string | null;
  readonly name: string;
  readonly target: string | null;
}

/**
 * What a file of edges is called between the types that its name begins and ends with: paper, cites and paper of
 * `edges_paper_cites_paper.csv`. Types may have several parts themselves.
 */
export function relationOfFile(file: string, types: readonly string[]): NamedRelation {
  const parts = nameParts(file);
  const whole = parts.join("_");
  for (let head = 1; head < parts.length; head++) {
    for (let tail = parts.length - 1; tail >= head; tail--) {
      const source = typeOfColumn(parts.slice(0, head).join("_"), types);
      const target = typeOfColumn(parts.slice(tail).join("_"), types);
      const between = parts.slice(head, tail).filter((part) => !/^to$/i.test(part));
      if (source && target) return { source, name: between.join("_") || whole, target };
    }
  }
  return { source: null, name: whole || "edge", target: null };
}
