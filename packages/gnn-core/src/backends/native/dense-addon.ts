import type { ArrayTypes, HostArrays, HostInts } from "../memory.ts";

/** Dense kernels (native/binding/dense_binding.cc). Matrices are row-major float32; outputs are written in place. */
export interface DenseAddon<M extends ArrayTypes = HostArrays> {
  /** c [m, n] = op(a)·op(b), through oneDNN */
  sgemm(
    transposeA: boolean,
    transposeB: boolean,
    m: number,
    n: number,
    k: number,
    a: M["floats"],
    b: M["floats"],
    c: M["floats"],
  ): void;
  /** out [rows, outDim] = x·weight + bias, then ReLU if asked */
  linear(
    rows: number,
    inDim: number,
    outDim: number,
    x: M["rows"],
    weight: M["floats"],
    bias: M["floats"],
    relu: boolean,
    out: M["floats"],
  ): void;
  /** Gradients of `linear`; `out` is its result (read for the ReLU mask), dx null when not needed. */
  linearGrad(
    rows: number,
    inDim: number,
    outDim: number,
    x: M["rows"],
    weight: M["floats"],
    out: M["floats"],
    dy: M["floats"],
    relu: boolean,
    dx: M["floats"] | null,
    dWeight: M["floats"],
    dBias: M["floats"],
  ): void;
  /** sum [1] = Σ weight[i]·(−log softmax(logits[i])[label[i]]) over rows; a negative label counts nothing. */
  crossEntropySum(
    rows: number,
    classes: number,
    logits: M["floats"],
    labels: M["ints"],
    weights: M["floats"] | null,
    sum: M["floats"],
  ): void;
  /** Gradient of `crossEntropySum` times `scale`, into dLogits */
  crossEntropyGrad(
    rows: number,
    classes: number,
    logits: M["floats"],
    labels: M["ints"],
    weights: M["floats"] | null,
    scale: number,
    dLogits: M["floats"],
  ): void;
  /** Philox dropout of dense rows: keep or drop depends on key and (rowIds[i], column) alone. out may be x. */
  dropoutRows(
    rows: number,
    dim: number,
    x: M["floats"],
    rowIds: M["ints"],
    key: HostInts,
    threshold: number,
    out: M["floats"],
  ): void;
}
