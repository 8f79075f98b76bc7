import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GnnError } from "../../errors/gnn-error.ts";
import { checkColumns, checkRows } from "../limits/reading-limits.ts";
import { textLines } from "../n-triples/text-lines.ts";
import { NpyWriter } from "../npy.ts";
import { assertWhole, compressionOf } from "../text-file.ts";
import type { Bundle, BundleContext, WrittenBundle } from "./bundle.ts";

const ofNodes = /^(?:(.*)\/)?(edge|node-feat|node-label|num-node-list|num-edge-list)\.csv(?:\.gz)?$/;
const ofSplit = /^(?:(.*)\/)?(train|valid|test)\.csv(?:\.gz)?$/;
const batchBytes = 4 << 20;
const checkedLines = 16_384;
/** Numbers, and the words for none that numpy writes */
const plain = /^[\w.,+-]*\s*$/;

/**
 * The raw folders of the Open Graph Benchmark's node tasks among the names, as CSV without headers: `edge.csv.gz`,
 * `num-node-list.csv.gz`, `node-feat.csv.gz` or `node-label.csv.gz` or both, and the lists of nodes of a split.
 *
 * https://ogb.stanford.edu/docs/dataset_overview/
 */
export function findOgbRaw(names: readonly string[]): Bundle[] {
  const folders = new Map<string, Map<string, string>>();
  for (const name of names) {
    const [, folder = "", part] = ofNodes.exec(name) ?? [];
    if (part === undefined) continue;
    folders.set(folder, (folders.get(folder) ?? new Map<string, string>()).set(part, name));
  }
  const whole = [...folders].filter(
    ([, parts]) =>
      parts.has("edge") && parts.has("num-node-list") && (parts.has("node-feat") || parts.has("node-label")),
  );
  return whole.map(([folder, parts]) => {
    const sources = new Map([...parts, ...splitOf(folder, names)]);
    return { anchor: sources.get("edge") as string, sources, write: writeOgbRaw };
  });
}

/** Lists beside the files, or in a folder `split/<how>` beside theirs; several such folders: the first by name */
function splitOf(folder: string, names: readonly string[]): [string, string][] {
  const root = folder.replace(/(^|\/)raw$/, "");
  const found = new Map<string, [string, string][]>();
  for (const name of names.toSorted()) {
    const [, place = "", part] = ofSplit.exec(name) ?? [];
    const isBeside = place === folder || (place.startsWith(root) && /^\/?split\/[^/]+$/.test(place.slice(root.length)));
    if (part !== undefined && isBeside) found.set(place, [...(found.get(place) ?? []), [part, name]]);
  }
  return [...found.values()].find(({ length }) => length === 3) ?? [];
}

/** @throws GnnError DATASET_FORMAT_INVALID, DATASET_VALUE_INVALID with file and line, DATASET_LIMIT_EXCEEDED */
async function writeOgbRaw(context: BundleContext): Promise<WrittenBundle> {
  const { dir } = context;
  const numNodes = await countNodes(context);
  checkRows((await nameOf(context, "num-node-list")) ?? "", numNodes, context.limits);
  const hasFeatures = await writeFeatures(context, numNodes);
  await writeLines(join(dir, "nodes.csv"), nodeLines(context, numNodes, await splits(context, numNodes)));
  await writeLines(join(dir, "edges.csv"), edgeLines(context));
  return { tables: ["edges.csv", "nodes.csv", ...(hasFeatures ? ["features.npy"] : [])], notes: [] };
}

async function countNodes(context: BundleContext): Promise<number> {
  let numNodes = 0;
  for await (const { line, fields, file } of rowsOf(context, "num-node-list")) {
    numNodes = indexOf(fields[0], file, line);
    if (line === 1) continue;
    throw invalid(file, "it counts the nodes of several graphs; of this layout, files of one graph are read");
  }
  return numNodes;
}

/** Whether there are any */
async function writeFeatures(context: BundleContext, numNodes: number): Promise<boolean> {
  const file = await nameOf(context, "node-feat");
  if (file === null) return false;
  let writer: NpyWriter<"float32"> | null = null;
  let batch = new Float32Array(0);
  let [dim, filled, rows] = [0, 0, 0];
  try {
    for await (const { line, fields } of rowsOf(context, "node-feat")) {
      if (writer === null) {
        dim = fields.length;
        checkColumns(file, dim, context.limits);
        batch = new Float32Array(dim * Math.max(1, Math.floor(batchBytes / 4 / dim)));
        writer = await NpyWriter.open(join(context.dir, "features.npy"), "float32", [dim]);
      }
      if (fields.length !== dim) throw invalid(file, `found ${fields.length} numbers, expected ${dim}`, line);
      for (const field of fields) batch[filled++] = numberOf(field, file, line);
      rows++;
      if (filled === batch.length) {
        await writer.append(batch);
        filled = 0;
      }
    }
    if (rows !== numNodes) throw invalid(file, `it has ${rows} rows for ${numNodes} nodes`);
    await writer?.append(batch.subarray(0, filled));
    await writer?.close();
  } catch (error) {
    await writer?.abandon();
    throw error;
  }
  return true;
}

async function* nodeLines(context: BundleContext, numNodes: number, split: Uint8Array | null) {
  const file = await nameOf(context, "node-label");
  const labels = file === null ? null : rowsOf(context, "node-label");
  const words = ["", "train", "val", "test"];
  for (let node = 0; node < numNodes; node++) {
    const next = labels ? await labels.next() : null;
    if (next?.done) throw invalid(file ?? "", `it has ${node} rows for ${numNodes} nodes`);
    const fields = next ? next.value.fields : [];
    if (node === 0) {
      const names = fields.map((_, i) => (fields.length === 1 ? "label" : `label_${i}`));
      yield `${["id", ...names, ...(split ? ["split"] : [])].join(",")}\n`;
    }
    yield `${[node, ...fields, ...(split ? [words[split[node]!]] : [])].join(",")}\n`;
  }
  if (labels && !(await labels.next()).done) throw invalid(file ?? "", `it has more rows than the ${numNodes} nodes`);
}

async function* edgeLines(context: BundleContext) {
  yield "src,dst\n";
  for await (const { line, fields, file } of rowsOf(context, "edge")) {
    if (fields.length !== 2)
      throw invalid(file, `found ${fields.length} fields, expected the two ends of an edge`, line);
    yield `${indexOf(fields[0], file, line)},${indexOf(fields[1], file, line)}\n`;
  }
}

/** Codes of train, val and test by node; null: there are no such lists */
async function splits(context: BundleContext, numNodes: number): Promise<Uint8Array | null> {
  if ((await nameOf(context, "train")) === null) return null;
  const codes = new Uint8Array(numNodes);
  for (const [i, part] of ["train", "valid", "test"].entries()) {
    for await (const { line, fields, file } of rowsOf(context, part)) {
      const node = indexOf(fields[0], file, line);
      if (node >= numNodes) throw invalid(file, `it names the node ${node}; there are ${numNodes}`, line);
      if (codes[node] !== 0) throw invalid(file, `the node ${node} is in a list of the split already`, line);
      codes[node] = i + 1;
    }
  }
  return codes;
}

async function nameOf({ open }: BundleContext, part: string): Promise<string | null> {
  return (await open(part))?.name ?? null;
}

async function* rowsOf({ open, limits, check }: BundleContext, part: string) {
  const { path, name: file } = (await open(part))!;
  const compression = await compressionOf(path);
  if (compression === "zstd") throw invalid(file, "it is packed with zstd; OGB packs with gzip");
  await assertWhole(path, compression, file, limits);
  for await (const { line, text } of textLines(path, compression, file)) {
    if (line % checkedLines === 0) check(file);
    if (!plain.test(text)) throw invalid(file, `found "${text.slice(0, 40)}", expected numbers between commas`, line);
    if (text.trim() !== "") yield { line, file, fields: text.trim().split(",") };
  }
}

function indexOf(text: string | undefined, file: string, line: number): number {
  if (text !== undefined && /^\d{1,12}(\.0+)?$/.test(text)) return Number(text);
  throw invalid(file, `"${(text ?? "").slice(0, 40)}" is no number of a node; the files have no header`, line);
}

function numberOf(text: string, file: string, line: number): number {
  const value = /^[\d.eE+-]+$/.test(text) ? Math.fround(Number(text)) : Number.NaN;
  if (Number.isFinite(value)) return value;
  const message = `${file}, line ${line}: "${text.slice(0, 40)}" is not a finite number that fits float32.`;
  throw new GnnError("DATASET_VALUE_INVALID", message, { place: { file, line } });
}

async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path, { flags: "wx", mode: 0o600 }));
}

function invalid(file: string, found: string, line?: number): GnnError {
  const at = line === undefined ? "" : `, line ${line}`;
  const message = `${file}${at}: ${found}. Expected a raw folder of the Open Graph Benchmark's node tasks.`;
  return new GnnError("DATASET_FORMAT_INVALID", message, { place: { file, ...(line !== undefined && { line }) } });
}
