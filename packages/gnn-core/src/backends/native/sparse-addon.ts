import type { ArrayTypes, HostArrays, HostInts } from "../memory.ts";
import type { FeaturesHandle } from "./graph-addon.ts";

/** The edges of a block, as the native kernels read them. */
export type NativeBlock = readonly [numSrc: number, numDst: number, indptr: Int32Array, indices: Int32Array];

/** A block with its edges by src too, which gradients walk. */
export type ReversibleBlock = readonly [...NativeBlock, reverseIndptr: Int32Array, reverseIndices: Int32Array];

/** Rows of dense float32 features, read where they lie; dropped by key (seed, layer, epoch, step) when there is one. */
export type NativeRows = readonly [
  features: FeaturesHandle,
  ids: Int32Array,
  dropoutKey: Int32Array | null,
  dropoutThreshold: number,
];

/** Sparse and message-passing kernels (native/binding/sparse_binding.cc). float32, row-major, outputs in place. */
export interface SparseAddon<M extends ArrayTypes = HostArrays> {
  /** out[i] = x[rows[i]]; throws SHAPE_MISMATCH on a row outside x */
  gatherRows(numRows: number, dim: number, x: M["floats"], rows: M["ints"], out: M["floats"]): void;
  /** out[rows[i]] += dy[i], in the order of i; out [numRows, dim] is zeroed first */
  scatterAddRows(numRows: number, dim: number, dy: M["floats"], rows: M["ints"], out: M["floats"]): void;
  /** out [numDst, dim] = mean of the in-neighbours' rows of x; 0 without neighbours */
  spmmMean(block: M["block"], dim: number, x: M["rows"], out: M["floats"]): void;
  /** dx [numSrc, dim], the transpose of `spmmMean`, through the block's reverse edges */
  spmmMeanGrad(block: M["reversible"], dim: number, dy: M["floats"], dx: M["floats"]): void;
  /** out [rows, outDim] = X·weight for CSR X [rows, inDim] */
  csrMatmul(
    rows: number,
    inDim: number,
    outDim: number,
    indptr: M["ints"],
    indices: M["ints"],
    values: M["floats"],
    weight: M["floats"],
    bias: M["floats"] | null,
    relu: boolean,
    out: M["floats"],
  ): void;
  /** dWeight [inDim, outDim] = Xᵀ·dy */
  csrMatmulGrad(
    rows: number,
    inDim: number,
    outDim: number,
    indptr: M["ints"],
    indices: M["ints"],
    values: M["floats"],
    dy: M["floats"],
    dWeight: M["floats"],
  ): void;
  /** dy where out > 0, into masked; and its column sums, into dBias */
  maskedBiasGrad(
    rows: number,
    dim: number,
    dy: M["floats"],
    out: M["floats"] | null,
    masked: M["floats"] | null,
    dBias: M["floats"],
  ): void;
  /** Philox dropout of the non-zeros of CSR rows, key column = feature column */
  dropoutCsr(
    rows: number,
    indptr: M["ints"],
    indices: M["ints"],
    values: M["floats"],
    rowIds: M["ints"],
    key: HostInts,
    threshold: number,
    out: M["floats"],
  ): void;
  /**
   * out [numDst, outDim] = act(x[:numDst]·weightSelf + mean(x)·weightNeigh + bias).
   * With `aggregated` [numDst, inDim]: aggregate first and leave mean(x) there for the gradient; null: project first.
   */
  sageConv(
    block: M["block"],
    inDim: number,
    outDim: number,
    x: M["rows"],
    weightSelf: M["floats"],
    weightNeigh: M["floats"],
    bias: M["floats"],
    relu: boolean,
    aggregated: M["floats"] | null,
    out: M["floats"],
  ): void;
  /**
   * `walksReverse`: with dx, or without `aggregated`, which is overwritten with dx. `dropped`: threshold of the dropout
   * that x went through, where nobody reads dx of dropped elements: what stays of dx is scaled; else 0
   */
  sageConvGrad(
    walksReverse: boolean,
    block: M["block"] | M["reversible"],
    inDim: number,
    outDim: number,
    x: M["rows"],
    weightSelf: M["floats"],
    weightNeigh: M["floats"],
    out: M["floats"],
    aggregated: M["floats"] | null,
    dy: M["floats"],
    relu: boolean,
    dx: M["floats"] | null,
    dWeightSelf: M["floats"],
    dWeightNeigh: M["floats"],
    dBias: M["floats"],
    dropped: number,
  ): void;
  /** `sageConv` on CSR rows, always projecting first */
  sageConvCsr(
    block: M["block"],
    inDim: number,
    outDim: number,
    indptr: M["ints"],
    indices: M["ints"],
    values: M["floats"],
    weightSelf: M["floats"],
    weightNeigh: M["floats"],
    bias: M["floats"],
    relu: boolean,
    out: M["floats"],
  ): void;
  sageConvCsrGrad(
    block: M["reversible"],
    inDim: number,
    outDim: number,
    indptr: M["ints"],
    indices: M["ints"],
    values: M["floats"],
    out: M["floats"],
    dy: M["floats"],
    relu: boolean,
    dWeightSelf: M["floats"],
    dWeightNeigh: M["floats"],
    dBias: M["floats"],
  ): void;
}
