import { GnnError } from "../errors/gnn-error.ts";
import { splitCodes } from "../io/ingest/split-words.ts";
import { floatTexts } from "./float-texts.ts";
import { type IdBatch, idTexts } from "./node-ids.ts";
import type { PairColumn } from "./pair-tables.ts";
import type { EmbeddingBatch, PredictionBatch } from "./result-batches.ts";
import { csvField } from "./write-csv.ts";

/** Formats for the loaders of other systems, a row a line */
export type LoaderFormat = "jsonl" | "neo4j" | "pgcopy";

/** What a column holds, some rows of it. NaN among numbers means not known, but is refused in vectors. */
export type TextColumn =
  | { readonly name: string; readonly type: "id"; readonly ids: IdBatch }
  | { readonly name: string; readonly type: "text"; readonly values: readonly (string | null)[] }
  | {
      readonly name: string;
      readonly type: "number";
      readonly isWhole: boolean;
      readonly values: Int32Array | Float32Array;
    }
  /** float32 [rows, dim] */
  | { readonly name: string; readonly type: "vector"; readonly dim: number; readonly values: Float32Array };

/** Columns of an embedding, as they are called. */
export interface EmbeddingColumns {
  readonly id: string;
  readonly vector: string;
}

export function embeddingText({ ids, dim, values }: EmbeddingBatch, names: EmbeddingColumns): TextColumn[] {
  return [
    { name: names.id, type: "id", ids },
    { name: names.vector, type: "vector", dim, values },
  ];
}

export function predictionText({ ids, split, columns }: PredictionBatch): TextColumn[] {
  const splitNames = Object.keys(splitCodes);
  return [
    { name: "id", type: "id", ids },
    { name: "split", type: "text", values: Array.from(split, (code) => splitNames[code]!) },
    ...columns.map(
      (column): TextColumn =>
        column.type === "text" ? column : { name: column.name, type: "number", isWhole: false, values: column.values },
    ),
  ];
}

export function pairText(columns: readonly PairColumn[]): TextColumn[] {
  return columns.map((column): TextColumn => {
    const { name } = column;
    if (column.type === "ids") return { name, type: "id", ids: column.values };
    if (column.type === "text") return { name, type: "text", values: column.values };
    return { name, type: "number", isWhole: column.type === "int32", values: column.values };
  });
}

/**
 * Lines of a table, each ended by `\n`.
 *
 * - `jsonl`: an object on each line; whole ids are numbers, vectors arrays.
 * - `neo4j`: CSV with the header of `neo4j-admin database import`: one column of ids is `:ID`, two are `:START_ID` and
 *   `:END_ID`; vectors are `float[]` between semicolons.
 * - `pgcopy`: PostgreSQL's `COPY … FROM` in its text format, without a header; vectors as pgvector writes them.
 *
 * @param type the type of node that all rows are of, if they are of one; ids of Neo4j are unique in it
 * @throws GnnError EXPORT_NOT_FINITE with the id and the row of a vector that holds what is no finite number
 */
export async function* textLines(
  format: LoaderFormat,
  batches: AsyncIterable<readonly TextColumn[]>,
  type: string | null,
): AsyncIterable<string> {
  let isFirst = true;
  let rowsBefore = 0;
  for await (const columns of batches) {
    if (isFirst && format === "neo4j") yield `${neo4jHeader(columns, type).map(csvField).join(",")}\n`;
    isFirst = false;
    for (const column of columns) if (column.type === "vector") requireFinite(column, columns, rowsBefore);
    const cells = columns.map((column) => cellsOf(column, format));
    const numRows = cells[0]?.length ?? 0;
    rowsBefore += numRows;
    const before = wordsBefore(format, columns);
    const end = format === "jsonl" ? "}\n" : "\n";
    let lines = "";
    for (let row = 0; row < numRows; row++) {
      for (let i = 0; i < cells.length; i++) lines += before[i]! + cells[i]![row]!;
      lines += end;
    }
    yield lines;
  }
}

/** What stands before the value of each column. */
function wordsBefore(format: LoaderFormat, columns: readonly TextColumn[]): string[] {
  if (format === "jsonl") return columns.map(({ name }, i) => `${i === 0 ? "{" : ","}${JSON.stringify(name)}:`);
  return columns.map((_, i) => (i === 0 ? "" : format === "neo4j" ? "," : "\t"));
}

function neo4jHeader(columns: readonly TextColumn[], type: string | null): string[] {
  const numIds = columns.filter((column) => column.type === "id").length;
  const group = type === null ? "" : `(${type.replaceAll(/[()]/g, "_")})`;
  let ids = 0;
  return columns.map((column) => {
    const name = column.name.replaceAll(":", "_");
    if (column.type === "id") return `${name}:${numIds === 1 ? `ID${group}` : ids++ === 0 ? "START_ID" : "END_ID"}`;
    if (column.type === "vector") return `${name}:float[]`;
    if (column.type === "number") return `${name}:${column.isWhole ? "int" : "float"}`;
    return `${name}:string`;
  });
}

/** How a format writes its values */
interface Notation {
  readonly text: (text: string) => string;
  readonly missing: string;
  readonly vector: readonly [begin: string, between: string, end: string];
}

const notations: Readonly<Record<LoaderFormat, Notation>> = {
  jsonl: { text: (text) => JSON.stringify(text), missing: "null", vector: ["[", ",", "]"] },
  neo4j: { text: csvField, missing: "", vector: ["", ";", ""] },
  pgcopy: { text: copyText, missing: "\\N", vector: ["[", ",", "]"] },
};

function cellsOf(column: TextColumn, format: LoaderFormat): string[] {
  const { text, missing, vector } = notations[format];
  if (column.type === "id") return column.ids.type === "int64" ? idTexts(column.ids) : idTexts(column.ids).map(text);
  if (column.type === "text") return column.values.map((value) => (value === null ? missing : text(value)));
  if (column.type === "number") return finiteTexts(column.values, missing);
  const { dim, values } = column;
  const [begin, between, end] = vector;
  return floatTexts(values, dim, between).map((numbers) => `${begin}${numbers}${end}`);
}

function finiteTexts(values: Int32Array | Float32Array, missing: string): string[] {
  if (values instanceof Int32Array) return Array.from(values, String);
  return floatTexts(values, 1, ",").map((text, i) => (Number.isFinite(values[i]) ? text : missing));
}

/** Tabs, line breaks and backslashes would end the field or the row. */
function copyText(text: string): string {
  const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
  return text.replaceAll(/[\\\t\n\r]/g, (found) => escapes[found]!);
}

/** JSON has no such numbers, and neither pgvector nor other stores compare vectors that hold them. */
function requireFinite(
  { name, dim, values }: Extract<TextColumn, { type: "vector" }>,
  columns: readonly TextColumn[],
  rowsBefore: number,
): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return;
  const row = Math.floor(at / dim);
  const ids = columns.find((column) => column.type === "id")?.ids;
  const id = ids ? JSON.stringify(idTexts(ids)[row]) : "?";
  const message = `The vector "${name}" of ${id}, in row ${rowsBefore + row + 1}, is ${values[at]} in place ${(at % dim) + 1} of ${dim}; expected finite numbers, as JSON and stores of vectors know no others. Look in the data for what is very large or missing at that node, train with a smaller learning rate, or take Parquet, npy, Arrow or CSV, which hold it as it is.`;
  throw new GnnError("EXPORT_NOT_FINITE", message, { place: { line: rowsBefore + row + 1 } });
}
