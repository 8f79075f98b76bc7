import { paletteColor } from "../theme.ts";
import { formatBytes, formatSeconds } from "./format.ts";

/** A line of an estimate's explanation. */
export interface EstimateLine {
  readonly of: string;
  readonly what: string;
  /** Bytes, or seconds */
  readonly amount: number;
}

export interface EstimatePart {
  readonly title: string;
  readonly lines: readonly { readonly what: string; readonly text: string }[];
}

const parts: readonly { readonly title: string; readonly of: readonly string[]; readonly isTime?: boolean }[] = [
  { title: "Memory of a rank", of: ["memory"] },
  { title: "Memory of a sampler process", of: ["samplerMemory"] },
  { title: "Memory of a rank's device", of: ["deviceMemory"] },
  { title: "Memory before the ranks start", of: ["partitionMemory"] },
  { title: "Disk", of: ["disk"] },
  { title: "Time", of: ["timeOverhead", "time", "stageOverhead", "stageTime"], isTime: true },
];

/** What each figure of an estimate is made of, the largest first; what comes to nothing is left out. */
export function estimateParts(explanation: readonly EstimateLine[]): readonly EstimatePart[] {
  return parts.flatMap(({ title, of, isTime = false }) => {
    const lines = explanation.filter((line) => of.includes(line.of) && line.amount > 0);
    const shown = lines
      .toSorted((a, b) => b.amount - a.amount)
      .map(({ what, amount }) => ({
        what,
        text: isTime ? formatSeconds(amount) : formatBytes(amount),
      }));
    return shown.length > 0 ? [{ title, lines: shown }] : [];
  });
}

/** The parts of a rank's memory, the largest first; the small ones that are left over count as one. */
export function memoryShares(explanation: readonly EstimateLine[]) {
  const lines = explanation
    .filter(({ of, amount }) => of === "memory" && amount > 0)
    .toSorted((a, b) => b.amount - a.amount);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const shown = lines.length > maxShares ? lines.slice(0, maxShares - 1) : lines;
  const rest = total - shown.reduce((sum, { amount }) => sum + amount, 0);
  const named = shown.map(({ what, amount }) => ({ what, bytes: amount }));
  return [...named, ...(rest > 0 ? [{ what: "all else", bytes: rest }] : [])].map((part, index) => ({
    ...part,
    share: part.bytes / total,
    color: paletteColor(index),
  }));
}

const maxShares = 5;

interface EstimatedTime {
  /** null: not known */
  readonly seconds: number | null;
  readonly explanation: readonly EstimateLine[];
}

/**
 * Seconds of one epoch: training's share of the time by the formulas, of the seconds that are expected in all.
 *
 * @param epochs null: not a number yet
 */
export function secondsPerEpoch({ seconds, explanation }: EstimatedTime, epochs: number | null): number | null {
  const sumOf = (parts: readonly string[]) =>
    explanation.filter(({ of }) => parts.includes(of)).reduce((sum, { amount }) => sum + amount, 0);
  const all = sumOf(["time", "timeOverhead", "stageTime", "stageOverhead"]);
  if (epochs === null || epochs < 1 || seconds === null || all === 0) return null;
  return (seconds * sumOf(["time", "timeOverhead"])) / all / epochs;
}
