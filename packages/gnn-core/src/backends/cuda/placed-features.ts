import type { RowTransform, StoredRows } from "../../features/stored-rows.ts";
import {
  type FeaturePlacement,
  type FeatureRoom,
  type PlacedFeatures,
  placeFeatures,
} from "../../host/feature-placement.ts";
import { type FeatureMatrix, matrixOf } from "../feature-matrix.ts";
import type { FeaturesHandle } from "../native/graph-addon.ts";
import type { CudaBackend } from "./cuda-backend.ts";
import type { DeviceFeaturesHandle, FloatsHandle } from "./memory-addon.ts";

/** By what feature matrices are placed. */
export interface FeaturePolicy {
  /** `auto`: the fastest place that there is room for, as for rows that a model has made of features */
  readonly asked: FeaturePlacement | "auto";
  /** What is needed of the device's memory beside feature rows; null: half of it */
  readonly reservedBytes: number | null;
  /** Bytes of this process' features that the host can pin */
  readonly pinnableBytes: number;
  /** int32 [count]: the rows of a matrix of so many that are read most; null: nobody knows, and none are cached */
  readonly mostRead: ((numRows: number, count: number) => Int32Array) | null;
  /** Told once of each matrix of features */
  readonly onPlaced: (matrix: PlacedMatrix) => void;
}

export interface PlacedMatrix extends PlacedFeatures {
  readonly numRows: number;
  readonly dim: number;
  /** What was left of the device's memory for its rows */
  readonly roomBytes: number;
  /** Why its rows are not in shares with other devices, where they could have been */
  readonly whyNot?: string;
}

const untold: FeaturePolicy = {
  asked: "auto",
  reservedBytes: null,
  pinnableBytes: 0,
  mostRead: null,
  onPlaced: () => {},
};

/** Where each feature matrix lies for the device: decided when its rows are first asked for, and kept to. */
export class PlacedFeaturesOf {
  policy = untold;
  readonly #backend: CudaBackend;
  readonly #placed = new WeakMap<FeaturesHandle, PlacedFeatures>();
  readonly #made = new WeakMap<FeaturesHandle, DeviceFeaturesHandle>();
  readonly #unshared = new WeakMap<FeaturesHandle, string>();

  constructor(backend: CudaBackend) {
    this.#backend = backend;
  }

  /** Where the rows lie; `host` for those that are no matrix of a store. */
  placementOf(features: FeaturesHandle): FeaturePlacement {
    const matrix = matrixOf(features);
    return matrix ? this.#placementOf(features, matrix).placement : "host";
  }

  /** float32 [numRows, dim], valid as long as what the backend uploads for the call or the step */
  rowsOf(rows: StoredRows): FloatsHandle {
    const { uploads } = this.#backend;
    const matrix = rows.isGathered ? null : matrixOf(rows.features);
    if (!matrix || this.#placementOf(rows.features, matrix).placement === "host") return uploads.floats(rows.values);
    const features = this.#made.get(rows.features) ?? this.#make(rows.features, matrix);
    return uploads.once(rows, () => this.#gathered(features, rows));
  }

  /** What there is to place a matrix of features by; null: it is none */
  roomOf(features: FeaturesHandle): (FeatureMatrix & FeatureRoom) | null {
    const matrix = matrixOf(features);
    if (!matrix) return null;
    const rowBytes = matrix.dim * (matrix.segments[0]?.BYTES_PER_ELEMENT ?? 4);
    return { ...matrix, rowBytes, deviceBytes: this.#room(), hostBytes: this.policy.pinnableBytes };
  }

  /** The rows lie in shares, which `made` reads until they are forgotten. */
  share(features: FeaturesHandle, made: DeviceFeaturesHandle, deviceRows: number, roomBytes: number): void {
    const { numRows, dim } = matrixOf(features) as FeatureMatrix;
    const placed = { placement: "sharded", deviceRows } as const;
    this.#made.set(features, made);
    this.#placed.set(features, placed);
    this.policy.onPlaced({ ...placed, numRows, dim, roomBytes });
  }

  /** The rows could not be put in shares: told when they are placed. */
  refuseToShare(features: FeaturesHandle, whyNot: string): void {
    this.#unshared.set(features, whyNot);
  }

  /** The rows were changed, or are not needed any more: what was made of them goes. */
  forget(features: FeaturesHandle): void {
    const made = this.#made.get(features);
    if (made) this.#backend.addon.giveBack(made);
    this.#made.delete(features);
    this.#placed.delete(features);
  }

  #placementOf(features: FeaturesHandle, matrix: FeatureMatrix): PlacedFeatures {
    const known = this.#placed.get(features);
    if (known) return known;
    const room = this.roomOf(features) as FeatureRoom;
    const { asked, mostRead, onPlaced } = this.policy;
    const { numRows, dim, isMade } = matrix;
    const placed = placeFeatures(room, { asked: isMade ? "auto" : asked, canCache: mostRead !== null });
    this.#placed.set(features, placed);
    const whyNot = this.#unshared.get(features);
    if (!isMade) onPlaced({ ...placed, numRows, dim, roomBytes: room.deviceBytes, ...(whyNot && { whyNot }) });
    return placed;
  }

  #room(): number {
    const { freeBytes, totalBytes } = this.#backend.addon.deviceMemory();
    const { reservedBytes } = this.policy;
    const kept = this.#backend.addon.deviceCounters().keptBytes;
    return Math.max(0, Math.min(freeBytes + kept, totalBytes - (reservedBytes ?? totalBytes / 2)));
  }

  #make(handle: FeaturesHandle, { numRows, dim, segments, columns }: FeatureMatrix): DeviceFeaturesHandle {
    const { placement, deviceRows } = this.#placed.get(handle) as PlacedFeatures;
    const isWhole = placement === "device";
    const hot = !isWhole && deviceRows > 0 ? this.policy.mostRead?.(numRows, deviceRows) : undefined;
    const cached = isWhole ? null : (hot ?? new Int32Array(0));
    const [scale, offset] = [columns?.scale ?? null, columns?.offset ?? null];
    const made = this.#backend.addon.makeFeatures(numRows, dim, segments, scale, offset, cached);
    this.#made.set(handle, made);
    return made;
  }

  #gathered(features: DeviceFeaturesHandle, rows: StoredRows): FloatsHandle {
    const { addon, uploads } = this.#backend;
    const { numRows, dim, ids, dropout, transforms } = rows;
    const rowIds = uploads.ints(ids);
    const out = addon.makeFloats(numRows * dim);
    const droppedOnTheWay = transforms.length === 0 ? dropout : null;
    addon.gatherFeatures(features, rowIds, droppedOnTheWay?.key ?? null, droppedOnTheWay?.threshold ?? 0, out);
    for (const transform of transforms) this.#transform(transform, numRows, dim, out);
    if (dropout && !droppedOnTheWay) addon.dropoutRows(numRows, dim, out, rowIds, dropout.key, dropout.threshold, out);
    return out;
  }

  #transform(transform: RowTransform, numRows: number, dim: number, out: FloatsHandle): void {
    const { addon, uploads } = this.#backend;
    if (transform.type === "rowNormalize") return addon.rowNormalizeRows(numRows, dim, out);
    const [mean, scale] = [uploads.floats(transform.mean), uploads.floats(transform.scale)];
    addon.standardizeRows(numRows, dim, mean, scale, out);
  }
}
