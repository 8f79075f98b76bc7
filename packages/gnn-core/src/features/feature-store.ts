import type { FeaturesHandle } from "../backends/native/graph-addon.ts";

/** Feature rows of a mini-batch: dense rows, or the rows of a CSR matrix (bags of words are never densified). */
export type FeatureRows =
  | { readonly kind: "dense"; readonly numRows: number; readonly dim: number; readonly values: Float32Array }
  | {
      readonly kind: "csr";
      readonly numRows: number;
      readonly dim: number;
      /** int32 [numRows + 1] */
      readonly indptr: Int32Array;
      readonly indices: Int32Array;
      readonly values: Float32Array;
    };

/** Dense rows, perhaps still where they are stored */
export type DenseRows = Extract<FeatureRows, { readonly kind: "dense" }>;

/** Read access to node features by GlobalId. Implementations share one conformance suite. */
export interface FeatureStore {
  readonly numRows: number;
  readonly dim: number;
  readonly kind: "dense" | "csr";
  /** The dense matrix in which `gatherAsync` leaves rows for a device to gather; none: it makes rows of its own */
  readonly stored?: FeaturesHandle;
  /** The mapped files that rows are read from; none: they lie in the process */
  readonly mapped?: readonly NodeJS.ArrayBufferView[];
  /** Where other ranks hold rows: reads some of them once and keeps them. They must not change */
  cache?(ids: Int32Array): Promise<void>;
  /** int32 [numRows]: -1 for rows that are not so kept; null: none is */
  readonly cachedSlots?: Int32Array | null;
  /** Copies the rows of `globalIds`, in their order. The caller owns the result. */
  gather(globalIds: Int32Array): FeatureRows;
  /** Gathers off the JavaScript thread; `globalIds` may be changed as soon as it returns. */
  gatherAsync(globalIds: Int32Array): Promise<FeatureRows>;
}
