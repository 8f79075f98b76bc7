import type { ListEntry } from "./list-entries.ts";

/** Between the texts of a list in one cell, as labelSeparator has it */
const between = "|";

/**
 * A list as one cell: numbers in brackets, `[12, 55]`, texts with bars between them, `Pop|Rock`; an empty list is `[]`
 * among numbers and nothing among texts.
 *
 * @returns null: a text has a bar of its own
 */
export function cellOfList(items: ListEntry["items"], areTexts: boolean): string | null {
  if (!areTexts) return `[${items.map((item) => (item === null ? "" : String(item))).join(", ")}]`;
  const texts = items.map((item) => (item === null ? "" : String(item)));
  return texts.some((text) => text.includes(between)) ? null : texts.join(between);
}
