import { plainName } from "./column-names.ts";
import { overlap, valuesOf } from "./column-values.ts";
import { isNameless } from "./nameless.ts";
import type { SampledFile } from "./sampled-file.ts";

/** Names of the three columns of facts, where a header gives them. */
const headers: readonly (readonly string[])[] = [
  ["h", "r", "t"],
  ["s", "p", "o"],
  ["head", "relation", "tail"],
  ["head", "rel", "tail"],
  ["headid", "relationid", "tailid"],
  ["subject", "predicate", "object"],
  ["subject", "relation", "object"],
];

/** Share of the values of each end that the other one has as well */
const mostlyAlike = 0.8;

/**
 * Whether a table of three columns holds triples, a head, its relation and a tail: it says so, or has no names and its
 * middle column holds texts that come again and are no ids, between two columns of ids that look alike.
 */
export function isTriples(file: SampledFile): boolean {
  const { columns, rows, part } = file;
  if (columns.length !== 3 || part !== undefined) return false;
  const plain = columns.map(({ name }) => plainName(name));
  if (headers.some((names) => names.every((name, i) => name === plain[i]))) return true;
  if (!isNameless(file) || columns[1]!.type !== "text" || columns[0]!.type !== columns[2]!.type) return false;
  const [heads, relations, tails] = [0, 1, 2].map((column) => valuesOf(rows, column)) as [string[], string[], string[]];
  if ([heads, relations, tails].some(({ length }) => length < rows.length)) return false;
  const known = new Set(relations);
  const ids = new Set(heads);
  const numTails = new Set(tails).size;
  const meetAgain = overlap(tails, ids) > 0;
  // A few nodes may be joined by more relations than there are of them, if both ends are the same nodes.
  const areAlike = overlap(tails, ids) >= mostlyAlike && overlap(heads, new Set(tails)) >= mostlyAlike;
  const isFew = known.size < numTails || (known.size === numTails && meetAgain) || areAlike;
  if (known.size === relations.length || !isFew) return false;
  if (heads.some((id) => known.has(id)) || tails.some((id) => known.has(id))) return false;
  return columns[0]!.type === "text" || meetAgain || haveOneLength([...heads, ...tails]);
}

/** Ids that are filled up with zeros. */
function haveOneLength(ids: readonly string[]): boolean {
  return new Set(ids.map(({ length }) => length)).size === 1;
}
