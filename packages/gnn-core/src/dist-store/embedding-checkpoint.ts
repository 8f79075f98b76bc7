import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { collectRows } from "../dist/share-rows.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type NamedTensor, readSafetensors, writeSafetensors } from "../io/safetensors.ts";
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
 * folder in common: there rank 0 writes all rows as `0-of-1`, for which it holds them whole. Every rank
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
    const { name, numRows, dim, count, local } = embedding;
    const own = [{ name: "rows", shape: [count, dim], values: local }, ...optimizer.state(embedding), ...more];
    const saved = await savedBy(embedding, own);
    if (!saved) continue;
    await writeSafetensors(join(dir, `${stemOf(name)}.${saved.suffix}.safetensors`), saved.tensors, {
      version: "1",
      name,
      optimizer: optimizer.name,
      numRows: String(numRows),
      dim: String(dim),
      first: String(saved.first),
      count: String(saved.count),
    });
  }
}

interface SavedRows {
  readonly suffix: string;
  readonly first: number;
  readonly count: number;
  readonly tensors: readonly NamedTensor[];
}

/** What this rank writes: its own rows, or all of them for ranks of other hosts; null: nothing. */
async function savedBy(
  { first, count, numRows, store }: DistEmbedding,
  own: readonly NamedTensor[],
): Promise<SavedRows | null> {
  const { rank, worldSize, numHosts = 1 } = store.rank;
  if (numHosts === 1) return { suffix: `${rank}-of-${worldSize}`, first, count, tensors: own };
  const tensors: NamedTensor[] = [];
  for (const { name, shape, values } of own) {
    const width = shape[1] as number;
    const bits = new Float32Array(values.buffer, values.byteOffset, values.length);
    const whole = await collectRows(store.rank, { values: bits, first: first * width, length: numRows * width });
    if (!whole) continue;
    tensors.push({
      name,
      shape: [numRows, width],
      values: values instanceof Int32Array ? new Int32Array(whole.buffer) : whole,
    });
  }
  return rank === 0 ? { suffix: "0-of-1", first: 0, count: numRows, tensors } : null;
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
    const { tensors, metadata } = await readSafetensors(path);
    const info = checkedInfo(path, metadata, embedding, optimizer);
    const [begin, end] = [Math.max(first, info.first), Math.min(first + count, info.first + info.count)];
    if (begin >= end) continue;
    numRestored += end - begin;
    for (const target of targets) {
      const width = target.shape[1] as number;
      const saved = tensors.get(target.name);
      if (saved?.values.length !== info.count * width) {
        throw invalid(
          path,
          `${target.name} of "${name}" has ${saved?.values.length ?? "no"} values; expected ${info.count} rows of ${width}`,
        );
      }
      target.values.set(
        saved.values.subarray((begin - info.first) * width, (end - info.first) * width),
        (begin - first) * width,
      );
    }
  }
  if (numRestored === count) return;
  const place = paths[0] ?? "the checkpoint";
  throw invalid(
    place,
    `${numRestored} of the ${count} rows of "${name}" from ${first} on are in ${paths.length} files; expected each once`,
  );
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
