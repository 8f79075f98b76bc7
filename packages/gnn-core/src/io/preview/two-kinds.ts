import type { ColumnInfo } from "../table-source.ts";
import { columnNamed, plainName } from "./column-names.ts";
import { valuesOf } from "./column-values.ts";
import type { EdgeEnds } from "./edge-roles.ts";
import type { SampledFile } from "./sampled-file.ts";
import { plainType, typeOfFile } from "./type-names.ts";

/** Those who rate, buy or write, and what they do it with: a user 1 and a movie 1 are two things. */
const kinds = new Map(
  [
    "user customer client buyer reader visitor student patient member subscriber author reviewer investor",
    "item movie film product book song track artist album restaurant business article paper venue game app course",
    "gene disease drug protein compound tag category brand page post recipe hotel place poi location shop store",
    "video channel group event job skill word topic company device merchant session sku",
  ].flatMap((line) => line.split(" ").map((word) => [plainType(word), word] as const)),
);

export interface TwoKinds {
  readonly ends: EdgeEnds;
  readonly source: string;
  readonly target: string;
}

/** What the two columns of ids are called after, where these are things of two kinds; null: they are not. */
export function twoKindsOf({ columns, part }: SampledFile): TwoKinds | null {
  if (part !== undefined) return null;
  // A table with an id of its own is one of nodes, or its columns name what each row is about.
  if (columnNamed(columns, ["id", "node", "nodeid"]) >= 0) return null;
  const found = columns.flatMap((column, i) => {
    const kind = kindOf(column);
    return kind === null ? [] : [{ i, kind }];
  });
  const [source, target] = found;
  if (found.length !== 2 || !source || !target || source.kind === target.kind) return null;
  return { ends: { src: source.i, dst: target.i }, source: source.kind, target: target.kind };
}

/** `userId`, `user_id` and `User` → `user`; null: no kind of thing, or something that is no id. */
function kindOf({ name, type }: ColumnInfo): string | null {
  if (type !== "int64" && type !== "text") return null;
  const plain = plainType(plainName(name).replace(/(?<=.)(?:id|key|index|idx|no)$/, ""));
  return kinds.get(plain) ?? null;
}

/** The table of one kind: called as it is, or with an id that is called as the end of the edges is. */
export function tableOfKind<T extends { readonly file: SampledFile }>(
  kind: string,
  column: string,
  tables: readonly T[],
): T | undefined {
  const called = tables.find(({ file }) => plainType(typeOfFile(file.name) ?? "") === plainType(kind));
  return called ?? tables.find(({ file }) => columnNamed(file.columns.slice(0, 1), [plainName(column)]) === 0);
}

/** What is lost where ids of two kinds are read as those of one, and some are alike; null: nothing. */
export function mergedKindsNote(file: SampledFile): string | null {
  const found = twoKindsOf(file);
  if (!found) return null;
  const { ends, source, target } = found;
  const sources = new Set(valuesOf(file.rows, ends.src));
  const both = valuesOf(file.rows, ends.dst).find((id) => sources.has(id));
  if (both === undefined) return null;
  const [src, dst] = [ends.src, ends.dst].map((column) => `"${file.columns[column]!.name}"`);
  return `${file.name}: ${src} and ${dst} look like ids of two kinds, and ${both} is among both: here it is one node. Write them apart, such as ${source}-${both} and ${target}-${both}, if they are two.`;
}
