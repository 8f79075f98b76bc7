import { ListEntries, type ListEntry } from "./list-entries.ts";

/** What an object of lists has its lists for, as its beginning shows */
export type KindOfLists = "byKey" | "byColumn";

/**
 * Whether a JSON text is one object of lists, and if so whether its keys are ids, each with a list, or names of
 * columns, each with the cells of all rows: a few names with lists of one length. Null: it is none.
 */
export function listsByKey(head: string): KindOfLists | null {
  const reading = new ListEntries("");
  const entries: ListEntry[] = [];
  try {
    for (const entry of reading.read(head)) entries.push(entry);
  } catch {
    return null;
  }
  if (entries.length === 0) return null;
  const [{ items }] = entries as [ListEntry];
  const areEqual = entries.every((entry) => entry.items.length === items.length);
  const areNumbers = entries.every(({ key }) => /^\d+$/.test(key));
  const areFew = reading.isEnded && (entries.length < items.length || entries.length < 3);
  if (!areNumbers && areEqual && (areFew || entries.length < 3)) return "byColumn";
  return "byKey";
}
