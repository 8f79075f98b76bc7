/** How far an upload is: bytes of how many, and since when. */
export interface Pace {
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly startedAtMs: number | null;
}

/** A speed measured over less says nothing. */
const leastSeconds = 0.5;

export interface Speed {
  readonly bytesPerSecond: number;
  readonly secondsLeft: number;
}

/** The mean speed so far, and what is left at it; null while there is too little to tell. */
export function speedOf({ sentBytes, totalBytes, startedAtMs }: Pace, nowMs: number): Speed | null {
  if (startedAtMs === null || sentBytes <= 0) return null;
  const seconds = (nowMs - startedAtMs) / 1000;
  if (seconds < leastSeconds) return null;
  const bytesPerSecond = sentBytes / seconds;
  return { bytesPerSecond, secondsLeft: Math.max(0, totalBytes - sentBytes) / bytesPerSecond };
}
