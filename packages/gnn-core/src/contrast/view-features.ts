import type { DenseRows, FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { keyedHash } from "../random/keyed-order.ts";
import { keyedPermutation } from "../random/keyed-permutation.ts";
import type { View, ViewKey } from "./view.ts";

/**
 * The features of a graph as a view has them: rows of other nodes, columns that are 0. Nothing is stored; which rows
 * and columns is a function of (seed, epoch, step, number of the view, GlobalId or column), so that every rank sees
 * the same graph.
 *
 *   x'[v] = m ∘ x[π(v)],  π a permutation of all nodes or none,  m_c = 0 for a share of the columns
 *
 * @param index number of the view among those that are compared
 */
export function viewFeatures(features: FeatureStore, view: View, index: number, key: ViewKey): FeatureStore {
  if (!view.shuffledRows && view.maskedColumns === 0) return features;
  const { numRows, dim, kind } = features;
  const { seed, epoch, step } = key;
  const moved = view.shuffledRows ? keyedPermutation(numRows, seed, epoch, step, index, 1) : null;
  const idsOf = (ids: Int32Array) => (moved ? ids.map(moved) : ids);
  const kept = keptColumns(dim, view.maskedColumns, [seed, epoch, step, index, 2]);
  return {
    numRows,
    dim,
    kind,
    gather: (ids) => masked(features.gather(idsOf(ids)), kept),
    gatherAsync: async (ids) => masked(await features.gatherAsync(idsOf(ids)), kept),
  };
}

/** 1 for each column that is kept; null: all are. */
function keptColumns(dim: number, share: number, key: readonly number[]): Uint8Array | null {
  if (share === 0) return null;
  return Uint8Array.from({ length: dim }, (_, column) => Number(keyedHash(...key, column) >= share * 2 ** 32));
}

/** A copy: rows may still lie where they are stored. */
function masked(rows: FeatureRows, kept: Uint8Array | null): FeatureRows {
  if (!kept) return rows;
  return rows.kind === "dense" ? maskedDense(rows, kept) : maskedSparse(rows, kept);
}

function maskedDense(rows: DenseRows, kept: Uint8Array): FeatureRows {
  const { dim } = rows;
  const values = rows.values.slice();
  for (let row = 0; row < values.length; row += dim) {
    for (let c = 0; c < dim; c++) if (kept[c] === 0) values[row + c] = 0;
  }
  return { ...rows, values };
}

function maskedSparse(rows: Extract<FeatureRows, { kind: "csr" }>, kept: Uint8Array): FeatureRows {
  return { ...rows, values: rows.values.map((value, i) => (kept[rows.indices[i] as number] === 0 ? 0 : value)) };
}
