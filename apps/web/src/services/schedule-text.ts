/** What a schedule and its pauses are called. */

const minutesOfDay = 24 * 60;

export interface ShownCadence {
  readonly everyMinutes: number | null;
  readonly cron: string | null;
  readonly timeZone: string;
}

/** What a schedule does, and when. */
export function scheduleText({ adds, ...cadence }: ShownCadence & { readonly adds: boolean }): string {
  return `Fetched again ${cadenceText(cadence)}${adds ? ", and its rows added" : ""}`;
}

/** When a schedule runs, in words that follow "fetched again". */
export function cadenceText({ everyMinutes, cron, timeZone }: ShownCadence): string {
  if (everyMinutes === null) return `at ${cron} (${timeZone})`;
  if (everyMinutes % minutesOfDay === 0) return every(everyMinutes / minutesOfDay, "day");
  return everyMinutes % 60 === 0 ? every(everyMinutes / 60, "hour") : every(everyMinutes, "minute");
}

function every(number: number, unit: string): string {
  return number === 1 ? `every ${unit}` : `every ${number} ${unit}s`;
}

const reasons: Readonly<Record<string, string>> = {
  REQUESTED: "It is paused.",
  FAILURES: "It is paused, for it has failed too many times in a row.",
  CREDENTIAL: "It is paused, for a credential that it names is gone; an admin adds it again.",
  USER: "It is paused, for whoever made it is gone; it goes on as the one who resumes it.",
  ROLE: "It is paused, for whoever made it may import no more; it goes on as the one who resumes it.",
};

/** Why a schedule is paused, in a sentence. */
export function pauseText(reason: string | null): string {
  return reasons[reason ?? ""] ?? "It is paused.";
}
