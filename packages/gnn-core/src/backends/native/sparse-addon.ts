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
export interface SparseAddon {
  /** out[i] = x[rows[i]]; throws SHAPE_MISMATCH on a row outside x */
  gatherRows(numRows: number, dim: number, x: Float32Array, rows: Int32Array, out: Float32Array): void;
  /** out[rows[i]] += dy[i], in the order of i; out [numRows, dim] is zeroed first */
  scatterAddRows(numRows: number, dim: number, dy: Float32Array, rows: Int32Array, out: Float32Array): void;
  /** out [numDst, dim] = mean of the in-neighbours' rows of x; 0 without neighbours */
  spmmMean(block: NativeBlock, dim: number, x: Float32Array | NativeRows, out: Float32Array): void;
  /** dx [numSrc, dim], the transpose of `spmmMean`, through the block's reverse edges */
  spmmMeanGrad(block: ReversibleBlock, dim: number, dy: Float32Array, dx: Float32Array): void;
  /** out [rows, outDim] = X·weight for CSR X [rows, inDim] */
  csrMatmul(
    rows: number,
    inDim: number,
    outDim: number,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
    weight: Float32Array,
    bias: Float32Array | null,
    relu: boolean,
    out: Float32Array,
  ): void;
  /** dWeight [inDim, outDim] = Xᵀ·dy */
  csrMatmulGrad(
    rows: number,
    inDim: number,
    outDim: number,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
    dy: Float32Array,
    dWeight: Float32Array,
  ): void;
  /** dy where out > 0, into masked; and its column sums, into dBias */
  maskedBiasGrad(
    rows: number,
    dim: number,
    dy: Float32Array,
    out: Float32Array | null,
    masked: Float32Array | null,
    dBias: Float32Array,
  ): void;
  /** Philox dropout of the non-zeros of CSR rows, key column = feature column */
  dropoutCsr(
    rows: number,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
    rowIds: Int32Array,
    key: Int32Array,
    threshold: number,
    out: Float32Array,
  ): void;
  /**
   * out [numDst, outDim] = act(x[:numDst]·weightSelf + mean(x)·weightNeigh + bias).
   * With `aggregated` [numDst, inDim]: aggregate first and leave mean(x) there for the gradient; null: project first.
   */
  sageConv(
    block: NativeBlock,
    inDim: number,
    outDim: number,
    x: Float32Array | NativeRows,
    weightSelf: Float32Array,
    weightNeigh: Float32Array,
    bias: Float32Array,
    relu: boolean,
    aggregated: Float32Array | null,
    out: Float32Array,
  ): void;
  /** `walksReverse`: with dx, or without `aggregated`, which is overwritten with dx */
  sageConvGrad(
    walksReverse: boolean,
    block: NativeBlock | ReversibleBlock,
    inDim: number,
    outDim: number,
    x: Float32Array | NativeRows,
    weightSelf: Float32Array,
    weightNeigh: Float32Array,
    out: Float32Array,
    aggregated: Float32Array | null,
    dy: Float32Array,
    relu: boolean,
    dx: Float32Array | null,
    dWeightSelf: Float32Array,
    dWeightNeigh: Float32Array,
    dBias: Float32Array,
  ): void;
  /** `sageConv` on CSR rows, always projecting first */
  sageConvCsr(
    block: NativeBlock,
    inDim: number,
    outDim: number,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
    weightSelf: Float32Array,
    weightNeigh: Float32Array,
    bias: Float32Array,
    relu: boolean,
    out: Float32Array,
  ): void;
  sageConvCsrGrad(
    block: ReversibleBlock,
    inDim: number,
    outDim: number,
    indptr: Int32Array,
    indices: Int32Array,
    values: Float32Array,
    out: Float32Array,
    dy: Float32Array,
    relu: boolean,
    dWeightSelf: Float32Array,
    dWeightNeigh: Float32Array,
    dBias: Float32Array,
  ): void;
}
