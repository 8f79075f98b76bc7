import { browserShelf } from "./job-columns.ts";
import { shownTimeZone, timeWriter } from "./time-zone.ts";

/** Numbers as people read them. Everything shown in the dashboard goes through here, so that units agree. */

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
/** What stands where nothing is known */
export const absent = "–";

/** 1234567 → "1,234,567" */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : whole.format(value);
}

/** 1234567 → "1.2M" */
export function formatCompact(value: number | null | undefined): string {
  return value === null || value === undefined ? absent : compact.format(value);
}

/** 1536 → "1.5 KiB" */
export function formatBytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const step = value < 1 ? 0 : Math.min(Math.floor(Math.log2(value) / 10), units.length - 1);
  const scaled = value / 1024 ** step;
  return `${step === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${units[step]}`;
}

/** 0.8125 → "81.3 %" */
export function formatPercent(fraction: number | null | undefined, digits = 1): string {
  return fraction === null || fraction === undefined ? absent : `${(fraction * 100).toFixed(digits)} %`;
}

/** Up to four significant digits, without needless zeros: 0.43210 → "0.4321" */
export function formatFigure(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent;
  if (Number.isInteger(value)) return whole.format(value);
  const magnitude = Math.abs(value);
  if (magnitude >= 1000) return whole.format(value);
  return magnitude < 0.001 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** Seconds → "340 ms", "4.2 s", "3 min 5 s", "2 h 14 min" */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return absent;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const total = Math.round(seconds);
  if (total < 3600) return `${Math.floor(total / 60)} min ${total % 60} s`;
  return `${Math.floor(total / 3600)} h ${Math.floor((total % 3600) / 60)} min`;
}

/** Seconds between two ISO times; up to now when the second is missing. Null without a start. */
export function secondsBetween(start: string | null | undefined, end: string | null | undefined, nowMs: number) {
  if (!start) return null;
  return Math.max(0, ((end ? Date.parse(end) : nowMs) - Date.parse(start)) / 1000);
}

/** "just now", "4 min ago", "3 h ago", then the date */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(iso)) / 1000;
  if (seconds < 45) return "just now";
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h ago`;
  return formatDateTime(iso);
}

/**
 * { "val/loss": 0.43211, epoch: 7 } → "epoch 7 · val/loss 0.4321"; nulls are left out. Where the run stands comes
 * first, the rest by name: the database does not keep the order in which fields were written.
 */
export function formatFields(fields: unknown): string {
  if (typeof fields !== "object" || fields === null) return "";
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${formatField(value)}`)
    .join(" · ");
}

const leadingFields = ["epoch", "step"];

function placeOf(field: string): number {
  const place = leadingFields.indexOf(field);
  return place < 0 ? leadingFields.length : place;
}

function formatField(value: unknown): string {
  if (typeof value === "number") return formatFigure(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

const zone = shownTimeZone(browserShelf());

const dateTime = timeWriter({ dateStyle: "medium", timeStyle: "short" }, zone);
export function formatDateTime(iso: string): string {
  return dateTime(Date.parse(iso));
}

const clock = timeWriter({ hour: "2-digit", minute: "2-digit", second: "2-digit" }, zone);
export function formatClock(iso: string): string {
  return clock(Date.parse(iso));
}

const weekTime = timeWriter({ weekday: "short", hour: "2-digit", minute: "2-digit" }, zone);
/** Tue, 14:05 */
export function formatWeekTime(ms: number): string {
  return weekTime(ms);
}

const weekday = timeWriter({ weekday: "long" }, zone);
export function formatWeekday(iso: string): string {
  return weekday(Date.parse(iso));
}

const longWords: Readonly<Record<string, string>> = {
  num: "number of",
  feats: "features",
  lr: "learning rate",
  grad: "gradient",
  dim: "dimensions",
  inedges: "in-edges",
};

/** "hiddenFeats" → "Hidden features", "lr" → "Learning rate", "val/accuracy" → "val/accuracy" */
export function humanize(name: string): string {
  if (name.includes("/")) return name;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(" ")
    .map((word) => longWords[word] ?? word)
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
