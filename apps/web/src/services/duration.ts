import type { FieldText } from "./field-text.ts";

const units = [
  { text: "d", minutes: 1440 },
  { text: "h", minutes: 60 },
  { text: "min", minutes: 1 },
] as const;

const example = "write for example 90 min, 2 h or 1 d 12 h";

/** "PT2H30M" → "2 h 30 min"; what is no such duration stays as it is */
export function formatDuration(iso: string): string {
  const found = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(iso);
  if (!found) return iso;
  const [days, hours, minutes, seconds] = found.slice(1);
  const parts = [
    [days, "d"],
    [hours, "h"],
    [minutes, "min"],
    [seconds, "s"],
  ].flatMap(([amount, unit]) => (amount === undefined ? [] : [`${Number(amount)} ${unit}`]));
  return parts.length > 0 ? parts.join(" ") : iso;
}

/**
 * "2 h 30 min", "1.5 h" or "PT2H30M" as the ISO 8601 duration that a spec holds; nothing typed means nothing is set.
 */
export function parseDuration(text: string): FieldText {
  const typed = text.trim();
  if (typed === "") return { value: undefined };
  if (/^P(?=.*\d)/i.test(typed) && formatDuration(typed.toUpperCase()) !== typed.toUpperCase())
    return { value: typed.toUpperCase() };
  const parts = [...typed.matchAll(/(\d+(?:\.\d+)?)\s*(d|days?|h|hours?|min|minutes?|m)(?=\s|\d|$)/gi)];
  const isWhole = parts.map(([part]) => part).join("") === typed.replaceAll(/(?<=[a-z])\s+(?=\d)/gi, "");
  if (parts.length === 0 || !isWhole) return { problem: `"${typed}" is no duration; ${example}.` };
  const total = Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * minutesOf(unit), 0));
  return total > 0 ? { value: isoOf(total) } : { problem: `"${typed}" is less than a minute; ${example}.` };
}

function minutesOf(unit: string | undefined): number {
  return units.find(({ text }) => text[0] === unit?.[0]?.toLowerCase())?.minutes ?? 1;
}

/** Hours are not gathered into days: a job that may take 36 hours says so. */
function isoOf(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return `PT${hours > 0 ? `${hours}H` : ""}${rest > 0 ? `${rest}M` : ""}`;
}
