import {
  type Data,
  type DataType,
  Field,
  Float32,
  Int64,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import { splitCodes } from "../io/ingest/split-words.ts";
import type { IdBatch } from "./node-ids.ts";
import type { EmbeddingBatch, PredictionBatch } from "./result-batches.ts";

interface Column {
  readonly field: Field;
  readonly data: Data;
}

/** `id`, `embedding`: list of float32 */
export function embeddingArrow({ ids, dim, values }: EmbeddingBatch): RecordBatch {
  const item = new Field("item", new Float32(), false);
  const type = new List(item);
  const child = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  const valueOffsets = Int32Array.from({ length: ids.length + 1 }, (_, i) => i * dim);
  const data = makeData({ type, length: ids.length, nullCount: 0, valueOffsets, child });
  return batchOf([idColumn(ids), { field: new Field("embedding", type, false), data }], ids.length);
}

/** `id`, `split`, `label` (null = unlabelled), `predicted`, `p_<class>` … */
export function predictionArrow(batch: PredictionBatch): RecordBatch {
  const { ids, classes, probabilities } = batch;
  const splitNames = Object.keys(splitCodes);
  const columns = [
    idColumn(ids),
    textColumn(
      "split",
      Array.from(batch.split, (code) => splitNames[code]!),
    ),
    textColumn(
      "label",
      Array.from(batch.labels, (label) => (label < 0 ? null : classes[label]!)),
    ),
    textColumn(
      "predicted",
      Array.from(batch.predicted, (label) => classes[label]!),
    ),
    ...probabilities.map((data, c) => float32Column(`p_${classes[c]}`, data)),
  ];
  return batchOf(columns, ids.length);
}

function idColumn(ids: IdBatch): Column {
  if (ids.type === "int64") {
    const data = makeData({ type: new Int64(), length: ids.length, nullCount: 0, data: ids.values });
    return { field: new Field("id", new Int64(), false), data };
  }
  const { offsets: valueOffsets, bytes } = ids;
  const data = makeData({ type: new Utf8(), length: ids.length, nullCount: 0, valueOffsets, data: bytes });
  return { field: new Field("id", new Utf8(), false), data };
}

function textColumn(name: string, values: readonly (string | null)[]): Column {
  const [data] = vectorFromArray(values, new Utf8()).data;
  return { field: new Field(name, new Utf8(), true), data: data! };
}

function float32Column(name: string, values: Float32Array): Column {
  const data = makeData({ type: new Float32(), length: values.length, nullCount: 0, data: values });
  return { field: new Field(name, new Float32(), false), data };
}

function batchOf(columns: readonly Column[], length: number): RecordBatch {
  const schema = new Schema(columns.map(({ field }) => field));
  const type = new Struct<Record<string, DataType>>(schema.fields);
  const children = columns.map(({ data }) => data);
  return new RecordBatch(schema, makeData({ type, length, nullCount: 0, children }));
}
