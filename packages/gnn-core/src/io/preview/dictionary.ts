import { baseName } from "./base-name.ts";
import { valuesOf } from "./column-values.ts";
import type { SampledFile } from "./sampled-file.ts";

/** Whether a table says what numbers mean, `0 likes` and `1 knows`, as `relations.dict` does beside triples. */
export function isDictionary({ name, columns, rows }: SampledFile): boolean {
  if (columns.length !== 2 || !/\.dict$|(2|_?to_?)id\b/i.test(baseName(name))) return false;
  const isNumbered = (column: number) => valuesOf(rows, column).every((value, i) => value === String(i));
  return isNumbered(0) || isNumbered(1);
}

/** Whether it is of the types of edges, which triples name themselves. */
export function isDictionaryOfRelations(file: SampledFile): boolean {
  return isDictionary(file) && /^(rel|relations?|predicates?|edge_?types?)(\b|2|_)/i.test(baseName(file.name));
}
