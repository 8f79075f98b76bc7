import { loadAddon } from "../backends/native/addon.ts";
import type { CsrRows, CsrSegment, FeaturesHandle, FeatureValues } from "../backends/native/graph-addon.ts";
import { native, nativeSync } from "../backends/native/native-error.ts";
import { GnnError } from "../errors/gnn-error.ts";
import { type ColumnScale, dtypeOf, type FeatureDtype } from "./feature-dtype.ts";
import type { FeatureRows, FeatureStore } from "./feature-store.ts";

export interface CsrMatrix {
  /** int64 [rows + 1] */
  readonly indptr: BigInt64Array;
  readonly indices: Int32Array;
  /** float32, binary16 bits or int8 codes; gathered as float32 */
  readonly values: FeatureValues;
}

/** Sparse rows (bags of words) in consecutive segments, one per part. Never made dense. */
export class CsrFeatureStore implements FeatureStore {
  readonly kind = "csr";
  readonly numRows: number;
  readonly dim: number;
  readonly dtype: FeatureDtype;
  readonly #handle: FeaturesHandle;

  /**
   * @param columns what int8 codes mean
   * @throws GnnError SHAPE_MISMATCH when the arrays of a segment do not fit together, or the values are of different
   * types
   */
  constructor(dim: number, segments: readonly CsrMatrix[], columns: ColumnScale | null = null) {
    let firstRow = 0;
    const placed: CsrSegment[] = [];
    for (const segment of segments) {
      checkSegment(segment);
      placed.push({ firstRow, ...segment });
      firstRow += segment.indptr.length - 1;
    }
    this.numRows = firstRow;
    this.dim = dim;
    this.dtype = dtypeOf(
      segments.map(({ values }) => values),
      dim,
      columns,
    );
    const { scale = null, offset = null } = columns ?? {};
    this.#handle = nativeSync(() => loadAddon().createCsrFeatures(firstRow, dim, placed, scale, offset));
  }

  gather(globalIds: Int32Array): FeatureRows {
    return this.#rows(
      globalIds.length,
      nativeSync(() => loadAddon().gatherCsr(this.#handle, globalIds)),
    );
  }

  async gatherAsync(globalIds: Int32Array): Promise<FeatureRows> {
    const numRows = globalIds.length;
    return this.#rows(numRows, await native(() => loadAddon().gatherCsrAsync(this.#handle, globalIds)));
  }

  #rows(numRows: number, { indptr, indices, values }: CsrRows): FeatureRows {
    return { kind: "csr", numRows, dim: this.dim, indptr, indices, values };
  }
}

function checkSegment({ indptr, indices, values }: CsrMatrix): void {
  const numValues = Number(indptr.at(-1) ?? -1);
  if (numValues === indices.length && numValues === values.length) return;
  throw new GnnError(
    "SHAPE_MISMATCH",
    `A CSR segment ends at ${numValues} and has ${indices.length} indices and ${values.length} values.`,
  );
}
