import { createWriteStream } from "node:fs";
import { constants, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ManifestDraft } from "../io/manifest.ts";
import { NpyReader, NpyWriter } from "../io/npy.ts";
import { exportColumns, remappedInfo } from "../spec/result-info.ts";
import { type ExportSources, fileName } from "./export-sources.ts";
import { floatTexts } from "./float-texts.ts";
import { loaderLines } from "./loader-lines.ts";
import { graphIds, type IdBatch, idTexts, openNodeIds } from "./node-ids.ts";
import type { NodesOfType } from "./nodes-of-type.ts";
import { batchRowsOf, type EmbeddingBatch, embeddingBatches } from "./result-batches.ts";
import { type EmbeddingColumns, embeddingText, type LoaderFormat } from "./text-rows.ts";
import { csvField, writeLines } from "./write-csv.ts";

export type EmbeddingFormat = "parquet" | "npy" | "csv" | "arrow" | LoaderFormat;
type Blobs = ManifestDraft["blobs"];

/** A file that names no columns has the same whatever they were to be called. */
const usualColumns = exportColumns.parse({});

const remappedWidth = remappedInfo.pick({ dim: true });

/**
 * Writes the embeddings in one format, keyed by original id.
 *
 * @param columns what the columns of ids and of vectors are called, in formats that name both
 * @returns the files written
 */
export async function exportEmbeddings(
  sources: ExportSources,
  format: EmbeddingFormat,
  columns: EmbeddingColumns,
): Promise<Blobs> {
  const name = fileName("embeddings", format, sources.only);
  const path = join(sources.outDir, name);
  if (format === "npy") return sources.only ? exportNpyOfType(sources, sources.only) : exportNpy(sources, path);
  const batches = embeddingBatches(sources, `write ${name}`);
  if (format === "csv") await writeLines(path, csvLines(batches));
  else if (format === "parquet" || format === "arrow") await writeColumnar(path, format, batches, columns);
  else {
    const named = format === "pgcopy" ? usualColumns : columns;
    await writeLines(path, loaderLines(sources, { name, format, key: [named.id] }, textOf(batches, named)));
  }
  return [{ name }];
}

async function* textOf(batches: AsyncIterable<EmbeddingBatch>, columns: EmbeddingColumns) {
  for await (const batch of batches) yield embeddingText(batch, columns);
}

async function writeColumnar(
  path: string,
  format: "parquet" | "arrow",
  batches: AsyncIterable<EmbeddingBatch>,
  columns: EmbeddingColumns,
) {
  const { embeddingArrow } = await import("./arrow-batches.ts");
  const { writeArrow } = await import("./write-arrow.ts");
  const { writeParquet } = await import("./write-parquet.ts");
  const [dim, arrow] = await peekDim(batches, (batch) => embeddingArrow(batch, columns));
  if (format === "arrow") await writeArrow(path, arrow);
  else await writeParquet(path, arrow, batchRowsOf(dim));
}

/** The width decides the size of the row groups, and only the first batch tells it. */
async function peekDim<T>(
  batches: AsyncIterable<EmbeddingBatch>,
  convert: (batch: EmbeddingBatch) => T,
): Promise<[number, AsyncIterable<T>]> {
  const iterator = batches[Symbol.asyncIterator]();
  const first = await iterator.next();
  async function* converted() {
    for (let next = first; !next.done; next = await iterator.next()) yield convert(next.value);
  }
  return [first.done ? 1 : first.value.dim, converted()];
}

async function* csvLines(batches: AsyncIterable<EmbeddingBatch>): AsyncIterable<string> {
  let isFirst = true;
  for await (const { ids, dim, values } of batches) {
    if (isFirst) yield `id,${Array.from({ length: dim }, (_, i) => `d${i}`).join(",")}\n`;
    isFirst = false;
    const numbers = floatTexts(values, dim, ",");
    yield idTexts(ids)
      .map((id, row) => `${[csvField(id), ...numbers.slice(row, row + 1)].join(",")}\n`)
      .join("");
  }
}

/** The matrix as it is, and the id of each row beside it: `ids.npy` int64 or `ids.txt`, one a line. */
async function exportNpy({ graph, remapped, outDir }: ExportSources, path: string): Promise<Blobs> {
  const from = join(remapped.dir, "embeddings.npy");
  await copyFile(from, path, constants.COPYFILE_FICLONE);
  const matrix = await NpyReader.open(from, "float32");
  await matrix.close();
  const { shape } = matrix;
  const ids = await openNodeIds(graph);
  try {
    const kept = await writeIds(outDir, ids.type, null, idBatches(ids, shape[0] ?? 0));
    return [{ name: "embeddings.npy", dtype: "float32", shape: [...shape] }, kept];
  } finally {
    await ids.close();
  }
}

/** `embeddings.author.npy`, and beside it `ids.author.npy` or `ids.author.txt`. */
async function exportNpyOfType(sources: ExportSources, only: NodesOfType): Promise<Blobs> {
  const { graph, remapped, outDir } = sources;
  const name = fileName("embeddings", "npy", only);
  const { dim } = remappedWidth.parse(remapped.manifest.info);
  const { idType } = graphIds.parse(graph.manifest.info);
  const matrix = await NpyWriter.open(join(outDir, name), "float32", [dim]);
  let numRows = 0;
  // The rows go to their file as the ids beside them are written.
  async function* ids() {
    for await (const batch of embeddingBatches(sources, `write ${name}`)) {
      await matrix.append(batch.values);
      numRows += batch.ids.length;
      yield batch.ids;
    }
  }
  const kept = await writeIds(outDir, idType, only, ids());
  await matrix.close();
  return [{ name, dtype: "float32", shape: [numRows, dim] }, kept];
}

/** `ids.npy` or `ids.txt`, one a line. */
async function writeIds(
  outDir: string,
  type: IdBatch["type"],
  only: NodesOfType | null,
  batches: AsyncIterable<IdBatch>,
): Promise<Blobs[number]> {
  const name = fileName("ids", type === "int64" ? "npy" : "txt", only);
  const path = join(outDir, name);
  if (type === "int64") return { name, dtype: "int64", shape: [await writeInt64Ids(path, batches)] };
  await pipeline(Readable.from(idLines(batches)), createWriteStream(path));
  return { name };
}

async function* idBatches(
  ids: { read(start: number, count: number): Promise<IdBatch> },
  numNodes: number,
): AsyncIterable<IdBatch> {
  for (let start = 0; start < numNodes; start += 65_536) yield await ids.read(start, 65_536);
}

/** @returns how many there were */
async function writeInt64Ids(path: string, batches: AsyncIterable<IdBatch>): Promise<number> {
  const writer = await NpyWriter.open(path, "int64", []);
  let numIds = 0;
  for await (const batch of batches) {
    if (batch.type !== "int64") continue;
    await writer.append(batch.values);
    numIds += batch.length;
  }
  await writer.close();
  return numIds;
}

/** Backslashes and line breaks inside an id are escaped, so that line n is always row n. */
async function* idLines(batches: AsyncIterable<IdBatch>): AsyncIterable<string> {
  const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };
  for await (const batch of batches) {
    yield idTexts(batch)
      .map((id) => `${id.replaceAll(/[\\\n\r]/g, (found) => escapes[found]!)}\n`)
      .join("");
  }
}
