import { existsSync } from "node:fs";
import { join } from "node:path";
import { GnnError } from "../errors/gnn-error.ts";
import { type NamedTensor, readSafetensors, writeSafetensors } from "../io/safetensors.ts";
import type { FittedTransform, TransformType } from "./feature-transforms.ts";

export const transformsFile = "transforms.safetensors";

/** What the file of a model with these transforms holds; nothing: there is none. */
export function shapesOfTransforms(
  types: readonly TransformType[],
  dim: number,
): { readonly name: string; readonly shape: readonly number[] }[] {
  return types.flatMap((type, i) =>
    type === "standardize" ? ["mean", "scale"].map((part) => ({ name: `${i}.${part}`, shape: [dim] })) : [],
  );
}

/**
 * Writes what the transforms learnt as tensors `<position>.mean` and `<position>.scale`.
 *
 * @returns the file's name, or null when nothing was learnt and nothing written
 */
export async function writeTransforms(dir: string, transforms: readonly FittedTransform[]): Promise<string | null> {
  const tensors = transforms.flatMap((transform, i): NamedTensor[] => {
    if (transform.type !== "standardize") return [];
    const { mean, scale } = transform;
    return [
      { name: `${i}.mean`, shape: [mean.length], values: mean },
      { name: `${i}.scale`, shape: [scale.length], values: scale },
    ];
  });
  if (tensors.length === 0) return null;
  await writeSafetensors(join(dir, transformsFile), tensors);
  return transformsFile;
}

/**
 * Reads transforms back by their types, as the model's info lists them.
 *
 * @throws GnnError CHECKPOINT_INVALID when the file lacks what a transform learnt
 */
export async function readTransforms(
  dir: string,
  types: readonly TransformType[],
): Promise<readonly FittedTransform[]> {
  const path = join(dir, transformsFile);
  const tensors = existsSync(path) ? (await readSafetensors(path)).tensors : new Map<string, NamedTensor>();
  const values = (name: string): Float32Array => {
    const found = tensors.get(name)?.values;
    if (found instanceof Float32Array) return found;
    throw new GnnError("CHECKPOINT_INVALID", `${path} lacks the tensor ${name}; train the model again.`);
  };
  return types.map((type, i) =>
    type === "rowNormalize" ? { type } : { type, mean: values(`${i}.mean`), scale: values(`${i}.scale`) },
  );
}
