import {
  type Data,
  type DataType,
  Field,
  FixedSizeList,
  Float32,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { splitCodes } from "../io/ingest/split-words.ts";
import type { IdBatch } from "./node-ids.ts";
import type { PairColumn } from "./pair-tables.ts";
import type { EmbeddingBatch, PredictionBatch } from "./result-batches.ts";
import type { EmbeddingColumns } from "./text-rows.ts";

interface Column {
  readonly field: Field;
  readonly data: Data;
}

/** A column of ids and one of vectors: lists of float32, all of one length */
export function embeddingArrow({ ids, dim, values }: EmbeddingBatch, names: EmbeddingColumns): RecordBatch {
  const item = new Field("item", new Float32(), false);
  const type = new FixedSizeList(dim, item);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  const data = makeData({ type, length: ids.length, nullCount: 0, child });
  return batchOf([idColumn(ids, names.id), { field: new Field(names.vector, type, false), data }], ids.length);
}

/** `id`, `split` and the task's columns */
export function predictionArrow({ ids, split, columns }: PredictionBatch): RecordBatch {
  const splitNames = Object.keys(splitCodes);
  const splits = Array.from(split, (code) => splitNames[code]!);
  const ofTask = columns.map((column) =>
    column.type === "text" ? textColumn(column.name, column.values) : float32Column(column.name, column.values),
  );
  return batchOf([idColumn(ids), textColumn("split", splits), ...ofTask], ids.length);
}

/** Columns of ids, numbers and words, all of one length */
export function pairArrow(columns: readonly PairColumn[]): RecordBatch {
  return batchOf(columns.map(pairColumn), columns[0]?.values.length ?? 0);
}

function pairColumn(column: PairColumn): Column {
  if (column.type === "ids") return idColumn(column.values, column.name);
  if (column.type === "text") return textColumn(column.name, column.values);
  if (column.type === "float32") return float32Column(column.name, column.values);
  const data = makeData({ type: new Int32(), length: column.values.length, nullCount: 0, data: column.values });
  return { field: new Field(column.name, new Int32(), false), data };
}

function idColumn(ids: IdBatch, name = "id"): Column {
  if (ids.type === "int64") {
    const data = makeData({ type: new Int64(), length: ids.length, nullCount: 0, data: ids.values });
    return { field: new Field(name, new Int64(), false), data };
  }
  const { offsets: valueOffsets, bytes } = ids;
  const data = makeData({ type: new Utf8(), length: ids.length, nullCount: 0, valueOffsets, data: bytes });
  return { field: new Field(name, new Utf8(), false), data };
}

function textColumn(name: string, values: readonly (string | null)[]): Column {
  const [data] = vectorFromArray(values, new Utf8()).data;
  return { field: new Field(name, new Utf8(), true), data: data! };
}

/** NaN = not known: null. Every batch of a column must have one type, so all of them may hold nulls. */
function float32Column(name: string, values: Float32Array): Column {
  const nullCount = values.reduce((count, value) => count + Number(Number.isNaN(value)), 0);
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  for (const [i, value] of values.entries()) if (!Number.isNaN(value)) nullBitmap[i >> 3]! |= 1 << (i & 7);
  const nulls = nullCount > 0 ? { nullCount, nullBitmap } : { nullCount };
  const data = makeData({ type: new Float32(), length: values.length, data: values, ...nulls });
  return { field: new Field(name, new Float32(), true), data };
}

function batchOf(columns: readonly Column[], length: number): RecordBatch {
  const schema = new Schema(columns.map(({ field }) => field));
  const type = new Struct<Record<string, DataType>>(schema.fields);
  const children = columns.map(({ data }) => data);
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
}
