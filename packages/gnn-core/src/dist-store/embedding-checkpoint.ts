import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { joinedRanges } from "../dist/share-rows.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type NamedTensor, placeOf, writeSafetensors } from "../io/safetensors.ts";
import { SafetensorsReader, SafetensorsWriter } from "../io/safetensors-file.ts";
import type { DistEmbedding } from "./dist-embedding.ts";
import type { SparseOptimizer } from "./sparse-optimizer.ts";

const whole = z.coerce.number().int().nonnegative();
const fileInfo = z.object({
  version: z.literal("1"),
  name: z.string(),
  optimizer: z.string(),
  numRows: whole,
  dim: whole,
  first: whole,
  count: whole,
});

/**
 * Writes this rank's rows of every embedding of the optimizer, with the optimizer's state, between two steps:
 * `embedding-<name>.<rank>-of-<ranks>.safetensors` beside the model of a checkpoint. Ranks on several hosts have no
 * folder in common: there rank 0 writes all rows as `0-of-1`, piece by piece as they come. Every rank
 * calls it; the checkpoint is whole when all have. Equal rows give equal bytes.
 *
 * @param more further values [rows of this rank, width] of an optimizer's only embedding, such as earlier rows
 */
export async function saveEmbeddings(
  dir: string,
  optimizer: SparseOptimizer,
  more: readonly NamedTensor[] = [],
): Promise<void> {
  for (const embedding of optimizer.embeddings) {
    const { name, numRows, dim, first, count, local, store } = embedding;
    const { rank, worldSize, numHosts = 1 } = store.rank;
    const own = [{ name: "rows", shape: [count, dim], values: local }, ...optimizer.state(embedding), ...more];
    const pathOf = (suffix: string) => join(dir, `${stemOf(name)}.${suffix}.safetensors`);
    const facts = { version: "1", name, optimizer: optimizer.name, numRows: String(numRows), dim: String(dim) };
    if (numHosts > 1) {
      await writeTogether(embedding, own, pathOf("0-of-1"), { ...facts, first: "0", count: String(numRows) });
    } else {
      const range = { first: String(first), count: String(count) };
      await writeSafetensors(pathOf(`${rank}-of-${worldSize}`), own, { ...facts, ...range });
    }
  }
}

/** The rows of all ranks, in a file that rank 0 alone can reach. */
async function writeTogether(
  { first, numRows, store }: DistEmbedding,
  own: readonly NamedTensor[],
  path: string,
  metadata: Readonly<Record<string, string>>,
): Promise<void> {
  const places = own.map((tensor) => ({ ...placeOf(tensor), shape: [numRows, tensor.shape[1] as number] }));
  const writer = store.rank.rank === 0 ? await SafetensorsWriter.open(path, places, metadata) : null;
  try {
    for (const { shape, values } of own) {
      const width = shape[1] as number;
      const bits = new Float32Array(values.buffer, values.byteOffset, values.length);
      const held = { values: bits, first: first * width, length: numRows * width };
      for await (const { chunk } of joinedRanges(store.rank, held)) await writer?.append(chunk);
    }
  } finally {
    await writer?.close();
  }
}

/**
 * Continues from `saveEmbeddings` with any number of ranks, before the first step: each takes its own rows out of the
 * files. Every rank calls it.
 *
 * @param more receives what `saveEmbeddings` was given
 * @throws GnnError CHECKPOINT_INVALID when rows are missing, or belong to another embedding or optimizer
 */
export async function restoreEmbeddings(
  dir: string,
  optimizer: SparseOptimizer,
  more: readonly NamedTensor[] = [],
): Promise<void> {
  const files = await readdir(dir);
  for (const embedding of optimizer.embeddings)
    await restoreRows(filesOf(dir, embedding.name, files), embedding, optimizer, more);
  // Nobody reads before every rank has its rows.
  await optimizer.embeddings[0]?.store.publish();
}

/** "/" divides the parts of a name and "+" is in none. */
function stemOf(name: string): string {
  return `embedding-${name.replaceAll("/", "+")}`;
}

/** Those of one save, each rank's once. */
function filesOf(dir: string, name: string, files: readonly string[]): string[] {
  const stem = `${stemOf(name)}.`;
  const suffix = /^\d+-of-(\d+)\.safetensors$/;
  const parts = files.filter((file) => file.startsWith(stem) && suffix.test(file.slice(stem.length)));
  const numRanks = new Set(parts.map((file) => suffix.exec(file.slice(stem.length))?.[1]));
  if (numRanks.size === 1 && numRanks.has(String(parts.length))) return parts.map((file) => join(dir, file));
  throw invalid(dir, `the rows of "${name}" lie in [${parts.join(", ")}]; expected one file of each rank of one save`);
}

async function restoreRows(
  paths: readonly string[],
  embedding: DistEmbedding,
  optimizer: SparseOptimizer,
  more: readonly NamedTensor[],
): Promise<void> {
  const { name, first, count, dim } = embedding;
  const targets: readonly NamedTensor[] = [
    { name: "rows", shape: [count, dim], values: embedding.local },
    ...optimizer.state(embedding),
    ...more,
  ];
  let numRestored = 0;
  for (const path of paths) {
    const reader = await SafetensorsReader.open(path);
    try {
      const info = checkedInfo(path, reader.metadata, embedding, optimizer);
      const begin = Math.max(first, info.first);
      const end = Math.min(first + count, info.first + info.count);
      if (begin >= end) continue;
      numRestored += end - begin;
      for (const target of targets) await readRows(path, reader, info, target, { first, begin, end });
    } finally {
      await reader.close();
    }
  }
  if (numRestored === count) return;
  const place = paths[0] ?? "the checkpoint";
  throw invalid(
    place,
    `${numRestored} of the ${count} rows of "${name}" from ${first} on are in ${paths.length} files; expected each once`,
  );
}

/** The rows [begin, end) of a file into an array that begins with row `first`. */
async function readRows(
  path: string,
  reader: SafetensorsReader,
  saved: z.infer<typeof fileInfo>,
  { name, shape, values }: NamedTensor,
  { first, begin, end }: { readonly first: number; readonly begin: number; readonly end: number },
): Promise<void> {
  const width = shape[1] as number;
  const [rows, columns] = reader.tensors.get(name)?.shape ?? [];
  if (rows !== saved.count || columns !== width) {
    const found = `${name} of "${saved.name}" is ${rows === undefined ? "missing" : `[${rows}, ${columns}]`}`;
    throw invalid(path, `${found}; expected ${saved.count} rows of ${width}`);
  }
  const into = values.subarray((begin - first) * width, (end - first) * width);
  await reader.read(name, (begin - saved.first) * width, into);
}

function checkedInfo(
  path: string,
  metadata: Readonly<Record<string, string>>,
  embedding: DistEmbedding,
  optimizer: SparseOptimizer,
): z.infer<typeof fileInfo> {
  const parsed = fileInfo.safeParse(metadata);
  if (!parsed.success) throw invalid(path, "its facts are damaged or of another version");
  const { data } = parsed;
  const fits =
    data.name === embedding.name &&
    data.numRows === embedding.numRows &&
    data.dim === embedding.dim &&
    data.optimizer === optimizer.name;
  if (fits) return data;
  throw invalid(
    path,
    `it holds "${data.name}" [${data.numRows}, ${data.dim}] of ${data.optimizer}; expected "${embedding.name}" [${embedding.numRows}, ${embedding.dim}] of ${optimizer.name}`,
  );
}

function invalid(path: string, found: string): GnnError {
  return new GnnError("CHECKPOINT_INVALID", `${path}: ${found}.`, { place: { file: path } });
}
