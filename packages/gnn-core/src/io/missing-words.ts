import { sqlText } from "./duckdb/connect.ts";

/** What tables write where a value is not known, in small letters; `\N` is PostgreSQL's and MySQL's. */
const words = new Set(["", "nan", "na", "n/a", "<na>", "null", "none", "\\n", "?"]);

export function saysMissing(cell: string): boolean {
  return words.has(cell.trim().toLowerCase());
}

const yes = ["true", "t", "yes", "y"];
const no = ["false", "f", "no", "n"];

/** 1 or 0 for the words of a column of true and false; null for others. */
export function truthOf(cell: string): 0 | 1 | null {
  const word = cell.trim().toLowerCase();
  if (yes.includes(word)) return 1;
  return no.includes(word) ? 0 : null;
}

/** Whether all cells say true or false, in one pair of words or the other. */
export function areTruths(cells: readonly string[]): boolean {
  return cells.length > 0 && cells.every((cell) => truthOf(cell) !== null);
}

/**
 * `saysMissing` and `truthOf` as an SQL expression: what means neither is `number`.
 *
 * @param sql    the value as the file has it
 * @param number the value as it is to be cast to a number
 */
export function sqlNumberOf(sql: string, number: string, mayBeMissing: boolean): string {
  const text = `lower(trim(CAST(${sql} AS VARCHAR)))`;
  const isOne = (known: Iterable<string>) => `${text} IN (${[...known].map(sqlText).join(", ")})`;
  const missing = mayBeMissing ? ` WHEN ${isOne(words)} THEN NULL` : "";
  return `(CASE${missing} WHEN ${isOne(yes)} THEN '1' WHEN ${isOne(no)} THEN '0' ELSE CAST(${number} AS VARCHAR) END)`;
}
