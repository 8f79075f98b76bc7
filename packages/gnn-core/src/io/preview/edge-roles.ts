import { splitOf } from "../ingest/split-words.ts";
import { timeOf } from "../ingest/time-of.ts";
import { baseName } from "./base-name.ts";
import { columnNamed, columnNames, isFeatureName, isMadeUpName, namedEnds } from "./column-names.ts";
import { countsRows, isNumeric, valuesOf } from "./column-values.ts";
import { isDictionary } from "./dictionary.ts";
import { namelessKind } from "./nameless.ts";
import type { FileRoles, SampledFile } from "./sampled-file.ts";
import { isTriples } from "./triples.ts";

export interface EdgeEnds {
  readonly src: number;
  readonly dst: number;
}

/**
 * The columns with the ends of edges: two that are called so or, in a file whose name speaks of edges, the first two.
 */
export function edgeEnds(file: SampledFile): EdgeEnds | null {
  const { columns, part } = file;
  if (part !== undefined) return part === "edges" ? { src: 0, dst: 1 } : null;
  if (isTriples(file)) return { src: 0, dst: 2 };
  if (namelessKind(file) !== null) return null;
  const ends = namedEnds(columns);
  if (ends) return ends;
  const name = baseName(file.name);
  if (isDictionary(file)) return null;
  const speaksOfEdges =
    /edge|kanten|verbindungen|arêtes|aristas|link|cites|graph|\.el\b|network|relations|interactions|ratings/i.test(
      name,
    );
  return speaksOfEdges && columns.length >= 2 && !/node|vert|knoten/i.test(name) ? { src: 0, dst: 1 } : null;
}

/**
 * For a file that neither names nor columns give away: the first two of few columns are ends when their values come
 * again, in the same column or in the other, as those of nodes do in edges and ids in a table of nodes do not.
 */
export function endsByValues({ columns, rows }: SampledFile): EdgeEnds | null {
  if (columns.length < 2 || columns.length > 4) return null;
  if (columns.slice(0, 2).some(({ type }) => type !== "int64" && type !== "text")) return null;
  const first = valuesOf(rows, 0);
  const second = valuesOf(rows, 1);
  const known = new Set(first);
  const isBetweenTwoKinds = columns.length === 2 && columns.every(({ name }) => isMadeUpName(name));
  const comesAgain = known.size < first.length && (isBetweenTwoKinds || second.some((id) => known.has(id)));
  return comesAgain && first.length === rows.length && second.length === rows.length ? { src: 0, dst: 1 } : null;
}

const directionWords = /^(un)?directed$/i;

export function edgeRoles(file: SampledFile, ends: EdgeEnds): FileRoles {
  const { columns, rows } = file;
  const notes: string[] = [];
  const isNamelessTriples = isTriples(file);
  const type = isNamelessTriples ? 1 : columnNamed(columns, columnNames.edgeType);
  if (isNamelessTriples && columns.some(({ name }) => name.length === 1 || isMadeUpName(name) || name === "src"))
    notes.push(
      `${file.name} is read as triples: ${columns.map(({ name }) => `"${name}"`).join(", ")} are the head, its relation and the tail. Choose other columns if they are something else.`,
    );
  const saysDirection = type >= 0 && valuesOf(rows, type).every((value) => directionWords.test(value));
  const weight = weightColumn(file, ends, notes);
  const split = splitOfEdges(file);
  const time = timeOfEdges(file, ends, notes);
  const roles = columns.map((column, i) => {
    if (i === ends.src) return "src";
    if (i === ends.dst) return "dst";
    if (i === weight) return "weight";
    if (i === type && !saysDirection) return "type";
    if (i === split) return "split";
    if (i === time) return "time";
    return isFeatureName(column.name) && isNumeric(column) ? "feature" : "none";
  });
  return {
    roles,
    notes,
    directed: saysDirection && type >= 0 ? directionOf(rows, type) : (file.statedDirection ?? null),
    explained: saysDirection ? [type] : [],
  };
}

/** A column that is called so and says of every edge whether it is learnt from or held out; −1: there is none */
function splitOfEdges({ columns, rows }: SampledFile): number {
  const called = columnNamed(columns, columnNames.split);
  const values = called < 0 ? [] : valuesOf(rows, called);
  return values.length > 0 && values.length === rows.length && values.every((value) => splitOf(value) !== undefined)
    ? called
    : -1;
}

/** Edges with dates are read as text, which takes ten times as long as ids alone: 20 s for so many bytes. */
const mostBytesWithDates = 2 ** 26;

/**
 * A column that is called so, or has no name and counts the seconds since 1970, and says of every edge when it came to
 * be; −1: there is none, 0 is said to mean none, or whoever needs the dates of so large a file is to say so
 */
function timeOfEdges({ name, reader, bytes, columns, rows }: SampledFile, ends: EdgeEnds, notes: string[]): number {
  if (reader === "konect") return -1;
  const called = columnNamed(columns, columnNames.time);
  const nameless = columns.findIndex(
    (column, i) => i !== ends.src && i !== ends.dst && isMadeUpName(column.name) && areSeconds(valuesOf(rows, i)),
  );
  const found = called >= 0 ? called : nameless;
  const values = found < 0 ? [] : valuesOf(rows, found);
  const areTimes = values.length > 0 && values.length === rows.length;
  if (!areTimes || values.some((value) => Number.isNaN(timeOf(value)))) return -1;
  if (bytes > mostBytesWithDates && !isNumeric(columns[found]!)) return -1;
  if (called < 0)
    notes.push(
      `${name}: "${columns[found]!.name}" is proposed as the time of each edge, in seconds since 1970, such as ${new Date(Number(values[0]) * 1000).toISOString().slice(0, 10)}. Choose "not used" if these are other numbers.`,
    );
  return found;
}

/** Seconds from 1977 to 2049: no other numbers that edges usually have are as large, and as near to each other. */
function areSeconds(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => /^\d{9,10}(\.\d*)?$/.test(value) && isAfter1977(Number(value)));
}

function isAfter1977(seconds: number): boolean {
  return seconds > 2.3e8 && seconds < 2.5e9;
}

/** Gephi says in every row whether the edge has a direction. */
function directionOf(rows: readonly (readonly string[])[], column: number): boolean | null {
  const words = valuesOf(rows, column);
  return words.length === 0 ? null : words.every((word) => /^directed$/i.test(word));
}

/** The column called so; else the one column of numbers without a name behind the ends, unless it holds times. */
function weightColumn({ name, columns, rows }: SampledFile, ends: EdgeEnds, notes: string[]): number {
  const isEnd = (i: number) => i === ends.src || i === ends.dst;
  const named = columnNamed(columns, columnNames.weight);
  const nameless = columns.flatMap((column, i) => {
    const isCandidate = !isEnd(i) && isMadeUpName(column.name) && isNumeric(column) && !isTimeOrCount(rows, i);
    return isCandidate ? [i] : [];
  });
  const isNamed = named >= 0 && isNumeric(columns[named]!) && !isEnd(named);
  const found = isNamed ? named : nameless.length === 1 ? nameless[0]! : -1;
  if (found < 0) return -1;
  const column = columns[found]!.name;
  if (!isNamed)
    notes.push(
      `${name}: the numbers of "${column}" are proposed as the weights of the edges. Choose "not used" if they are something else.`,
    );
  if (valuesOf(rows, found).some((value) => Number(value) <= 0))
    notes.push(
      `${name}: the weights in "${column}" are not all above zero. A weight says how strong an edge is; models that use weights need them above zero.`,
    );
  return found;
}

/** Seconds or milliseconds of a calendar, or the number of the row. */
function isTimeOrCount(rows: readonly (readonly string[])[], column: number): boolean {
  const values = valuesOf(rows, column);
  return countsRows(values) || values.every((value) => Number(value) > 1e8);
}
