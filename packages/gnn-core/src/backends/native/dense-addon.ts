import type { NativeRows } from "./sparse-addon.ts";

/** Dense kernels (native/binding/dense_binding.cc). Matrices are row-major float32; outputs are written in place. */
export interface DenseAddon {
  /** c [m, n] = op(a)·op(b), through oneDNN */
  sgemm(
    transposeA: boolean,
    transposeB: boolean,
    m: number,
    n: number,
    k: number,
    a: Float32Array,
    b: Float32Array,
    c: Float32Array,
  ): void;
  /** out [rows, outDim] = x·weight + bias, then ReLU if asked */
  linear(
    rows: number,
    inDim: number,
    outDim: number,
    x: Float32Array | NativeRows,
    weight: Float32Array,
    bias: Float32Array,
    relu: boolean,
    out: Float32Array,
  ): void;
  /** Gradients of `linear`; `out` is its result (read for the ReLU mask), dx null when not needed. */
  linearGrad(
    rows: number,
    inDim: number,
    outDim: number,
    x: Float32Array | NativeRows,
    weight: Float32Array,
    out: Float32Array,
    dy: Float32Array,
    relu: boolean,
    dx: Float32Array | null,
    dWeight: Float32Array,
    dBias: Float32Array,
  ): void;
  /** Sum over rows of weight[i]·(−log softmax(logits[i])[label[i]]); rows with a negative label count nothing. */
  crossEntropySum(
    rows: number,
    classes: number,
    logits: Float32Array,
    labels: Int32Array,
    weights: Float32Array | null,
  ): number;
  /** Gradient of `crossEntropySum` times `scale`, into dLogits */
  crossEntropyGrad(
    rows: number,
    classes: number,
    logits: Float32Array,
    labels: Int32Array,
    weights: Float32Array | null,
    scale: number,
    dLogits: Float32Array,
  ): void;
  /** Philox dropout of dense rows: keep or drop depends on key and (rowIds[i], column) alone. out may be x. */
  dropoutRows(
    rows: number,
    dim: number,
    x: Float32Array,
    rowIds: Int32Array,
    key: Int32Array,
    threshold: number,
    out: Float32Array,
  ): void;
}
