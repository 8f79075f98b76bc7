/**
 * Where the rows of the features lie for a rank that computes on a device of its own.
 *
 * - `device`: all of them in its memory
 * - `cached`: the hottest rows in its memory, all of them in pinned memory of the host, which it reads itself
 * - `pinned`: all of them in pinned memory of the host, which it reads itself
 * - `host`: where the parts are mapped; the rows of each batch are gathered there and copied
 */
export const featurePlacements = ["device", "cached", "pinned", "host"] as const;
export type FeaturePlacement = (typeof featurePlacements)[number];

/**
 * What the CUDA backend of this version does with dense float32 features, whether there is room or not: nothing else is
 * ever chosen, counted or told.
 */
export const supportedPlacements: readonly FeaturePlacement[] = ["device"];

export interface FeatureRoom {
  readonly numRows: number;
  readonly rowBytes: number;
  /** What is left of the device's memory beside all else that the rank needs there */
  readonly deviceBytes: number;
  /** What the host can pin, for all ranks together: they share one copy */
  readonly hostBytes: number;
}

export interface PlacedFeatures {
  readonly placement: FeaturePlacement;
  /** Rows in the device's memory; 0 for `pinned` and `host` */
  readonly deviceRows: number;
}

/** Less than this of the rows is not worth the look-ups of a cache. */
const leastCached = 0.01;

/** Chooses the fastest place that there is room for, of those that are supported; where there is none, the last. */
export function placeFeatures(
  { numRows, rowBytes, deviceBytes, hostBytes }: FeatureRoom,
  supported: readonly FeaturePlacement[] = supportedPlacements,
): PlacedFeatures {
  const canPin = numRows * rowBytes <= hostBytes;
  const roomFor = rowBytes === 0 ? 0 : Math.max(0, Math.min(numRows, Math.floor(deviceBytes / rowBytes)));
  const rowsIn: Record<FeaturePlacement, number | null> = {
    device: roomFor === numRows ? numRows : null,
    cached: canPin && roomFor >= leastCached * numRows ? roomFor : null,
    pinned: canPin ? 0 : null,
    host: 0,
  };
  const fitting = featurePlacements.find((each) => supported.includes(each) && rowsIn[each] !== null);
  const placement = fitting ?? supported.at(-1) ?? "host";
  return { placement, deviceRows: rowsIn[placement] ?? (placement === "device" ? numRows : 0) };
}
