/** Where rows that are learned of all nodes lie for a rank that computes on a device, with their optimizer's state. */
export type LearnedPlacement = "device" | "host";

export interface LearnedRoom {
  /** Bytes of the rows and of what their optimizer keeps */
  readonly numBytes: number;
  /** How many the job has: several share the rows by their hosts */
  readonly ranks: number;
  /** What a device has left beside what a step needs */
  readonly deviceBytes: number;
}

/** In the device's memory where one rank has all of them and they fit, before any features: no step waits for them. */
export function placeLearnedRows({ numBytes, ranks, deviceBytes }: LearnedRoom): LearnedPlacement {
  return ranks === 1 && numBytes <= deviceBytes ? "device" : "host";
}

/** A placement in a sentence, for logs and estimates. */
export const learnedPlacementWords: Readonly<Record<LearnedPlacement, string>> = {
  device: "The learned rows and their optimizer's state lie in the device's memory",
  host: "The hosts keep and update the learned rows, and each step waits for them",
};
