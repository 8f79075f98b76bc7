/** Where rows that are learned of all nodes lie for a rank that computes on a device, with their optimizer's state. */
export type LearnedPlacement = "device" | "host";

export interface LearnedRoom {
  /** Bytes of this rank's rows and of what their optimizer keeps */
  readonly numBytes: number;
  /** Bytes of what a step takes of the rows of other ranks; 0 for a rank that trains alone */
  readonly exchangedBytes: number;
  /** Whether one rank has all rows, or the devices of those that share them are joined */
  readonly isReached: boolean;
  /** What a device has left beside what a step needs */
  readonly deviceBytes: number;
}

/** In the device's memory where every device reaches all rows and they fit, before any features: no step waits. */
export function placeLearnedRows({ numBytes, exchangedBytes, isReached, deviceBytes }: LearnedRoom): LearnedPlacement {
  return isReached && numBytes + exchangedBytes <= deviceBytes ? "device" : "host";
}

/**
 * Bytes of a step's rows of all ranks, and of their gradients, as they go from device to device.
 *
 * @param rows of a rank's batch
 */
export function exchangedRowBytes({ rows, dim, ranks }: { rows: number; dim: number; ranks: number }): number {
  return ranks === 1 ? 0 : 2 * rows * ranks * dim * 4;
}

/** A placement in a sentence, for logs and estimates. */
export const learnedPlacementWords: Readonly<Record<LearnedPlacement, string>> = {
  device: "The learned rows and their optimizer's state lie in the device's memory",
  host: "The hosts keep and update the learned rows, and each step waits for them",
};

/** Said beside the placement `device` of several ranks before they have met */
export const joinedDevicesWords = "Several ranks need NCCL for that; without it their hosts keep the learned rows";
