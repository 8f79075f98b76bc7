import type { RowLines } from "./database-file.ts";
import type { DatabaseTable } from "./database-tables.ts";
import type { PlannedFile } from "./planned-files.ts";

/** A value of a row: a number as it is written, or a text; null: there is none. */
export type RowValue = { readonly kind: "number" | "text"; readonly text: string } | null;

const rowsAtOnce = 512;

/** Rows of a table as lines of JSON. @param rows their values, in the order of the table's columns */
export async function* sqliteLines(
  rows: AsyncIterable<readonly RowValue[]>,
  table: DatabaseTable,
  { columns, needed }: PlannedFile,
  most: number | null,
): AsyncGenerator<RowLines, void, undefined> {
  const placeOf = (column: string) => table.columns.findIndex((one) => one.name === column);
  const wanted = columns.map(({ column, alias }) => ({ key: JSON.stringify(alias), place: placeOf(column) }));
  const mustHave = needed.map(placeOf);
  let lines: string[] = [];
  let written = 0;
  for await (const row of rows) {
    if (mustHave.some((place) => (row[place] ?? null) === null)) continue;
    lines.push(`{${wanted.map(({ key, place }) => `${key}:${jsonOf(row[place] ?? null)}`).join(",")}}\n`);
    written++;
    if (most !== null && written >= most) break;
    if (lines.length < rowsAtOnce) continue;
    yield { lines: lines.join(""), rows: lines.length };
    lines = [];
  }
  yield { lines: lines.join(""), rows: lines.length };
}

function jsonOf(value: RowValue): string {
  if (value === null) return "null";
  if (value.kind === "text") return JSON.stringify(value.text);
  // Readers of JSON keep 53 bits of a whole number, and know no infinity.
  const number = Number(value.text);
  if (!Number.isFinite(number)) return "null";
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? JSON.stringify(value.text) : value.text;
}
