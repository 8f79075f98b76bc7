import { checkColumns, checkRows, overLimit, type ReadingLimits } from "../limits/reading-limits.ts";
import type { GraphFacts, GraphPart, GraphRecord } from "./graph-record.ts";

/** The records of one part, column by column; a record without an attribute has no entry there. */
export interface RecordColumns {
  readonly columns: ReadonlyMap<string, readonly (string | null | undefined)[]>;
  readonly lines: readonly number[];
  readonly directed: boolean | null;
}

/** What a text costs beside its characters, roughly. */
const bytesOfText = 32;

/**
 * Keeps the records of one part. Edges of both kinds in one file make a directed graph, in which an edge without a
 * direction leads both ways.
 *
 * @throws GnnError DATASET_LIMIT_EXCEEDED, and what the parser throws
 */
export async function collectRecords(
  records: AsyncIterable<GraphRecord>,
  part: GraphPart,
  facts: GraphFacts,
  file: string,
  limits: ReadingLimits,
): Promise<RecordColumns> {
  const columns = new Map<string, (string | null)[]>();
  const lines: number[] = [];
  const directions: (boolean | null)[] = [];
  let bytes = 0;
  for await (const record of records) {
    if (record.part === "edges") directions.push(record.directed ?? null);
    if (record.part !== part) continue;
    bytes += addRecord(columns, lines, record);
    checkColumns(file, columns.size, limits);
    checkRows(file, lines.length, limits);
    if (bytes > limits.memoryBytes.most)
      throw overLimit(file, "its rows need more bytes of memory than they may have", limits.memoryBytes);
  }
  const known = directions.map((directed) => directed ?? facts.directed ?? false);
  const isMixed = known.includes(true) && known.includes(false);
  if (isMixed && part === "edges") addReversed(columns, lines, known);
  if (part === "edges") fillDefaults(columns, lines.length, facts);
  const saysSo = facts.directed !== null || directions.some((directed) => directed !== null);
  return { columns, lines, directed: saysSo ? known.includes(true) : null };
}

function addRecord(columns: Map<string, (string | null)[]>, lines: number[], { line, values }: GraphRecord): number {
  const row = lines.length;
  let bytes = 8;
  for (const [name, value] of values) {
    const column = columns.get(name) ?? [];
    if (column.length === 0) columns.set(name, column);
    column[row] = value;
    bytes += bytesOfText + 2 * (value?.length ?? 0);
  }
  lines.push(line);
  return bytes;
}

function addReversed(columns: Map<string, (string | null)[]>, lines: number[], directed: readonly boolean[]): void {
  for (const [row, isDirected] of directed.entries()) {
    if (isDirected) continue;
    const back = lines.length;
    for (const [name, column] of columns) {
      const from = name === "source" ? "target" : name === "target" ? "source" : name;
      column[back] = columns.get(from)![row] ?? null;
    }
    lines.push(lines[row]!);
  }
}

function fillDefaults(columns: Map<string, (string | null)[]>, numRows: number, { edgeDefaults }: GraphFacts): void {
  for (const [name, value] of edgeDefaults) {
    const column = columns.get(name);
    if (column) for (let row = 0; row < numRows; row++) column[row] ??= value;
  }
}
