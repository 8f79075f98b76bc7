import { loadAddon } from "../backends/native/addon.ts";
import type { FeaturesHandle } from "../backends/native/graph-addon.ts";
import { nativeSync } from "../backends/native/native-error.ts";
import type { NativeRows } from "../backends/native/sparse-addon.ts";
import { GnnError } from "../errors/gnn-error.ts";

export interface RowDropout {
  /** seed, layer, epoch, step */
  readonly key: Int32Array;
  readonly threshold: number;
}

interface StoredRowsParts {
  readonly dropout?: RowDropout | null;
  readonly own?: readonly NodeJS.TypedArray[];
  readonly transforms?: readonly RowTransform[];
}

/** A change of each row, as `train/feature-transforms` fits and explains it. */
export type RowTransform =
  | { readonly type: "rowNormalize" }
  | { readonly type: "standardize"; readonly mean: Float32Array; readonly scale: Float32Array };

/**
 * Dense feature rows of a mini-batch that stay where they are: native kernels read each from the feature matrix when
 * they need it (`source`), drop elements on the way, and nothing is copied as a whole. To everybody else they are rows
 * like any: `values` gathers them when it is first asked for, and from then on `source` is null, as the values may be
 * changed.
 */
export class StoredRows {
  readonly kind = "dense";
  readonly numRows: number;
  readonly dim: number;
  /** int32 [numRows], rows of the matrix */
  readonly ids: Int32Array;
  /** Memory that was made for these rows alone, such as rows that came from other ranks */
  readonly own: readonly NodeJS.TypedArray[];
  /** The matrix that the ids are rows of */
  readonly features: FeaturesHandle;
  readonly dropout: RowDropout | null;
  /** What is done to the rows before elements are dropped; kernels that read them in place cannot do it */
  readonly transforms: readonly RowTransform[];
  #values: Float32Array | null = null;

  /** @param ids rows of the matrix, checked; must not change */
  constructor(
    features: FeaturesHandle,
    dim: number,
    ids: Int32Array,
    { dropout = null, own = [], transforms = [] }: StoredRowsParts = {},
  ) {
    this.numRows = ids.length;
    this.dim = dim;
    this.features = features;
    this.ids = ids;
    this.dropout = dropout;
    this.transforms = transforms;
    this.own = own.filter(({ length }) => length > 0);
  }

  /** What native kernels take instead of the values; null once these have been gathered. */
  get source(): NativeRows | null {
    if (this.#values) return null;
    this.#requireHeld();
    return [this.features, this.ids, this.dropout?.key ?? null, this.dropout?.threshold ?? 0];
  }

  /** Whether `values` has been read. */
  get isGathered(): boolean {
    return this.#values !== null;
  }

  get isDropped(): boolean {
    return this.dropout !== null;
  }

  /** float32 [numRows · dim], gathered once and then owned by the caller. */
  get values(): Float32Array {
    this.#values ??= this.#gather();
    return this.#values;
  }

  /** These rows with elements dropped by the ids of the rows; null when they are gathered or dropped already. */
  dropped(rowIds: Int32Array, dropout: RowDropout): StoredRows | null {
    if (this.#values || this.dropout || !isSame(rowIds, this.ids)) return null;
    return this.#with({ dropout });
  }

  /** These rows, which give the memory of `own` back too when they are released. */
  owning(own: NodeJS.TypedArray): StoredRows {
    return this.#with({ own: [...this.own, own] });
  }

  /** These rows, changed after what is done to them already. For backends that change rows as they gather them. */
  transformed(transforms: readonly RowTransform[]): StoredRows {
    return this.#with({ transforms: [...this.transforms, ...transforms] });
  }

  #with(parts: StoredRowsParts): StoredRows {
    const { dropout, own, transforms } = this;
    return new StoredRows(this.features, this.dim, this.ids, { dropout, own, transforms, ...parts });
  }

  /** Gives the memory that was made for the rows back at once; they cannot be read afterwards. */
  release(): void {
    for (const array of this.own) loadAddon().freeArray(array);
  }

  /** @throws GnnError SPEC_INVALID after a release: native code would read freed memory */
  #requireHeld(): void {
    const isHeld = this.numRows === 0 || this.ids.buffer.byteLength > 0;
    if (isHeld && this.own.every(({ buffer }) => buffer.byteLength > 0)) return;
    throw new GnnError("SPEC_INVALID", "These feature rows were released with their batch; read them before.");
  }

  #gather(): Float32Array {
    this.#requireHeld();
    return nativeSync(() => {
      const values = loadAddon().gatherDense(this.features, this.ids);
      for (const transform of this.transforms) {
        const { mean, scale } = transform.type === "standardize" ? transform : { mean: null, scale: null };
        loadAddon().transformRows(this.numRows, this.dim, null, null, values, mean, scale);
      }
      if (this.dropout) {
        const { key, threshold } = this.dropout;
        loadAddon().dropoutRows(this.numRows, this.dim, values, this.ids, key, threshold, values);
      }
      return values;
    });
  }
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  const bytes = ({ buffer, byteOffset, byteLength }: Int32Array) => Buffer.from(buffer, byteOffset, byteLength);
  return a === b || bytes(a).equals(bytes(b));
}
