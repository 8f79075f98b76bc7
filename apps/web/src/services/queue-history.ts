const hourMs = 3_600_000;

/**
 * What share of all slots was held on a day, at most 1: workers that are gone may have offered more. Of today counts
 * what is over.
 *
 * @returns null while nobody offers a slot
 */
export function shareHeld(day: string, rankHours: number, slots: number, nowMs: number): number | null {
  const hours = Math.min(24, (nowMs - Date.parse(day)) / hourMs);
  return slots > 0 && hours > 0 ? Math.min(1, rankHours / (slots * hours)) : null;
}
