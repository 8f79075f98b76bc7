import type { RawGraph } from "./cora.ts";
import { asRows, type readSafetensors } from "./safetensors.ts";

/** A matrix as rows of doubles: slow, and nothing in common with the engine. */
type Matrix = readonly (readonly number[])[];

export interface SageWeights {
  readonly weightSelf: Matrix;
  readonly weightNeigh: Matrix;
  readonly bias: readonly number[];
}

/** Weights of one layer in a downloaded model. */
export function sageWeights(model: ReturnType<typeof readSafetensors>, layer: number): SageWeights {
  const tensorNamed = (name: string) => {
    const tensor = model.get(`layers.${layer}.${name}`);
    if (!tensor) throw new Error(`no weight ${name}`);
    return tensor;
  };
  return {
    weightSelf: asRows(tensorNamed("weightSelf")),
    weightNeigh: asRows(tensorNamed("weightNeigh")),
    bias: [...tensorNamed("bias").values],
  };
}

/** Bag-of-words rows divided by their sum, as the `rowNormalize` transform says. */
export function rowNormalized({ features, dim }: RawGraph): Matrix {
  return features.map((row) => {
    const sum = row.reduce((total, [, value]) => total + value, 0);
    const dense = Array.from({ length: dim }, () => 0);
    for (const [column, value] of row) dense[column] = sum === 0 ? 0 : value / sum;
    return dense;
  });
}

/** One GraphSAGE layer by its formula: h_v = W_self·x_v + W_neigh·mean{ x_u : u ∈ N(v) } + b, in double precision. */
export function denseSageLayer(x: Matrix, neighbors: RawGraph["neighbors"], weights: SageWeights): Matrix {
  const projected = x.map((row) => times(row, weights.weightNeigh));
  return x.map((row, v) => {
    const self = times(row, weights.weightSelf);
    const around = [...(neighbors[v] ?? [])];
    return self.map((value, column) => {
      const sum = around.reduce((total, u) => total + (projected[u]?.[column] ?? 0), 0);
      return value + (around.length === 0 ? 0 : sum / around.length) + (weights.bias[column] ?? 0);
    });
  });
}

export const relu = (x: Matrix): Matrix => x.map((row) => row.map((value) => Math.max(0, value)));

/**
 * Largest difference between exported embeddings and the rows expected of them, by original id; all ids must be there,
 * once.
 */
export function worstDifference(
  exported: readonly Record<string, unknown>[],
  expected: ReadonlyMap<string, readonly number[]>,
): number {
  const seen = new Set(exported.map(({ id }) => String(id)));
  if (seen.size !== exported.length || seen.size !== expected.size) return Number.NaN;
  let worst = 0;
  for (const { id, embedding } of exported as { id: unknown; embedding: number[] }[]) {
    const row = expected.get(String(id)) ?? [];
    if (row.length !== embedding.length) return Number.NaN;
    embedding.forEach((value, i) => {
      worst = Math.max(worst, Math.abs(value - (row[i] ?? Number.NaN)));
    });
  }
  return worst;
}

/** row · weights, skipping the zeros of a bag of words. */
function times(row: readonly number[], weights: Matrix): number[] {
  const out = Array.from({ length: weights[0]?.length ?? 0 }, () => 0);
  row.forEach((value, i) => {
    if (value === 0) return;
    weights[i]?.forEach((weight, column) => {
      out[column] = (out[column] ?? 0) + value * weight;
    });
  });
  return out;
}
