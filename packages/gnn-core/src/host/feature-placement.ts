/**
 * Where the rows of the features lie for a rank that computes on a device of its own.
 *
 * - `device`: all of them in its memory
 * - `sharded`: a share in its memory, the others in that of the other ranks' devices on its host, which it reads itself
 * - `cached`: those that are read most in its memory, all of them in pinned memory of the host, which it reads itself
 * - `pinned`: all of them in pinned memory of the host, which it reads itself
 * - `host`: where the parts are mapped; the rows of each batch are gathered there and copied
 */
export const featurePlacements = ["device", "sharded", "cached", "pinned", "host"] as const;
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

/** Ranks of a host whose devices read each other's memory */
export interface Sharers {
  readonly count: number;
  /** Whether NVLink joins the devices: over PCIe, rows of the host that are cached are read as fast or faster */
  readonly areLinked: boolean;
}

export interface PlacementWish {
  readonly asked?: FeaturePlacement | "auto";
  /** Whether it is known which rows are read most; default true */
  readonly canCache?: boolean;
  /** Default: there is nobody to share the rows with */
  readonly sharers?: Sharers;
}

/** Less than this of the rows is not worth the look-ups of a cache. */
const leastCached = 0.01;
/** For each row of a cached matrix, whether it is cached or not: its place */
const slotBytes = 4;
/** Share of a host's memory that its ranks may pin together: what is pinned is lost to all others. */
const pinnableShare = 0.5;
/** What drivers allocate at a time */
const shareUnitBytes = 2 ** 21;

/** What each of so many ranks of a host can pin. */
export function pinnableBytes(hostBytes: number, ranks: number): number {
  return (hostBytes * pinnableShare) / ranks;
}

/** Bytes that a device has to have for so many rows that others read, too. */
export function shareBytes(rows: number, rowBytes: number): number {
  return Math.ceil((rows * rowBytes) / shareUnitBytes) * shareUnitBytes;
}

/** Whether all rows fit into the device's memory. */
export function fitsWhole({ numRows, rowBytes, deviceBytes }: Omit<FeatureRoom, "hostBytes">): boolean {
  return numRows * rowBytes <= deviceBytes;
}

/** Whether a share fits where the rows do not fit as a whole, or are to be shared. */
function isShared(room: FeatureRoom, asked: FeaturePlacement | "auto", { count, areLinked }: Sharers): boolean {
  if (count < 2 || room.numRows < count) return false;
  if (shareBytes(Math.ceil(room.numRows / count), room.rowBytes) > room.deviceBytes) return false;
  return asked === "sharded" || (areLinked && !fitsWhole(room));
}

/**
 * The place that was asked for, with as many rows in a cache as there is room for; else the fastest with room. Where
 * rows are to be sharded and cannot, the fastest of the others.
 */
export function placeFeatures(room: FeatureRoom, wish: PlacementWish = {}): PlacedFeatures {
  const { asked = "auto", canCache = true, sharers = { count: 1, areLinked: false } } = wish;
  const { numRows, rowBytes, deviceBytes, hostBytes } = room;
  const canShare = isShared(room, asked, sharers);
  const canPin = numRows * rowBytes <= hostBytes;
  const forRows = Math.max(0, deviceBytes - numRows * slotBytes);
  const cachedRows = canCache && rowBytes > 0 ? Math.min(numRows, Math.floor(forRows / rowBytes)) : 0;
  const isWorthIt = cachedRows >= leastCached * numRows;
  const unshared = fitsWhole(room) ? "device" : !canPin ? "host" : cachedRows > 0 && isWorthIt ? "cached" : "pinned";
  const placement = asked !== "auto" && asked !== "sharded" ? asked : canShare ? "sharded" : unshared;
  const rows = { device: numRows, sharded: Math.ceil(numRows / sharers.count), cached: cachedRows, pinned: 0, host: 0 };
  return { placement, deviceRows: rows[placement] };
}

/** A placement in a sentence, for logs and estimates. */
export const placementWords: Readonly<Record<FeaturePlacement, string>> = {
  device: "All feature rows lie in the device's memory",
  sharded: "Each device of the host has a share of the feature rows in its memory, and reads the others' there",
  cached: "The feature rows that are read most lie in the device's memory; it reads the others from the host",
  pinned: "The device reads feature rows from the host's memory",
  host: "The host gathers the feature rows of each batch and copies them to the device",
};
