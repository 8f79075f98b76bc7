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
