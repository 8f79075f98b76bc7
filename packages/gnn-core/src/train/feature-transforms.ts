import { activeCuda } from "../backends/active-cuda.ts";
import { loadAddon } from "../backends/native/addon.ts";
import type { TransformArguments } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import type { FeatureRows, FeatureStore } from "../features/feature-store.ts";
import { type RowTransform, StoredRows } from "../features/stored-rows.ts";
import type { FeatureOptions } from "../spec/train-options.ts";

export type TransformType = FeatureOptions["transforms"][number];

/** A transform with everything it learnt from the graph; equal numbers give equal rows in training and inference. */
export type FittedTransform = RowTransform;

const chunkRows = 4096;

/**
 * Learns the transforms in their order, each from rows that the earlier ones have changed.
 * `standardize` takes mean and population deviation of each column over `nodes`: all of them in the transductive
 * setting, those of training in the inductive one.
 */
export function fitTransforms(
  types: readonly TransformType[],
  store: FeatureStore,
  nodes: Int32Array = Int32Array.from({ length: types.length > 0 ? store.numRows : 0 }, (_, i) => i),
): readonly FittedTransform[] {
  const fitted: FittedTransform[] = [];
  for (const type of types) {
    fitted.push(type === "rowNormalize" ? { type } : fitStandardize(transformed(store, fitted), nodes));
  }
  return fitted;
}

/** The store with its rows changed as they are gathered; the store itself stays as it is. */
export function transformed(store: FeatureStore, transforms: readonly FittedTransform[]): FeatureStore {
  if (transforms.length === 0) return store;
  return {
    ...(store.mapped && { mapped: store.mapped }),
    ...(store.stored && { stored: store.stored }),
    numRows: store.numRows,
    dim: store.dim,
    kind: store.kind,
    gather: (globalIds) => {
      const rows = store.gather(globalIds);
      for (const transform of transforms) applyTransform(transform, rows);
      return rows;
    },
    gatherAsync: async (globalIds) => {
      const rows = await store.gatherAsync(globalIds);
      // A device changes the rows where it gathers them.
      if (rows instanceof StoredRows && activeCuda()) return rows.transformed(transforms);
      for (const transform of transforms) {
        await native(() => loadAddon().transformRowsAsync(...transformArguments(transform, rows)));
      }
      return rows;
    },
  };
}

/**
 * Changes gathered rows in place.
 *   rowNormalize: x_v / Σ|x_v| (a row of zeros stays one)
 *   standardize: (x − mean) / scale on dense rows; x / scale on CSR rows, where centring would fill every zero
 */
export function applyTransform(transform: FittedTransform, rows: FeatureRows): void {
  nativeSync(() => loadAddon().transformRows(...transformArguments(transform, rows)));
}

function transformArguments(transform: FittedTransform, rows: FeatureRows): TransformArguments {
  const { indptr, indices } = rows.kind === "csr" ? rows : { indptr: null, indices: null };
  const { mean, scale } = transform.type === "standardize" ? transform : { mean: null, scale: null };
  return [rows.numRows, rows.dim, indptr, indices, rows.values, mean, scale];
}

/** Two passes in float64: the second one sums squares of differences, which loses nothing to cancellation. */
function fitStandardize(store: FeatureStore, nodes: Int32Array): FittedTransform {
  const { dim } = store;
  const numRows = nodes.length;
  const sums = new Float64Array(dim);
  forEachValue(store, nodes, (column, value) => {
    sums[column] = (sums[column] as number) + value;
  });
  const mean = sums.map((sum) => sum / numRows);
  const squares = new Float64Array(dim);
  const counts = new Float64Array(dim);
  forEachValue(store, nodes, (column, value) => {
    squares[column] = (squares[column] as number) + (value - (mean[column] as number)) ** 2;
    counts[column] = (counts[column] as number) + 1;
  });
  const scale = Float32Array.from(squares, (sum, column) => {
    const numZeros = numRows - (counts[column] as number); // the entries that a CSR row does not store
    const deviation = Math.sqrt((sum + numZeros * (mean[column] as number) ** 2) / numRows);
    return deviation === 0 ? 1 : deviation;
  });
  return { type: "standardize", mean: Float32Array.from(mean), scale };
}

function forEachValue(store: FeatureStore, nodes: Int32Array, visit: (column: number, value: number) => void): void {
  for (let first = 0; first < nodes.length; first += chunkRows) {
    const rows = store.gather(nodes.subarray(first, first + chunkRows));
    for (let i = 0; i < rows.values.length; i++) {
      visit(rows.kind === "csr" ? (rows.indices[i] as number) : i % rows.dim, rows.values[i] as number);
    }
  }
}
