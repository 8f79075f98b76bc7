import { baseName } from "./base-name.ts";
import { columnNamed, columnNames, plainName } from "./column-names.ts";
import { overlap, valuesOf } from "./column-values.ts";
import { isWhole } from "./joined-samples.ts";
import type { SampledFile } from "./sampled-file.ts";
import { nameParts, plainType } from "./type-names.ts";

/** A table of nodes and its column of ids. */
export interface TableWithId {
  readonly file: SampledFile;
  readonly id: number;
}

/** What a table says of nodes, in its name: nothing of the kind of thing that they are. */
const aspects =
  /^(labels?|class|classes|targets?|y|splits?|embeddings?|emb|embs|vectors?|profiles?|info|meta|metadata|details?|properties|props|stats|statistics|extra)$/i;

const ownName = (file: SampledFile) =>
  plainType(
    nameParts(file.name)
      .filter((part) => !aspects.test(part))
      .join("_"),
  );

/** A second table: of which first one it is, or why that cannot be told */
export type SecondTable<T> = { readonly first: T } | { readonly note: string };

/**
 * Whether a table is no type of its own but a second one of nodes that another table has, such as `user_labels.csv`
 * beside `users.csv`: most ids of its sample are among the other's, and names say that they mean the same. Null: it is
 * a type.
 *
 * @param isEnd whether edges name its type as one of their ends
 */
export function secondTable<T extends TableWithId>(
  second: T,
  tables: readonly T[],
  isEnd: boolean,
): SecondTable<T> | null {
  const ids = valuesOf(second.file.rows, second.id);
  const isOfAspect = hasAspect(second.file);
  const isBefore = (one: T) => tables.indexOf(one) < tables.indexOf(second);
  const likely = tables
    .filter((one) => one !== second && (isBefore(one) || (isOfAspect && !hasAspect(one.file))))
    .filter((one) => overlap(ids, new Set(valuesOf(one.file.rows, one.id))) >= 0.5 || isSaidAlone(second, one));
  const areTexts = ids.some((id) => !/^\d+$/.test(id));
  const alike = likely.find((one) => isNamedAlike(one, second));
  if (!isOfAspect) return alike && areTexts ? { first: alike } : null;
  const own = ownName(second.file);
  if (own === "" && isEnd) return null;
  const called = likely.find(({ file }) => own !== "" && ownName(file) === own) ?? alike;
  if (called) return { first: called };
  if (own !== "" && !areTexts) return null;
  if (likely.length === 1) return { first: likely[0]! };
  return likely.length > 1 ? { note: unclear(second, likely) } : null;
}

function unclear({ file }: TableWithId, likely: readonly TableWithId[]): string {
  const names = likely.map((one) => one.file.name).join(" or ");
  return `${file.name} is left out: whether it says more of the nodes in ${names} cannot be told. Join it to the table that it is about.`;
}

/** Whether the name has a word for what is said of nodes, or for features. */
export function hasAspect(file: SampledFile): boolean {
  const words = baseName(file.name).split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => aspects.test(word) || /^(features?|feats?|attributes?|attrs?|x)$/i.test(word));
}

/** The first rows of long files in orders of their own share few ids, or none: there the names have to do. */
function isSaidAlone(second: TableWithId, one: TableWithId): boolean {
  if (isWhole(second.file) || isWhole(one.file) || !hasAspect(second.file)) return false;
  const own = ownName(second.file);
  const [type, other] = [second, one].map(({ file, id }) => file.columns[id]!.type);
  return type === other && ((own !== "" && ownName(one.file) === own) || isNamedAlike(one, second));
}

/** `user` in both says more than `id` in both. */
function isNamedAlike(one: TableWithId, other: TableWithId): boolean {
  const [first, second] = [one, other].map(({ file, id }) => file.columns[id]!);
  const isGeneral = columnNamed([first!], columnNames.id) === 0;
  return !isGeneral && plainName(first!.name) === plainName(second!.name);
}
