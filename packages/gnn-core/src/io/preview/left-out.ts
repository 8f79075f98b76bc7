import { splitOf } from "../ingest/split-words.ts";
import { timeOf } from "../ingest/time-of.ts";
import type { ColumnInfo } from "../table-source.ts";
import { columnNamed, columnNames } from "./column-names.ts";
import { countsRows, decoratedNumbers, valuesOf } from "./column-values.ts";
import type { ColumnRole, SampledFile } from "./sampled-file.ts";

/**
 * Says of every column without a role why it has none: nothing is left out in silence. Columns with the same reason
 * share a sentence.
 */
export function leftOutNotes(file: SampledFile, roles: readonly ColumnRole[], explained: readonly number[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const [i, role] of roles.entries()) {
    if (role !== "none" || explained.includes(i)) continue;
    const isOfEdges = roles.includes("src");
    const reason =
      listReason(file.columns[i]!, isOfEdges) ?? namesClassesOf(file, roles, i) ?? reasonOf(file, roles, i);
    byReason.set(reason, [...(byReason.get(reason) ?? []), file.columns[i]!.name]);
  }
  return [...byReason].map(
    ([reason, names]) => `${file.name}: ${named(names)} ${names.length === 1 ? "is" : "are"} left out: ${reason}.`,
  );
}

/** Lists of numbers are features of nodes where each has as many. */
function listReason({ list }: ColumnInfo, isOfEdges: boolean): string | null {
  if (!list) return null;
  if (isOfEdges) return "lists of numbers, which edges do not have; write one column for each number";
  if (list.areIndices && list.width === null)
    return "lists of whole numbers; choose “indices of features” if they say which features of 0 and 1 a node has";
  if (list.width === null) return "lists of numbers, some longer than others; a vector has as many in every row";
  return `lists of ${list.width} whole numbers, which may be ids or codes; choose “feature” to learn from them`;
}

/** A text that goes with each class of the label, and with no other, is what people call the class. */
function namesClassesOf({ columns, rows }: SampledFile, roles: readonly ColumnRole[], i: number): string | null {
  const label = roles.indexOf("label");
  if (label < 0 || columns[i]!.type !== "text") return null;
  const pairs = rows.map((row) => [(row[label] ?? "").trim(), (row[i] ?? "").trim()]);
  const known = pairs.filter(([one, name]) => one !== "" && name !== "");
  const distinct = (of: (pair: string[]) => string | undefined) => new Set(known.map(of)).size;
  const classes = distinct(([one]) => one);
  const isOneToOne = distinct(([, name]) => name) === classes && distinct((pair) => pair.join("\0")) === classes;
  if (classes < 2 || classes === known.length || !isOneToOne) return null;
  return `it names the classes of "${columns[label]!.name}"; give it the role of the label instead to see the names`;
}

function reasonOf({ columns, rows }: SampledFile, roles: readonly ColumnRole[], i: number): string {
  const { name, type } = columns[i]!;
  const values = valuesOf(rows, i);
  const isTime = roles.includes("src") && columnNamed([columns[i]!], columnNames.time) === 0;
  if (isTime && values.length > 0 && values.every((value) => !Number.isNaN(timeOf(value)))) {
    return "times; choose “time” to learn from the order in which edges came to be";
  }
  if (type === "list" || /:\w+\[\]$/.test(name))
    return "a list in each cell; write one column for each number, or all as a matrix with numpy.save";
  if (type === "other") return "nested values, which are not read; write plain columns";
  if (type === "boolean") return "true and false; choose “feature” to learn from it as 1 and 0";
  if (type === "int64" && countsRows(values)) return "it counts the rows";
  if (type === "int64") return "whole numbers, which may be ids, years or codes; choose “feature” to learn from them";
  if (type === "double") return "numbers that no role was found for; choose one if they are of use";
  if (values.length === 0) return "empty in all rows that were looked at";
  if (values.every((value) => splitOf(value) !== undefined)) {
    const isAnother = roles.includes("split");
    return isAnother ? "another split; choose “split” to go by it instead" : "a split; choose “split” to go by it";
  }
  if (values.every((value) => Number.isFinite(Number(value))))
    return "whole numbers, which may be ids or codes, and words for what is not known; choose “feature” and what is taken where it is missing to learn from it";
  if (roles.includes("src") && values.every((value) => !Number.isNaN(timeOf(value)))) {
    return "dates; choose “time” where they say when each edge came to be";
  }
  return decoratedNumbers(values) ?? "text, which models do not read; write it as numbers to learn from it";
}

const mostNamed = 8;

/** The first of many names, and how many more there are */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).map((name) => `"${name}"`);
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return `${shown.join(", ")}${rest}`;
}
