/**
 * Where the rows of the features lie for a rank that computes on a device of its own.
 *
 * - `device`: all of them in its memory
 * - `cached`: those that are read most in its memory, all of them in pinned memory of the host, which it reads itself
 * - `pinned`: all of them in pinned memory of the host, which it reads itself
 * - `host`: where the parts are mapped; the rows of each batch are gathered there and copied
 */
export const featurePlacements = ["device", "cached", "pinned", "host"] as const;
export type FeaturePlacement = (typeof featurePlacements)[number];

export interface FeatureRoom {
  readonly numRows: number;
  /** As they are stored */
  readonly rowBytes: number;
  /** What is left of the device's memory beside all else that the rank needs there */
  readonly deviceBytes: number;
  /** What the host can pin for this rank: drivers that do not pin mapped files have each rank make a copy */
  readonly hostBytes: number;
}

export interface PlacedFeatures {
  readonly placement: FeaturePlacement;
  /** Rows in the device's memory; 0 for `pinned` and `host` */
  readonly deviceRows: number;
}

export interface PlacementWish {
  readonly asked?: FeaturePlacement | "auto";
  /** Whether it is known which rows are read most; default true */
  readonly canCache?: boolean;
}

/** Less than this of the rows is not worth the look-ups of a cache. */
const leastCached = 0.01;
/** For each row of a cached matrix, whether it is cached or not: its place */
const slotBytes = 4;
/** Share of a host's memory that its ranks may pin together: what is pinned is lost to all others. */
const pinnableShare = 0.5;

/** What each of so many ranks of a host can pin. */
export function pinnableBytes(hostBytes: number, ranks: number): number {
  return (hostBytes * pinnableShare) / ranks;
}

/** The place that was asked for, with as many rows in a cache as there is room for; else the fastest with room. */
export function placeFeatures(
  { numRows, rowBytes, deviceBytes, hostBytes }: FeatureRoom,
  { asked = "auto", canCache = true }: PlacementWish = {},
): PlacedFeatures {
  const fits = numRows * rowBytes <= deviceBytes;
  const canPin = numRows * rowBytes <= hostBytes;
  const forRows = Math.max(0, deviceBytes - numRows * slotBytes);
  const cachedRows = canCache && rowBytes > 0 ? Math.min(numRows, Math.floor(forRows / rowBytes)) : 0;
  const isWorthIt = cachedRows >= leastCached * numRows;
  const fastest = fits ? "device" : !canPin ? "host" : cachedRows > 0 && isWorthIt ? "cached" : "pinned";
  const placement = asked === "auto" ? fastest : asked;
  return { placement, deviceRows: placement === "device" ? numRows : placement === "cached" ? cachedRows : 0 };
}

/** A placement in a sentence, for logs and estimates. */
export const placementWords: Readonly<Record<FeaturePlacement, string>> = {
  device: "All feature rows lie in the device's memory",
  cached: "The feature rows that are read most lie in the device's memory; it reads the others from the host",
  pinned: "The device reads feature rows from the host's memory",
  host: "The host gathers the feature rows of each batch and copies them to the device",
};
