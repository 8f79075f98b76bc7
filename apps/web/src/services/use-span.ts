/** Spans of time over which what projects used is added up, as the page offers them. */
export const spanChoices = [
  { value: "month", label: "This month" },
  { value: "lastMonth", label: "Last month" },
  { value: "week", label: "Last 7 days" },
  { value: "days", label: "From day to day" },
] as const;
export type SpanChoice = (typeof spanChoices)[number]["value"];

export interface UseSpan {
  readonly from: string;
  /** The moment after its end; null: now */
  readonly to: string | null;
}

const dayMs = 86_400_000;

/**
 * The span that is meant, in days and months of UTC, as limits count them.
 *
 * @param days first and last day as `2026-11-24`, both within the span
 * @returns null where these are no days, or the last comes before the first
 */
export function spanOf(choice: SpanChoice, days: readonly [string, string], now: Date): UseSpan | null {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const iso = (ms: number) => new Date(ms).toISOString();
  if (choice === "month") return { from: iso(Date.UTC(year, month)), to: null };
  if (choice === "lastMonth") return { from: iso(Date.UTC(year, month - 1)), to: iso(Date.UTC(year, month)) };
  if (choice === "week") return { from: iso(Math.floor(now.getTime() / dayMs) * dayMs - 6 * dayMs), to: null };
  const [first, last] = days.map((day) => Date.parse(`${day}T00:00:00Z`)) as [number, number];
  return Number.isFinite(first) && Number.isFinite(last) && first <= last
    ? { from: iso(first), to: iso(last + dayMs) }
    : null;
}

/** `12.30 EUR` */
export function formatCost(cost: number, currency: string): string {
  const amount = cost.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${amount} ${currency}`;
}

/** What a field of a limit holds: nothing typed is no limit, what is no number is none either. */
export function limitOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === "") return null;
  const value = Number(typed);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
