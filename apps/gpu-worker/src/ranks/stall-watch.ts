/** What a rank's watchdog thread writes each second: `advance` grows with its work. */
export interface Pulse {
  readonly advance: number;
  readonly isInCollective: boolean;
}

/**
 * Tells which ranks stand still. Waiting inside a collective is no stall: whoever keeps the others waiting there
 * stands still outside of one.
 */
export class StallWatch {
  readonly #stallMs: number;
  readonly #ranks = new Map<number, { advance: number; since: number; isStalled: boolean }>();

  constructor(stallMs: number) {
    this.#stallMs = stallMs;
  }

  /** @returns "stalled" once per stall, "resumed" once when it ends */
  observe(rank: number, pulse: Pulse, now: number): "stalled" | "resumed" | null {
    const seen = this.#ranks.get(rank);
    if (!seen || pulse.advance !== seen.advance || pulse.isInCollective) {
      this.#ranks.set(rank, { advance: pulse.advance, since: now, isStalled: false });
      return seen?.isStalled ? "resumed" : null;
    }
    if (seen.isStalled || now - seen.since < this.#stallMs) return null;
    seen.isStalled = true;
    return "stalled";
  }
}

/** Reads the last complete line of the pulse pipe. */
export function parsePulse(text: string): Pulse | null {
  const found = /(\d+) ([01])\n[^\n]*$/.exec(text);
  return found ? { advance: Number(found[1]), isInCollective: found[2] === "1" } : null;
}
