const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?)?$/i;

/**
 * When something came to be, in seconds since 1970 began: a number as it is, or an ISO 8601 date, with or without a
 * time of day and a zone, also as databases write it (`2024-05-31 10:20:00.5+00`). Without a zone it is of UTC. NaN:
 * neither, or a day that there is not.
 */
export function timeOf(cell: string | null): number {
  const text = (cell ?? "").trim();
  const date = isoDate.exec(text);
  if (date) return secondsOf(date);
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : Number.NaN;
}

function secondsOf([, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", zone = "Z"]: string[]) {
  const [h, m, s] = [hour, minute, second].map(Number) as [number, number, number];
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // `Date.UTC` reads the 31st of April as the first of May, and the year 99 as 1999.
  const isDay = midnight.toISOString().slice(0, 10) === `${year}-${month}-${day}`;
  if (!isDay || h > 23 || m > 59 || s > 59) return Number.NaN;
  const ofDay = h * 3600 + m * 60 + s + Number(`0${fraction}`);
  return midnight.getTime() / 1000 + ofDay - offsetOf(zone);
}

/** Seconds that a zone is ahead of UTC */
function offsetOf(zone: string): number {
  if (/z/i.test(zone)) return 0;
  const digits = zone.replaceAll(/\D/g, "");
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2)) * 60;
  return zone.startsWith("-") ? -seconds : seconds;
}
