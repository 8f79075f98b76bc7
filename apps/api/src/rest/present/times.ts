/** Times in answers are ISO 8601 in UTC. */
export function isoOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
