import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkColumns } from "../limits/reading-limits.ts";
import { NpyWriter } from "../npy.ts";
import { assertWhole, compressionOf } from "../text-file.ts";
import { textLines } from "../text-lines.ts";
import type { BundleContext } from "./bundle.ts";

const batchBytes = 4 << 20;
const checkedLines = 16_384;
/** Numbers, and the words for none that numpy writes */
const plain = /^[\w.,+-]*\s*$/;

/** A row of a file without a header */
export interface OgbRow {
  readonly line: number;
  readonly fields: readonly string[];
  readonly file: string;
}

export async function nameOf({ open }: BundleContext, part: string): Promise<string | null> {
  return (await open(part))?.name ?? null;
}

/**
 * The rows of a file that the bundle has.
 *
 * @param most rows; null: all, and the file is looked through for damage before the first
 */
export async function* rowsOf(
  { open, limits, check, sampleRows }: BundleContext,
  part: string,
  most: number | null = sampleRows,
): AsyncGenerator<OgbRow> {
  const { path, name: file } = (await open(part))!;
  const compression = await compressionOf(path);
  if (compression === "zstd") throw invalid(file, "it is packed with zstd; OGB packs with gzip");
  if (most === null) await assertWhole(path, compression, file, limits);
  let rows = 0;
  for await (const { line, text } of unlessDamaged(textLines(path, compression, file), file)) {
    if (line % checkedLines === 0) check(file);
    if (!plain.test(text)) throw invalid(file, `found "${text.slice(0, 40)}", expected numbers between commas`, line);
    if (text.trim() !== "") yield { line, file, fields: text.trim().split(",") };
    if (++rows === most) return;
  }
}

/** What has not been looked through for damage may turn out to be no gzip half-way. */
async function* unlessDamaged<T>(lines: AsyncIterable<T>, file: string): AsyncIterable<T> {
  try {
    yield* lines;
  } catch (error) {
    const isOfGzip = error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
    throw isOfGzip ? invalid(file, "its gzip data are cut off or damaged") : error;
  }
}

/**
 * Writes a matrix with a row for each node.
 *
 * @param to the new file's path
 * @throws GnnError DATASET_FORMAT_INVALID, DATASET_VALUE_INVALID with file and line, DATASET_LIMIT_EXCEEDED
 */
export async function writeFeatures(context: BundleContext, part: string, numNodes: number, to: string): Promise<void> {
  const file = (await nameOf(context, part)) ?? "";
  let writer: NpyWriter<"float32"> | null = null;
  let batch = new Float32Array(0);
  let [dim, filled, rows] = [0, 0, 0];
  try {
    for await (const { line, fields } of rowsOf(context, part)) {
      if (writer === null) {
        dim = fields.length;
        checkColumns(file, dim, context.limits);
        batch = new Float32Array(dim * Math.max(1, Math.floor(batchBytes / 4 / dim)));
        writer = await NpyWriter.open(to, "float32", [dim]);
      }
      if (fields.length !== dim) throw invalid(file, `found ${fields.length} numbers, expected ${dim}`, line);
      for (const field of fields) batch[filled++] = numberOf(field, file, line);
      rows++;
      if (filled === batch.length) {
        await writer.append(batch);
        filled = 0;
      }
    }
    if (rows !== sampled(context, numNodes)) throw invalid(file, `it has ${rows} rows for ${numNodes} nodes`);
    await writer?.append(batch.subarray(0, filled));
    await writer?.close();
  } catch (error) {
    await writer?.abandon();
    throw error;
  }
}

/** How many of so many rows are read */
export function sampled({ sampleRows }: BundleContext, rows: number): number {
  return Math.min(rows, sampleRows ?? rows);
}

/** Lines of a table with a row for each node: its number, the fields of a file of labels and the part of the split. */
export async function* nodeLines(
  context: BundleContext,
  numNodes: number,
  labelPart: string,
  split: Uint8Array | null,
  idName = "id",
) {
  const file = await nameOf(context, labelPart);
  const labels = file === null ? null : rowsOf(context, labelPart);
  const words = ["", "train", "val", "test"];
  for (let node = 0; node < sampled(context, numNodes); node++) {
    const next = labels ? await labels.next() : null;
    if (next?.done)
      throw invalid(file ?? "", `it has ${node} rows for ${numNodes} ${idName === "id" ? "nodes" : "graphs"}`);
    const fields = next ? next.value.fields : [];
    if (node === 0) {
      const names = fields.map((_, i) => (fields.length === 1 ? "label" : `label_${i}`));
      yield `${[idName, ...names, ...(split ? ["split"] : [])].join(",")}\n`;
    }
    yield `${[node, ...fields, ...(split ? [words[split[node]!]] : [])].join(",")}\n`;
  }
  if (labels && context.sampleRows === null && !(await labels.next()).done)
    throw invalid(file ?? "", `it has more rows than the ${numNodes} before it`);
}

/** Codes of train, val and test by node or graph; null: there are no such lists */
export async function splitCodes(context: BundleContext, count: number, prefix = ""): Promise<Uint8Array | null> {
  if ((await nameOf(context, `${prefix}train`)) === null) return null;
  const codes = new Uint8Array(count);
  for (const [i, part] of ["train", "valid", "test"].entries()) {
    for await (const { line, fields, file } of rowsOf(context, prefix + part, null)) {
      const node = indexOf(fields[0], file, line);
      if (node >= count) throw invalid(file, `it names the number ${node}; there are ${count}`, line);
      if (codes[node] !== 0) throw invalid(file, `the number ${node} is in a list of the split already`, line);
      codes[node] = i + 1;
    }
  }
  return codes;
}

export function indexOf(text: string | undefined, file: string, line: number): number {
  if (text !== undefined && /^\d{1,12}(\.0+)?$/.test(text)) return Number(text);
  throw invalid(file, `"${(text ?? "").slice(0, 40)}" is no number of a node; the files have no header`, line);
}

function numberOf(text: string, file: string, line: number): number {
  const value = /^[\d.eE+-]+$/.test(text) ? Math.fround(Number(text)) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const message = `${file}, line ${line}: "${text.slice(0, 40)}" is not a finite number that fits float32.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line } });
}

export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

export function invalid(file: string, found: string, line?: number): GnnError {
  const at = line === undefined ? "" : `, line ${line}`;
  const message = `${file}${at}: ${found}. Expected a raw folder of the Open Graph Benchmark.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, ...(line !== undefined && { line }) } });
}
