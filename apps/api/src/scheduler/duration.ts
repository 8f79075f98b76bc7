const units = [365 * 86_400, 30 * 86_400, 7 * 86_400, 86_400, 3600, 60, 1]; // seconds of Y M W D H M S
const pattern =
  /^P(?:(\d+(?:\.\d+)?)Y)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Milliseconds of an ISO 8601 duration such as `PT2H30M`; a year counts 365 days, a month 30. Null when it is not one.
 */
export function durationMs(text: string): number | null {
  const match = pattern.exec(text);
  if (!match) return null;
  return units.reduce((sum, seconds, i) => sum + Number(match[i + 1] ?? 0) * seconds * 1000, 0);
}
