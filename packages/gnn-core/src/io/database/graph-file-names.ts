import { cut, plain } from "./type-names.ts";

/** Names of edges speak of edges, and of nodes whose name would, of nodes. */
const speaksOfEdges =
  /edge|kanten|verbindungen|arêtes|aristas|link|cites|graph|\.el\b|network|relations|interactions|ratings/i;

/** What the file of the nodes of a type is called, so that readers take it for nodes. */
export function nodeFileName(type: string): string {
  return speaksOfEdges.test(type) ? `${type}_nodes` : type;
}

/** The ends are called as the tables; of one table, as the ends of edges are in general. */
export function endNames(types: readonly string[], source: number, target: number): readonly [string, string] {
  return source === target ? ["src", "dst"] : [types[source]!, types[target]!];
}

/** What the file of edges between two types is called: `source_between_target`. */
export function edgeFileName(types: readonly string[], source: number, between: string, target: number): string {
  const middle = between.replace(/[\s_-]*id$/i, "") || between;
  const parts = middle
    .normalize("NFC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
  // A type is one part of the name, so that the reader finds where the first ends and the second begins.
  const [first, second] = [types[source]!, types[target]!].map((type) => type.replaceAll("_", ""));
  return `${first}_${cut(parts.join("_"), 28) || "key"}_${second}`;
}

/** Names of files, none of them twice. */
export function freeNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let n = 2; taken.has(plain(name)); n++) name = wanted.replace(/(?=_[^_]*$)/, `${n}`);
    taken.add(plain(name));
    return `${name}.jsonl`;
  };
}
