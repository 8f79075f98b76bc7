/** Seconds since a time of `performance.now()`, to the millisecond. */
export function secondsSince(startedAt: number): number {
  return Math.round(performance.now() - startedAt) / 1000;
}
