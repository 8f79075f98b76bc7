import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import type { ArtifactDir } from "../io/manifest.ts";
import { type NamedTensor, readSafetensors, writeSafetensors } from "../io/safetensors.ts";
import { type CheckpointInfo, checkpointInfo } from "../spec/checkpoint-info.ts";
import type { KeptWeights } from "./best-weights.ts";
import type { RunDigests } from "./spec-digest.ts";

/** The whole state of a training run between two epochs; random draws need none, they are functions of the epoch. */
export interface Checkpoint {
  readonly info: CheckpointInfo;
  readonly model: readonly NamedTensor[];
  readonly optimizer: readonly NamedTensor[];
  /** Weights of the best evaluations, best first; as many as `info.kept` */
  readonly best: readonly KeptWeights[];
}

const files = { model: "model.safetensors", optimizer: "optimizer.safetensors" } as const;

/** File of the weights of the i-th best evaluation, from 0 */
export const bestFile = (i: number) => `best-${i}.safetensors`;

/** Where a checkpoint lies until it is complete */
export const partialOf = (dir: string) => `${dir}.partial`;

/**
 * Writes the checkpoint as a folder that appears under its name only when it is complete.
 *
 * @param writeMore adds files of its own to the folder that it is given
 */
export async function writeCheckpoint(
  dir: string,
  checkpoint: Checkpoint,
  writeMore?: (partialDir: string) => Promise<void>,
): Promise<void> {
  const partial = partialOf(dir);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeSafetensors(join(partial, files.model), checkpoint.model);
  await writeSafetensors(join(partial, files.optimizer), checkpoint.optimizer);
  for (const [i, { weights }] of checkpoint.best.entries()) await writeSafetensors(join(partial, bestFile(i)), weights);
  await writeMore?.(partial);
  await rm(dir, { recursive: true, force: true }); // left by an attempt that went on from an earlier epoch
  await rename(partial, dir);
}

/**
 * Reads a stored checkpoint of this very run, or of one that differs in its number of epochs alone.
 *
 * @throws GnnError CHECKPOINT_INVALID when it is damaged or was made with other options or data
 */
export async function readCheckpoint({ dir, manifest }: ArtifactDir, digests: RunDigests): Promise<Checkpoint> {
  const parsed = checkpointInfo.safeParse(manifest.info);
  if (!parsed.success) {
    throw invalid(`${dir}: the manifest's info is not that of a checkpoint of version 2 (${parsed.error.message})`);
  }
  const info = parsed.data;
  const { specDigest, continuationDigest } = digests;
  if (info.specDigest !== specDigest && info.continuationDigest !== continuationDigest) {
    throw invalid(`${dir} was made with other options or data (digest ${info.specDigest}, expected ${specDigest})`);
  }
  const read = async (file: string) => [...(await readSafetensors(join(dir, file))).tensors.values()];
  return {
    info,
    model: await read(files.model),
    optimizer: await read(files.optimizer),
    best: await Promise.all(info.kept.map(async (kept, i) => ({ ...kept, weights: await read(bestFile(i)) }))),
  };
}

function invalid(found: string): GnnError {
  return new GnnError("CHECKPOINT_INVALID", `${found}; start the job anew or resume it with its own spec.`);
}
